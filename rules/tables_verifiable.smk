# Needs: answers of judges, their scores and estimates. Makes: tables v1 and v2.
#
# Ground truth of both: facts and errors of each summary, counted from the texts, and recounted by
# anyone with sensemaking verify.


rule table_v1:
    """Table v1: Judges' τ, pairs right, AUC and cost. How well do they tell the better summary?"""
    input:
        estimates=expand(
            "results/estimates/verifiable/{dataset}.parquet", dataset=DATASETS
        ),
        pairs=expand("results/judgements/pairs/{dataset}.parquet", dataset=DATASETS),
        costs=expand("results/judgements/costs/{dataset}.parquet", dataset=DATASETS),
        published=str(CODE_FOLDER / "resources/published/verifiable2026.csv"),
        code=code_of("table_v1.py"),
    output:
        parquet="results/tables/table_v1.parquet",
        md="results/tables/table_v1.md",
        csv="results/tables/table_v1.csv",
        tex="results/tables/table_v1.tex",
        html="results/tables/table_v1.html",
    log:
        "logs/tables/table_v1.log",
    params:
        judges=SHOWN_JUDGES,
        convention=CONFIG.verifiable.convention,
    script:
        "../scripts/table_v1.py"


rule table_v2:
    """Table v2: Judges by document. Does the place of a summary sway them?"""
    input:
        estimates=expand(
            "results/estimates/verifiable/{dataset}.parquet", dataset=DATASETS
        ),
        scores=expand("results/scores/verifiable/{dataset}.parquet", dataset=DATASETS),
        truth=expand("results/verifiable/{dataset}/truth.parquet", dataset=DATASETS),
        code=code_of("table_v2.py"),
    output:
        parquet="results/tables/table_v2.parquet",
        md="results/tables/table_v2.md",
        csv="results/tables/table_v2.csv",
        tex="results/tables/table_v2.tex",
        html="results/tables/table_v2.html",
    log:
        "logs/tables/table_v2.log",
    params:
        judges=SHOWN_JUDGES,
        convention=CONFIG.verifiable.convention,
    script:
        "../scripts/table_v2.py"
