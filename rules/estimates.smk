# Needs: scores of all kinds. Makes: estimates of groups, with n, sd and intervals.


rule estimate_teacher_ranks:
    """Estimate each Teacher's mean rank per kind and over all sections."""
    input:
        systems="results/systems/teacher.parquet",
        sections=expand("results/materials/sections/{kind}.parquet", kind=KINDS),
        scores=expand("results/scores/teacher/{kind}.parquet", kind=KINDS),
        code=code_of("estimate_teacher_ranks.py"),
    output:
        estimates="results/estimates/teacher_ranks.parquet",
    log:
        "logs/estimate_teacher_ranks.log",
    params:
        kinds=KIND_GROUPS,
        seed=CONFIG.seed,
        draws=CONFIG.intervals.draws,
    script:
        "../scripts/estimate_teacher_ranks.py"


rule estimate_student_rouge:
    """Estimate each Student's mean ROUGE-L recall, and how the Students' recalls correlate."""
    input:
        systems="results/systems/student.parquet",
        sections=expand("results/materials/sections/{kind}.parquet", kind=KINDS),
        questions=expand(
            "results/questions/{source}/{kind}.parquet",
            source=QUESTION_SOURCES,
            kind=KINDS,
        ),
        scores=expand("results/scores/rouge/{kind}.parquet", kind=KINDS),
        code=code_of("estimate_student_rouge.py"),
    output:
        estimates="results/estimates/student_rouge.parquet",
        correlations="results/estimates/student_correlations.parquet",
    log:
        "logs/estimate_student_rouge.log",
    params:
        kinds=KIND_GROUPS,
        named_student=CONFIG.student_metrics.named_student,
        seed=CONFIG.seed,
        draws=CONFIG.intervals.draws,
    script:
        "../scripts/estimate_student_rouge.py"
