# Needs: all tables, findings and systems. Makes: the index page of the report.

TABLE_IDS = ["table_01", "table_02", "table_03", "table_06", "table_07", "table_08"]
TABLE_FORMATS = ["parquet", "md", "csv", "tex", "html"]
FINDINGS_SHARDS = [
    "results/validation/findings/root.parquet",
    *expand(
        "results/validation/findings/{stage}-{kind}.parquet",
        stage=["sections", "questions", "embeddings"],
        kind=KINDS,
    ),
]


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
        template=str(CODE_FOLDER / "resources/report/index.html.jinja"),
        code=code_of("write_report.py"),
    output:
        index="results/report/index.html",
    log:
        "logs/write_report.log",
    params:
        formats=TABLE_FORMATS,
        seed=CONFIG.seed,
    script:
        "../scripts/write_report.py"
