# Needs: sections, questions. Makes: windows of the English texts, and embeddings, one shard a kind.


rule cut_windows:
    """Cut the English text of each section into windows of up to K words, one a sentence."""
    input:
        sections="results/materials/sections/{kind}.parquet",
        code=code_of("cut_windows.py"),
    output:
        windows="results/materials/windows/{kind}.parquet",
    log:
        "logs/cut_windows/{kind}.log",
    params:
        max_words=CONFIG.windows.max_words,
    script:
        "../scripts/cut_windows.py"


rule embed_texts:
    """Embed each distinct window and genuine question of a kind once."""
    input:
        windows="results/materials/windows/{kind}.parquet",
        questions=expand(
            "results/questions/{source}/{{kind}}.parquet", source=QUESTION_SOURCES
        ),
        code=code_of("embed_texts.py"),
    output:
        embeddings="results/embeddings/{kind}.parquet",
        findings="results/validation/findings/embeddings-{kind}.parquet",
    log:
        "logs/embed_texts/{kind}.log",
    benchmark:
        "benchmarks/embed_texts/{kind}.tsv"
    conda:
        "../envs/embeddings.yaml"
    threads: CONFIG.embedding.threads
    resources:
        mem_mb=1500,
    params:
        model=CONFIG.embedding.model,
        revision=CONFIG.embedding.revision,
        sha256=CONFIG.embedding.sha256,
        batch_size=CONFIG.embedding.batch_size,
        threads=CONFIG.embedding.threads,
    script:
        "../scripts/embed_texts.py"
