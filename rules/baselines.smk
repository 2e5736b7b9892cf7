# Needs: sections, questions. Makes: the programmatic baselines' questions, answers and ratings, a
# shard for each system and kind. They need no model and are honest lower bounds. One job lets all
# Teachers ask about a kind, and one lets all Students answer: most of a job's time is its start.

PROGRAM_TEACHERS, PROGRAM_STUDENTS = programs_of("teacher"), programs_of("student")

if PROGRAM_TEACHERS:

    rule ask_baseline_questions:
        """Let the programmatic Teachers ask about each section of a kind."""
        input:
            sections="results/materials/sections/{kind}.parquet",
            code=code_of("ask_baseline_questions.py"),
        output:
            questions=expand(
                "results/questions/{teacher}/{{kind}}.parquet",
                teacher=PROGRAM_TEACHERS,
            ),
        log:
            "logs/ask_baseline_questions/{kind}.log",
        params:
            teachers=[
                {
                    "engine": SYSTEMS[key].engine,
                    "team": SYSTEMS[key].team_name,
                    "submission": SYSTEMS[key].submission,
                    "number": SYSTEMS[key].questions_per_section,
                }
                for key in PROGRAM_TEACHERS
            ],
            seed=CONFIG.seed,
        script:
            "../scripts/ask_baseline_questions.py"


def released_by_baselines(kind):
    """Return the released files with genuine answers of the programmatic Students."""
    return sorted(
        {
            path
            for key in PROGRAM_STUDENTS
            for path in released_of(
                SYSTEMS[key].team_name, SYSTEMS[key].submission, [kind]
            )
        }
    )


if PROGRAM_STUDENTS:

    rule answer_baseline_questions:
        """Let the programmatic Students answer every genuine question of a kind."""
        input:
            sections="results/materials/sections/{kind}.parquet",
            questions=expand(
                "results/questions/{source}/{{kind}}.parquet", source=QUESTION_SOURCES
            ),
            # What Evaluators were sent wins.
            released=lambda wildcards: released_by_baselines(wildcards.kind),
            manifest=lambda wildcards: (
                RELEASE_FILES if released_by_baselines(wildcards.kind) else []
            ),
            code=code_of("answer_baseline_questions.py"),
        output:
            answers=expand(
                "results/answers/{student}/{{kind}}.parquet", student=PROGRAM_STUDENTS
            ),
        log:
            "logs/answer_baseline_questions/{kind}.log",
        params:
            students=[
                {
                    "engine": SYSTEMS[key].engine,
                    "team": SYSTEMS[key].team_name,
                    "submission": SYSTEMS[key].submission,
                }
                for key in PROGRAM_STUDENTS
            ],
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
