# Needs: estimates of Students' ROUGE-L recall. Makes: tables 6 to 8.
#
# Ground truth of all three: the reference answers of Teachers and experts.


rule table_06:
    """Table 6: Students' ROUGE-L recall, missing answers counted as 0."""
    input:
        estimates="results/estimates/student_rouge.parquet",
        systems="results/systems/student.parquet",
        published=str(CODE_FOLDER / "resources/published/sensemaking2025.csv"),
        code=code_of("table_06.py"),
    output:
        parquet="results/tables/table_06.parquet",
        md="results/tables/table_06.md",
        csv="results/tables/table_06.csv",
        tex="results/tables/table_06.tex",
        html="results/tables/table_06.html",
    log:
        "logs/tables/table_06.log",
    params:
        kinds=KIND_COLUMNS,
        tokenizer=CONFIG.student_metrics.tokenizer,
    script:
        "../scripts/table_06.py"


rule table_07:
    """Table 7: Students' ROUGE-L recall on the questions that one named Student answered."""
    input:
        estimates="results/estimates/student_rouge.parquet",
        systems="results/systems/student.parquet",
        published=str(CODE_FOLDER / "resources/published/sensemaking2025.csv"),
        code=code_of("table_07.py"),
    output:
        parquet="results/tables/table_07.parquet",
        md="results/tables/table_07.md",
        csv="results/tables/table_07.csv",
        tex="results/tables/table_07.tex",
        html="results/tables/table_07.html",
    log:
        "logs/tables/table_07.log",
    params:
        kinds=KIND_COLUMNS,
        named_student=CONFIG.student_metrics.named_student,
        tokenizer=CONFIG.student_metrics.tokenizer,
    script:
        "../scripts/table_07.py"


rule table_08:
    """Table 8: Correlation of the Students' ROUGE-L recall on expert questions."""
    input:
        correlations="results/estimates/student_correlations.parquet",
        systems="results/systems/student.parquet",
        published=str(CODE_FOLDER / "resources/published/sensemaking2025.csv"),
        code=code_of("table_08.py"),
    output:
        parquet="results/tables/table_08.parquet",
        md="results/tables/table_08.md",
        csv="results/tables/table_08.csv",
        tex="results/tables/table_08.tex",
        html="results/tables/table_08.html",
    log:
        "logs/tables/table_08.log",
    params:
        tokenizer=CONFIG.student_metrics.tokenizer,
    script:
        "../scripts/table_08.py"
