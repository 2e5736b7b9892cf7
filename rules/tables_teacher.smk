# Needs: estimates of Teachers' ranks. Makes: tables 1 to 3.
#
# Ground truth of all three: none but the text of the section itself, by sentence embeddings.


rule table_01:
    """Table 1: Teachers' mean rank by relevance. Whose questions have most to do with the text?"""
    input:
        estimates="results/estimates/teacher_ranks.parquet",
        systems="results/systems/teacher.parquet",
        published=str(CODE_FOLDER / "resources/published/sensemaking2025.csv"),
        code=code_of("table_01.py"),
    output:
        parquet="results/tables/table_01.parquet",
        md="results/tables/table_01.md",
        csv="results/tables/table_01.csv",
        tex="results/tables/table_01.tex",
        html="results/tables/table_01.html",
    log:
        "logs/tables/table_01.log",
    params:
        kinds=KIND_COLUMNS,
        relevance=CONFIG.teacher_metrics.relevance,
    script:
        "../scripts/table_01.py"


rule table_02:
    """Table 2: Teachers' mean rank by coverage. Whose questions cover the text most evenly?"""
    input:
        estimates="results/estimates/teacher_ranks.parquet",
        systems="results/systems/teacher.parquet",
        published=str(CODE_FOLDER / "resources/published/sensemaking2025.csv"),
        code=code_of("table_02.py"),
    output:
        parquet="results/tables/table_02.parquet",
        md="results/tables/table_02.md",
        csv="results/tables/table_02.csv",
        tex="results/tables/table_02.tex",
        html="results/tables/table_02.html",
    log:
        "logs/tables/table_02.log",
    params:
        kinds=KIND_COLUMNS,
    script:
        "../scripts/table_02.py"


rule table_03:
    """Table 3: Teachers' mean rank by diversity. Whose questions differ most in what they are about?"""
    input:
        estimates="results/estimates/teacher_ranks.parquet",
        systems="results/systems/teacher.parquet",
        published=str(CODE_FOLDER / "resources/published/sensemaking2025.csv"),
        code=code_of("table_03.py"),
    output:
        parquet="results/tables/table_03.parquet",
        md="results/tables/table_03.md",
        csv="results/tables/table_03.csv",
        tex="results/tables/table_03.tex",
        html="results/tables/table_03.html",
    log:
        "logs/tables/table_03.log",
    params:
        kinds=KIND_COLUMNS,
    script:
        "../scripts/table_03.py"
