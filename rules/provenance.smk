# Needs: all that is to be recorded. Makes: the resolved configuration and the manifest of the run.


rule write_config:
    """Write the resolved configuration of the run beside its results."""
    input:
        code=code_of("write_config.py"),
    output:
        config="results/config.yaml",
    log:
        "logs/write_config.log",
    params:
        config=CONFIG.model_dump(mode="json"),
    script:
        "../scripts/write_config.py"


rule write_manifest:
    """Record configuration, versions, seed, commit, and the checksums of inputs and results."""
    input:
        materials=[path for kind in KINDS for path in files_of(kind, lambda name: True)],
        tables=expand(
            "results/tables/{table}.{format}", table=TABLE_IDS, format=TABLE_FORMATS
        ),
        systems="results/systems.parquet",
        shards=expand(
            [
                "results/materials/sections/{kind}.parquet",
                "results/materials/windows/{kind}.parquet",
                "results/embeddings/{kind}.parquet",
                "results/answers/reference/{kind}.parquet",
                "results/answers_expected/{kind}.parquet",
                "results/scores/teacher/{kind}.parquet",
                "results/scores/rouge/{kind}.parquet",
            ],
            kind=KINDS,
        ),
        questions=expand(
            "results/questions/{source}/{kind}.parquet",
            source=QUESTION_SOURCES,
            kind=KINDS,
        ),
        answers=expand(
            "results/answers/{student}/{kind}.parquet", student=STUDENTS, kind=KINDS
        ),
        ratings=expand(
            "results/ratings/{evaluator}/{kind}.parquet",
            evaluator=EVALUATORS,
            kind=KINDS,
        ),
        estimates=[
            "results/estimates/teacher_ranks.parquet",
            "results/estimates/student_rouge.parquet",
            "results/estimates/student_correlations.parquet",
        ],
        findings=FINDINGS_SHARDS,
        code=code_of("write_manifest.py"),
    output:
        manifest="results/manifest.json",
    log:
        "logs/write_manifest.log",
    params:
        config=CONFIG.model_dump(mode="json"),
        seed=CONFIG.seed,
        root=str(MATERIALS),
        code_folder=str(CODE_FOLDER),
    script:
        "../scripts/write_manifest.py"
