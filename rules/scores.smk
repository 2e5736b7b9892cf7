# Needs: windows, embeddings, questions, answers. Makes: scores of single items, one rule a family
# of metrics, one shard a kind.


rule score_questions:
    """Score each question set of a kind by relevance, coverage and diversity, and rank the Teachers."""
    input:
        systems="results/systems/teacher.parquet",
        sections="results/materials/sections/{kind}.parquet",
        windows="results/materials/windows/{kind}.parquet",
        questions=expand(
            "results/questions/{source}/{{kind}}.parquet", source=QUESTION_SOURCES
        ),
        embeddings="results/embeddings/{kind}.parquet",
        code=code_of("score_questions.py"),
    output:
        scores="results/scores/teacher/{kind}.parquet",
    log:
        "logs/score_questions/{kind}.log",
    params:
        sign=CONFIG.teacher_metrics.sign,
        floor=CONFIG.teacher_metrics.floor,
        relevance=CONFIG.teacher_metrics.relevance,
        seed=CONFIG.seed,
    script:
        "../scripts/score_questions.py"


rule expect_answers:
    """List which Student should answer which question: the denominator of all Student tables."""
    input:
        questions=expand(
            "results/questions/{source}/{{kind}}.parquet", source=QUESTION_SOURCES
        ),
        answers=expand("results/answers/{student}/{{kind}}.parquet", student=STUDENTS),
        code=code_of("expect_answers.py"),
    output:
        expected="results/answers_expected/{kind}.parquet",
    log:
        "logs/expect_answers/{kind}.log",
    params:
        students=STUDENT_TEAMS,
    script:
        "../scripts/expect_answers.py"


rule score_rouge:
    """Score each answer of a kind by ROUGE-L recall against the reference answers."""
    input:
        questions=expand(
            "results/questions/{source}/{{kind}}.parquet", source=QUESTION_SOURCES
        ),
        answers=expand("results/answers/{student}/{{kind}}.parquet", student=STUDENTS),
        expected="results/answers_expected/{kind}.parquet",
        code=code_of("score_rouge.py"),
    output:
        scores="results/scores/rouge/{kind}.parquet",
    log:
        "logs/score_rouge/{kind}.log",
    params:
        tokenizer=CONFIG.student_metrics.tokenizer,
    script:
        "../scripts/score_rouge.py"
