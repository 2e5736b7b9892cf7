# Needs: sections, genuine questions and answers. Makes: their adversarial variants, and on demand
# (snakemake export_adversarial) these as files in the official naming, with a manifest of hashes.
# One job for all kinds, since a variant may take its text from another kind.


rule make_adversarial_questions:
    """Make the adversarial variants of all genuine question sets; those in the materials win."""
    input:
        sections=expand("results/materials/sections/{kind}.parquet", kind=KINDS),
        questions=expand(
            "results/questions/{source}/{kind}.parquet",
            source=QUESTION_SOURCES,
            kind=KINDS,
        ),
        sentences=str(SENTENCES),
        code=code_of("make_adversarial_questions.py"),
    output:
        questions=expand("results/questions/adversarial/{kind}.parquet", kind=KINDS),
    log:
        "logs/make_adversarial_questions.log",
    params:
        kinds=[kind.id for kind in CONFIG.kinds],
        codes=CONFIG.adversarial.codes,
        seed=CONFIG.seed,
    script:
        "../scripts/make_adversarial_questions.py"


rule make_adversarial_answers:
    """Make the adversarial variants of all golden and genuine answers; released ones win."""
    input:
        sections=expand("results/materials/sections/{kind}.parquet", kind=KINDS),
        questions=expand(
            "results/questions/{source}/{kind}.parquet",
            source=QUESTION_SOURCES,
            kind=KINDS,
        ),
        answers=expand(
            "results/answers/{source}/{kind}.parquet",
            source=["reference", *STUDENTS],
            kind=KINDS,
        ),
        released="results/materials/released_answers.parquet",
        manifest=RELEASE_FILES,
        code=code_of("make_adversarial_answers.py"),
    output:
        answers=expand("results/answers/adversarial/{kind}.parquet", kind=KINDS),
        findings="results/validation/findings/released_answers.parquet",
    log:
        "logs/make_adversarial_answers.log",
    params:
        root=str(MATERIALS),
        kinds=[kind.id for kind in CONFIG.kinds],
        scenarios=CONFIG.adversarial.scenarios,
        seed=CONFIG.seed,
    script:
        "../scripts/make_adversarial_answers.py"


rule export_adversarial:
    """Write adversarial questions and answers as files to send, with a manifest of hashes."""
    input:
        questions=expand(
            "results/questions/{source}/{kind}.parquet",
            source=QUESTION_SOURCES,
            kind=KINDS,
        ),
        adversarial=expand("results/questions/adversarial/{kind}.parquet", kind=KINDS),
        answers=expand("results/answers/adversarial/{kind}.parquet", kind=KINDS),
        code=code_of("export_adversarial.py"),
    output:
        manifest="results/export/adversarial/release.json",
    log:
        "logs/export_adversarial.log",
    params:
        sections=CONFIG.adversarial.export_sections,
        languages={
            kind.id: kind.question_language or kind.language for kind in CONFIG.kinds
        },
    script:
        "../scripts/export_adversarial.py"
