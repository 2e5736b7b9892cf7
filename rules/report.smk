# Needs: all tables, findings and systems. Makes: the index page of the report.

TABLE_IDS = [
    "table_01",
    "table_02",
    "table_03",
    "table_06",
    "table_07",
    "table_08",
    "table_v1",
    "table_v2",
    "table_x1",
    "table_x2",
    "table_x3",
]
TABLE_FORMATS = ["parquet", "md", "csv", "tex", "html"]
FINDINGS_SHARDS = [
    *(["results/validation/findings/submissions.parquet"] if SUBMISSION_FILES else []),
    *expand(
        "results/validation/findings/submissions/{system}.parquet", system=SUBMITTED
    ),
    "results/validation/findings/root.parquet",
    "results/validation/findings/released_answers.parquet",
    *expand(
        "results/validation/findings/{stage}-{kind}.parquet",
        stage=["sections", "questions", "translations", "embeddings"],
        kind=KINDS,
    ),
    *expand("results/validation/findings/engines-{kind}.parquet", kind=TRANSLATED),
    *expand(
        "results/validation/findings/pdfs-{kind}.parquet",
        kind=[kind for kind in KINDS if pdf_folders(kind)],
    ),
    *expand(
        "results/validation/findings/recordings/{shard}.parquet", shard=CHAPTER_SHARDS
    ),
    *expand(
        "results/validation/findings/replies/{system}.parquet",
        system=[*llm_of("student"), *llm_of("evaluator")],
    ),
    *expand(
        "results/validation/findings/replies/{system}/{kind}.parquet",
        system=llm_of("teacher"),
        kind=KINDS,
    ),
    *expand("results/validation/findings/judges-{dataset}.parquet", dataset=DATASETS),
]
FIGURE_IDS = ["judges_tau", "judges_strength", "judges_bias"]


rule tables:
    """All tables, each in all formats."""
    input:
        expand("results/tables/{table}.{format}", table=TABLE_IDS, format=TABLE_FORMATS),


rule write_report:
    """Write the page that shows all tables and links their files."""
    input:
        tables=expand("results/tables/{table}.html", table=TABLE_IDS),
        others=expand(
            "results/tables/{table}.{format}",
            table=TABLE_IDS,
            format=[name for name in TABLE_FORMATS if name != "html"],
        ),
        systems="results/systems.parquet",
        sections=expand("results/materials/sections/{kind}.parquet", kind=KINDS),
        ratings=expand(
            "results/ratings/{evaluator}/{kind}.parquet",
            evaluator=EVALUATORS,
            kind=KINDS,
        ),
        findings=FINDINGS_SHARDS,
        figures=expand("results/figures/{figure}.svg", figure=FIGURE_IDS),
        raw=[path for paths in RAW_OF.values() for path in paths],
        timings="timings/recordings.html",
        template=str(CODE_FOLDER / "resources/report/index.html.jinja"),
        code=code_of("write_report.py"),
    output:
        index="results/report/index.html",
    log:
        "logs/write_report.log",
    params:
        formats=TABLE_FORMATS,
        stages={
            SYSTEMS[key].id: role
            for role in ("teacher", "student", "evaluator")
            for key in llm_of(role)
        },
        raw=RAW_OF,
        seed=CONFIG.seed,
    script:
        "../scripts/write_report.py"
