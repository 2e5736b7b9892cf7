# Needs: all that is to be recorded. Makes: the resolved configuration and the manifest of the run.


# Files beside the materials that the run reads, by the name that the manifest gives them.
INPUT_FILES = {
    **{MANIFEST: path for path in RELEASE_FILES},
    **RECORDED_FILES,
    **{
        f"llm/{Path(path).relative_to(RECORDED_LLM).as_posix()}": path
        for role in ("teacher", "student", "evaluator")
        for system in llm_of(role)
        for path in recorded_journals(role, system)
    },
    **{
        f"prompts/{system.id}.md": prompt_file(
            system.prompt or system.role, f"systems.prompt of {system.id!r}"
        )
        for system in SYSTEMS.values()
        if system.engine == LLM
    },
    **{
        f"llm/{Path(path).relative_to(RECORDED_LLM).as_posix()}": path
        for engine in MT_MODELS
        for kind in TRANSLATED
        for path in recorded_journals(f"mt-{engine}", kind)
    },
    **{f"prompts/mt-{engine}.md": MT_PROMPTS[engine] for engine in MT_MODELS},
    **{
        f"submissions/{one.file}": str(one.path)
        for one in SUBMITTED.values()
        if one.path is not None
    },
}


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
                "results/materials/original/{kind}.parquet",
                "results/materials/sections/{kind}.parquet",
                "results/questions/original/{kind}.parquet",
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
        raw=[path for paths in RAW_OF.values() for path in paths],
        to_adversarial=expand(
            "results/answers_to_adversarial/{student}/{kind}.parquet",
            student=llm_of("student"),
            kind=KINDS,
        ),
        estimates=[
            "results/estimates/teacher_ranks.parquet",
            "results/estimates/student_rouge.parquet",
            "results/estimates/student_correlations.parquet",
        ],
        pdfs=[
            path
            for kind in KINDS
            for stage in ("pdf_texts", "pdf_pages", "outlines")
            for path in pdf_shards(kind, stage)
        ],
        transcripts=TRANSCRIPTS,
        released="results/materials/released_answers.parquet",
        segments=expand(
            "results/materials/segments/{shard}.parquet", shard=CHAPTER_SHARDS
        ),
        translations=expand(
            "results/materials/translations/{kind}.parquet", kind=TRANSLATED
        ),
        quality=["results/scores/asr.parquet", "results/scores/mt.parquet"],
        judges=expand(
            [
                "results/verifiable/{dataset}/truth.parquet",
                "results/judgements/pairs/{dataset}.parquet",
                "results/judgements/costs/{dataset}.parquet",
                "results/couplings/strengths/{dataset}.parquet",
                "results/couplings/figures/{dataset}.parquet",
                "results/scores/verifiable/{dataset}.parquet",
                "results/estimates/verifiable/{dataset}.parquet",
            ],
            dataset=DATASETS,
        ),
        verifiable=expand("results/verifiable/{dataset}/data.json", dataset=WITH_TEXTS),
        raw_judges=expand("results/raw/judge/{judge}.parquet", judge=MODEL_JUDGES),
        figures=expand("results/figures/{figure}.svg", figure=FIGURE_IDS),
        recorded=list(INPUT_FILES.values()),
        submissions=expand(
            [
                "results/validation/repairs/{system}.parquet",
                "results/validation/submissions/{system}.parquet",
            ],
            system=SUBMITTED,
        ),
        ranked=expand(
            "results/systems/{role}.parquet", role=["teacher", "student", "evaluator"]
        ),
        adversarial=expand(
            "results/{stage}/adversarial/{kind}.parquet",
            stage=["questions", "answers"],
            kind=KINDS,
        ),
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
        recorded=list(INPUT_FILES),
        code_folder=str(CODE_FOLDER),
    script:
        "../scripts/write_manifest.py"
