# Needs: sections and questions in their own language. Makes: translations of those that are not in
# English, sections and questions as all later rules read them, and scores of the translations.

# Kinds with something that is not in English, and an engine to translate it.
TRANSLATED = [
    key
    for key, kind in KINDS.items()
    if MT_ENGINES and {kind.language, kind.question_language or kind.language} != {"en"}
]

# Engines that ask a language model, by slug.
MT_MODELS = {
    slug(engine["id"]): engine for engine in MT_ENGINES if engine["engine"] == "llm"
}
MT_PROMPTS = {
    key: prompt_file(engine["prompt"], f"mt.engines.prompt of {engine['id']!r}")
    for key, engine in MT_MODELS.items()
}
# Kinds for which a model may be asked.
MT_PLANNED = TRANSLATED if MT_MODELS else []
MT_RUNS_HERE = any(
    runs_here(engine["language_model"], CONFIG.mt.mode) for engine in MT_MODELS.values()
)


def engines_for(kind):
    """Return the engines of a kind, those that ask a language model with how it is asked."""
    return [
        (
            {
                **engine,
                "llm": llm_choices(engine["language_model"], CONFIG.mt.mode),
                "journal": f"journals/mt-{slug(engine['id'])}/{kind}.jsonl",
            }
            if engine["engine"] == "llm"
            else engine
        )
        for engine in MT_ENGINES
    ]


def recorded_translations(kind):
    """Return the recorded journals of a kind's translations."""
    return [
        path for engine in MT_MODELS for path in recorded_journals(f"mt-{engine}", kind)
    ]


rule translate_materials:
    """Translate texts, questions and answers of a kind that have no English version."""
    input:
        sections="results/materials/original/{kind}.parquet",
        questions="results/questions/original/{kind}.parquet",
        memories=[engine["file"] for engine in MT_ENGINES if engine["file"]],
        prompts=list(MT_PROMPTS.values()),
        recorded=lambda wildcards: recorded_translations(wildcards.kind),
        code=code_of("translate_materials.py"),
    output:
        translations="results/materials/translations/{kind}.parquet",
        findings="results/validation/findings/engines-{kind}.parquet",
    log:
        "logs/translate_materials/{kind}.log",
    benchmark:
        "benchmarks/translate_materials/{kind}.tsv"
    threads: lambda wildcards: workflow.cores if MT_RUNS_HERE else 1
    resources:
        local_model=int(MT_RUNS_HERE),
        llm_endpoint=llm_endpoint(CONFIG.mt.mode) if MT_MODELS else 0,
    params:
        kind=lambda wildcards: KINDS[wildcards.kind].id,
        engines=lambda wildcards: engines_for(wildcards.kind),
        mode=CONFIG.mt.mode,
        measure=CONFIG.mt.measure,
        journal="journals/mt/{kind}.jsonl",
    script:
        "../scripts/translate_materials.py"


rule plan_translation:
    """Print what translations by language models would send. Nothing is sent."""
    input:
        sections=expand("results/materials/original/{kind}.parquet", kind=MT_PLANNED),
        questions=expand("results/questions/original/{kind}.parquet", kind=MT_PLANNED),
        memories=[engine["file"] for engine in MT_ENGINES if engine["file"]],
        prompts=list(MT_PROMPTS.values()),
        code=code_of("plan_translation.py"),
    log:
        "logs/plan_translation.log",
    params:
        kinds=[
            {
                "kind": KINDS[kind].id,
                "engines": engines_for(kind),
                "recorded": recorded_translations(kind),
                "journal": f"journals/mt/{kind}.jsonl",
            }
            for kind in MT_PLANNED
        ],
        mode=CONFIG.mt.mode,
        measure=CONFIG.mt.measure,
    script:
        "../scripts/plan_translation.py"


rule join_translations:
    """Put translations where sections and questions of a kind have no English version."""
    input:
        sections="results/materials/original/{kind}.parquet",
        questions="results/questions/original/{kind}.parquet",
        translations=lambda wildcards: (
            [f"results/materials/translations/{wildcards.kind}.parquet"]
            if wildcards.kind in TRANSLATED
            else []
        ),
        code=code_of("join_translations.py"),
    output:
        sections="results/materials/sections/{kind}.parquet",
        questions="results/questions/materials/{kind}.parquet",
        findings="results/validation/findings/translations-{kind}.parquet",
    log:
        "logs/join_translations/{kind}.log",
    script:
        "../scripts/join_translations.py"


rule score_translations:
    """Score translations by chrF and BLEU against those that came with the materials."""
    input:
        sections=expand("results/materials/original/{kind}.parquet", kind=TRANSLATED),
        questions=expand("results/questions/original/{kind}.parquet", kind=TRANSLATED),
        translations=expand(
            "results/materials/translations/{kind}.parquet", kind=TRANSLATED
        ),
        code=code_of("score_translations.py"),
    output:
        scores="results/scores/mt.parquet",
    log:
        "logs/score_translations.log",
    script:
        "../scripts/score_translations.py"
