# Needs: sections and questions in their own language. Makes: translations of those that are not in
# English, sections and questions as all later rules read them, and scores of the translations.

# Kinds with something that is not in English, and an engine to translate it.
TRANSLATED = [
    key
    for key, kind in KINDS.items()
    if MT_ENGINES and {kind.language, kind.question_language or kind.language} != {"en"}
]


rule translate_materials:
    """Translate texts, questions and answers of a kind that have no English version."""
    input:
        sections="results/materials/original/{kind}.parquet",
        questions="results/questions/original/{kind}.parquet",
        memories=[engine["file"] for engine in MT_ENGINES if engine["file"]],
        code=code_of("translate_materials.py"),
    output:
        translations="results/materials/translations/{kind}.parquet",
        findings="results/validation/findings/engines-{kind}.parquet",
    log:
        "logs/translate_materials/{kind}.log",
    benchmark:
        "benchmarks/translate_materials/{kind}.tsv"
    params:
        kind=lambda wildcards: KINDS[wildcards.kind].id,
        engines=MT_ENGINES,
        mode=CONFIG.mt.mode,
        measure=CONFIG.mt.measure,
        journal="journals/mt/{kind}.jsonl",
    script:
        "../scripts/translate_materials.py"


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
