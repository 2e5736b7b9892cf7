# Needs: sections, questions, answers and their adversarial variants. Makes: the questions, answers and
# ratings of the systems that a language model plays, and on demand (snakemake plan_llm) what a live
# run would send.
#
# One rule asks and keeps the replies raw, another reads them, so that reading differently costs
# nothing. A Teacher is asked about each kind by itself, so that an edit of a text moves the questions,
# embeddings and scores of its kind alone; a Student and an Evaluator in one job, since they also get
# adversarial variants, which may come from any kind. Live journals are neither inputs nor outputs:
# Snakemake would delete them, or run again.


def prompt_of(wildcard):
    """Return the input function of a system's prompt, by the wildcard's name."""

    def path(wildcards):
        system = SYSTEMS[getattr(wildcards, wildcard)]
        return prompt_file(
            system.prompt or system.role, f"systems.prompt of {system.id!r}"
        )

    return path


def recorded_of(stage, wildcard):
    """Return the input function of a system's recorded journals."""
    return lambda wildcards: recorded_journals(stage, getattr(wildcards, wildcard))


def choices_of(wildcard):
    """Return the param with the model of a system and how it is asked."""
    return lambda wildcards: llm_choices(
        SYSTEMS[getattr(wildcards, wildcard)].language_model
    )


def option_of(wildcard, name):
    """Return the param with a key of a system."""
    return lambda wildcards: getattr(SYSTEMS[getattr(wildcards, wildcard)], name)


def evaluator_options(wildcards):
    """Return what reading and asking an Evaluator have in common."""
    system = SYSTEMS[wildcards.llm_evaluator]
    return {
        "team": system.team_name,
        "submission": system.submission,
        "grade_from": system.grade_from,
    }


def threads_of(wildcard):
    """Return the threads of a job: all if a model runs in it, for it shares them badly."""
    return lambda wildcards: (
        workflow.cores
        if runs_here(SYSTEMS[getattr(wildcards, wildcard)].language_model)
        else 1
    )


def local_model_of(wildcard):
    """Return how many local models a job loads."""
    return lambda wildcards: int(
        runs_here(SYSTEMS[getattr(wildcards, wildcard)].language_model)
    )


def raw_of(role, key):
    """Return the raw replies of a system."""
    if role == "teacher":
        return [f"results/raw/teacher/{key}/{kind}.parquet" for kind in KINDS]
    return [f"results/raw/{role}/{key}.parquet"]


def live_journals(role, key):
    """Return the journals of a system's live runs, whether they are there or not."""
    if role == "teacher":
        return [f"journals/teacher/{key}/{kind}.jsonl" for kind in KINDS]
    return [f"journals/{role}/{key}.jsonl"]


RAW_OF = {
    SYSTEMS[key].id: raw_of(role, key)
    for role in ("teacher", "student", "evaluator")
    for key in llm_of(role)
}
ALL_SECTIONS = expand("results/materials/sections/{kind}.parquet", kind=KINDS)
ALL_QUESTIONS = expand(
    "results/questions/{source}/{kind}.parquet", source=QUESTION_SOURCES, kind=KINDS
)
ALL_ANSWERS = expand(
    "results/answers/{source}/{kind}.parquet",
    source=["reference", *STUDENTS],
    kind=KINDS,
)


def adversarial_for(stage, wildcard):
    """Return the input function of the adversarial variants, where a system gets any."""
    return lambda wildcards: expand(
        "results/{stage}/adversarial/{kind}.parquet",
        stage=stage,
        kind=(
            KINDS if SYSTEMS[getattr(wildcards, wildcard)].adversarial_sections else []
        ),
    )


rule ask_llm_teacher:
    """Let a language model ask about the sections of a kind."""
    input:
        sections="results/materials/sections/{kind}.parquet",
        prompt=prompt_of("llm_teacher"),
        recorded=recorded_of("teacher", "llm_teacher"),
        code=code_of("ask_llm_teacher.py"),
    output:
        raw="results/raw/teacher/{llm_teacher}/{kind}.parquet",
    log:
        "logs/ask_llm_teacher/{llm_teacher}-{kind}.log",
    benchmark:
        "benchmarks/ask_llm_teacher/{llm_teacher}-{kind}.tsv"
    threads: threads_of("llm_teacher")
    resources:
        local_model=local_model_of("llm_teacher"),
        llm_endpoint=llm_endpoint(),
    params:
        llm=choices_of("llm_teacher"),
        journal="journals/teacher/{llm_teacher}/{kind}.jsonl",
        options=lambda wildcards: {
            "team": SYSTEMS[wildcards.llm_teacher].team_name,
            "submission": SYSTEMS[wildcards.llm_teacher].submission,
            "number": SYSTEMS[wildcards.llm_teacher].questions_per_section,
            "span_words": SYSTEMS[wildcards.llm_teacher].span_words,
            "answers": SYSTEMS[wildcards.llm_teacher].answers_per_question,
        },
    script:
        "../scripts/ask_llm_teacher.py"


rule parse_llm_teacher:
    """Read the questions about a kind in a language model's replies."""
    input:
        raw="results/raw/teacher/{llm_teacher}/{kind}.parquet",
        code=code_of("parse_llm_teacher.py"),
    output:
        questions="results/questions/{llm_teacher}/{kind}.parquet",
        findings="results/validation/findings/replies/{llm_teacher}/{kind}.parquet",
    log:
        "logs/parse_llm_teacher/{llm_teacher}-{kind}.log",
    params:
        team=option_of("llm_teacher", "team_name"),
        submission=option_of("llm_teacher", "submission"),
    script:
        "../scripts/parse_llm_teacher.py"


rule ask_llm_student:
    """Let a language model answer the questions of all kinds."""
    input:
        sections=ALL_SECTIONS,
        questions=ALL_QUESTIONS,
        adversarial=adversarial_for("questions", "llm_student"),
        prompt=prompt_of("llm_student"),
        recorded=recorded_of("student", "llm_student"),
        code=code_of("ask_llm_student.py"),
    output:
        raw="results/raw/student/{llm_student}.parquet",
    log:
        "logs/ask_llm_student/{llm_student}.log",
    benchmark:
        "benchmarks/ask_llm_student/{llm_student}.tsv"
    threads: threads_of("llm_student")
    resources:
        local_model=local_model_of("llm_student"),
        llm_endpoint=llm_endpoint(),
    params:
        llm=choices_of("llm_student"),
        journal="journals/student/{llm_student}.jsonl",
        patterns=option_of("llm_student", "adversarial_sections"),
        team=option_of("llm_student", "team_name"),
        submission=option_of("llm_student", "submission"),
    script:
        "../scripts/ask_llm_student.py"


def released_by_model(slug):
    """Return the released files with genuine answers of a Student that a model plays."""
    return released_of(SYSTEMS[slug].team_name, SYSTEMS[slug].submission)


rule parse_llm_student:
    """Read the answers in a language model's replies, those to adversarial questions apart."""
    input:
        sections=ALL_SECTIONS,
        questions=ALL_QUESTIONS,
        adversarial=adversarial_for("questions", "llm_student"),
        raw="results/raw/student/{llm_student}.parquet",
        # What Evaluators were sent wins.
        released=lambda wildcards: released_by_model(wildcards.llm_student),
        manifest=RELEASE_FILES,
        code=code_of("parse_llm_student.py"),
    output:
        answers=expand("results/answers/{{llm_student}}/{kind}.parquet", kind=KINDS),
        to_adversarial=expand(
            "results/answers_to_adversarial/{{llm_student}}/{kind}.parquet", kind=KINDS
        ),
        findings="results/validation/findings/replies/{llm_student}.parquet",
    log:
        "logs/parse_llm_student/{llm_student}.log",
    params:
        kinds=[kind.id for kind in CONFIG.kinds],
        patterns=option_of("llm_student", "adversarial_sections"),
        team=option_of("llm_student", "team_name"),
        submission=option_of("llm_student", "submission"),
        root=str(MATERIALS),
    script:
        "../scripts/parse_llm_student.py"


rule ask_llm_evaluator:
    """Let a language model grade the answers of all kinds, golden and reference ones too."""
    input:
        sections=ALL_SECTIONS,
        questions=ALL_QUESTIONS,
        answers=ALL_ANSWERS,
        adversarial=adversarial_for("answers", "llm_evaluator"),
        prompt=prompt_of("llm_evaluator"),
        recorded=recorded_of("evaluator", "llm_evaluator"),
        code=code_of("ask_llm_evaluator.py"),
    output:
        raw="results/raw/evaluator/{llm_evaluator}.parquet",
    log:
        "logs/ask_llm_evaluator/{llm_evaluator}.log",
    benchmark:
        "benchmarks/ask_llm_evaluator/{llm_evaluator}.tsv"
    threads: threads_of("llm_evaluator")
    resources:
        local_model=local_model_of("llm_evaluator"),
        llm_endpoint=llm_endpoint(),
    params:
        llm=choices_of("llm_evaluator"),
        journal="journals/evaluator/{llm_evaluator}.jsonl",
        patterns=option_of("llm_evaluator", "adversarial_sections"),
        options=evaluator_options,
    script:
        "../scripts/ask_llm_evaluator.py"


rule parse_llm_evaluator:
    """Read the grades in a language model's replies."""
    input:
        sections=ALL_SECTIONS,
        questions=ALL_QUESTIONS,
        answers=ALL_ANSWERS,
        adversarial=adversarial_for("answers", "llm_evaluator"),
        raw="results/raw/evaluator/{llm_evaluator}.parquet",
        code=code_of("parse_llm_evaluator.py"),
    output:
        ratings=expand("results/ratings/{{llm_evaluator}}/{kind}.parquet", kind=KINDS),
        findings="results/validation/findings/replies/{llm_evaluator}.parquet",
    log:
        "logs/parse_llm_evaluator/{llm_evaluator}.log",
    params:
        kinds=[kind.id for kind in CONFIG.kinds],
        patterns=option_of("llm_evaluator", "adversarial_sections"),
        options=evaluator_options,
    script:
        "../scripts/parse_llm_evaluator.py"


def planned(key):
    """Return a system that a language model plays as plain values, for its plan."""
    system = SYSTEMS[key]
    return {
        "system": system.id,
        "role": system.role,
        "team": system.team_name,
        "submission": system.submission,
        **llm_choices(system.language_model),
        "prompt": prompt_file(
            system.prompt or system.role, f"systems.prompt of {system.id!r}"
        ),
        "options": {
            "number": system.questions_per_section,
            "span_words": system.span_words,
            "answers": system.answers_per_question,
        },
        "grade_from": system.grade_from,
        "patterns": system.adversarial_sections,
        "journals": [
            *recorded_journals(system.role, key),
            *live_journals(system.role, key),
        ],
        # A Teacher's of an earlier run; to make them now would mean to ask.
        "results": [f"results/questions/{key}/{kind}.parquet" for kind in KINDS],
    }


rule plan_llm:
    """Print what a live run would send to language models: calls, tokens, cost. Nothing is sent."""
    input:
        sections=ALL_SECTIONS,
        questions=expand(
            "results/questions/{source}/{kind}.parquet",
            source=[s for s in QUESTION_SOURCES if s not in llm_of("teacher")],
            kind=KINDS,
        ),
        sentences=str(SENTENCES),
        code=code_of("plan_llm.py"),
    log:
        "logs/plan_llm.log",
    params:
        students=[
            {
                "team": team,
                "submission": submission,
                "results": [f"results/answers/{key}/{kind}.parquet" for kind in KINDS],
            }
            for key, (team, submission) in zip(STUDENTS, STUDENT_TEAMS)
        ],
        systems=[
            planned(key)
            for role in ("teacher", "student", "evaluator")
            for key in llm_of(role)
        ],
        codes=CONFIG.adversarial.codes,
        scenarios=CONFIG.adversarial.scenarios,
        seed=CONFIG.seed,
    script:
        "../scripts/plan_llm.py"
