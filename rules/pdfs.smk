# Needs: the materials folder. Makes: texts, pages and outlines of those PDFs that give a section its
# text, or an outline to cut it at; one shard a kind.


def cutting_rules(kind):
    """Return the rules by which sections of a kind are cut; none if they are not."""
    sectioning = KINDS[kind].sectioning
    return sectioning.rules if sectioning else []


@lru_cache(maxsize=None)
def pdf_folders(kind):
    """Return the sections of a kind whose PDF is read."""
    settings = KINDS[kind]
    return pdfs_to_read(
        folders_of(kind), settings.text_from, settings.language, cutting_rules(kind)
    )


def pdf_shards(kind, stage):
    """Return the shard of a kind that reading its PDFs makes, if there is one to read."""
    return [f"results/materials/{stage}/{kind}.parquet"] if pdf_folders(kind) else []


rule read_pdfs:
    """Read the PDFs of a kind, in the order in which a person would."""
    input:
        files=lambda wildcards: [
            str(folder.files["source.pdf"]) for folder in pdf_folders(wildcards.kind)
        ],
        code=code_of("read_pdfs.py"),
    output:
        texts="results/materials/pdf_texts/{kind}.parquet",
        pages="results/materials/pdf_pages/{kind}.parquet",
        outlines="results/materials/outlines/{kind}.parquet",
        findings="results/validation/findings/pdfs-{kind}.parquet",
    log:
        "logs/read_pdfs/{kind}.log",
    benchmark:
        "benchmarks/read_pdfs/{kind}.tsv"
    params:
        root=str(MATERIALS),
        kind=lambda wildcards: KINDS[wildcards.kind].id,
        sections=lambda wildcards: [
            folder.section_id for folder in pdf_folders(wildcards.kind)
        ],
    script:
        "../scripts/read_pdfs.py"
