# Needs: sections, questions. Makes: the programmatic baselines' questions, answers and ratings, a
# shard for each system and kind. They need no model and are honest lower bounds.


rule ask_baseline_questions:
    """Let a programmatic Teacher ask about each section of a kind."""
    input:
        sections="results/materials/sections/{kind}.parquet",
        code=code_of("ask_baseline_questions.py"),
    output:
        questions="results/questions/{teacher}/{kind}.parquet",
    log:
        "logs/ask_baseline_questions/{teacher}-{kind}.log",
    params:
        engine=lambda wildcards: SYSTEMS[wildcards.teacher].engine,
        team=lambda wildcards: SYSTEMS[wildcards.teacher].team_name,
        submission=lambda wildcards: SYSTEMS[wildcards.teacher].submission,
        number=lambda wildcards: SYSTEMS[wildcards.teacher].questions_per_section,
        seed=CONFIG.seed,
    script:
        "../scripts/ask_baseline_questions.py"


def released_by_baseline(wildcards):
    """Return the released files with genuine answers of a programmatic Student."""
    system = SYSTEMS[wildcards.student]
    return released_of(system.team_name, system.submission, [wildcards.kind])


rule answer_baseline_questions:
    """Let a programmatic Student answer every genuine question of a kind."""
    input:
        sections="results/materials/sections/{kind}.parquet",
        questions=expand(
            "results/questions/{source}/{{kind}}.parquet", source=QUESTION_SOURCES
        ),
        # What Evaluators were sent wins.
        released=lambda wildcards: released_by_baseline(wildcards),
        manifest=lambda wildcards: (
            RELEASE_FILES if released_by_baseline(wildcards) else []
        ),
        code=code_of("answer_baseline_questions.py"),
    output:
        answers="results/answers/{student}/{kind}.parquet",
    log:
        "logs/answer_baseline_questions/{student}-{kind}.log",
    params:
        engine=lambda wildcards: SYSTEMS[wildcards.student].engine,
        team=lambda wildcards: SYSTEMS[wildcards.student].team_name,
        submission=lambda wildcards: SYSTEMS[wildcards.student].submission,
        root=str(MATERIALS),
    script:
        "../scripts/answer_baseline_questions.py"


rule rate_baseline_answers:
    """Let a programmatic Evaluator rate all answers of a kind, golden and reference ones too."""
    input:
        sections="results/materials/sections/{kind}.parquet",
        answers=expand(
            "results/answers/{source}/{{kind}}.parquet",
            source=["reference", *STUDENTS],
        ),
        code=code_of("rate_baseline_answers.py"),
    output:
        ratings="results/ratings/{evaluator}/{kind}.parquet",
    log:
        "logs/rate_baseline_answers/{evaluator}-{kind}.log",
    params:
        engine=lambda wildcards: SYSTEMS[wildcards.evaluator].engine,
        team=lambda wildcards: SYSTEMS[wildcards.evaluator].team_name,
        submission=lambda wildcards: SYSTEMS[wildcards.evaluator].submission,
    script:
        "../scripts/rate_baseline_answers.py"
