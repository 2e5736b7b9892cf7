# Needs: what of submissions counts, scores of transcripts and translations. Makes: tables x1 to x3.
#
# Ground truth of x2 and x3: what people wrote, transcripts and English versions in the materials folder.


rule table_x1:
    """Table x1: Submissions. What was sent, repaired and refused, and what stands in the tables?"""
    input:
        submissions=expand(
            "results/validation/submissions/{system}.parquet", system=SUBMITTED
        ),
        findings=expand(
            "results/validation/findings/submissions/{system}.parquet",
            system=SUBMITTED,
        ),
        code=code_of("table_x1.py"),
    output:
        parquet="results/tables/table_x1.parquet",
        md="results/tables/table_x1.md",
        csv="results/tables/table_x1.csv",
        tex="results/tables/table_x1.tex",
        html="results/tables/table_x1.html",
    log:
        "logs/tables/table_x1.log",
    params:
        policy=CONFIG.submissions.repairs,
        min_valid_share=CONFIG.submissions.min_valid_share,
    script:
        "../scripts/table_x1.py"


rule table_x2:
    """Table x2: Speech recognition. How far are transcripts from what was said?"""
    input:
        scores="results/scores/asr.parquet",
        transcripts=TRANSCRIPTS,
        code=code_of("table_x2.py"),
    output:
        parquet="results/tables/table_x2.parquet",
        md="results/tables/table_x2.md",
        csv="results/tables/table_x2.csv",
        tex="results/tables/table_x2.tex",
        html="results/tables/table_x2.html",
    log:
        "logs/tables/table_x2.log",
    params:
        kinds=[[kind.id, kind.label] for kind in CONFIG.kinds],
        references=REFERENCE_FILES,
        seed=CONFIG.seed,
        draws=CONFIG.intervals.draws,
    script:
        "../scripts/table_x2.py"


rule table_x3:
    """Table x3: Machine translation. How near are translations to those in the materials?"""
    input:
        scores="results/scores/mt.parquet",
        sections=expand("results/materials/original/{kind}.parquet", kind=TRANSLATED),
        questions=expand("results/questions/original/{kind}.parquet", kind=TRANSLATED),
        translations=expand(
            "results/materials/translations/{kind}.parquet", kind=TRANSLATED
        ),
        code=code_of("table_x3.py"),
    output:
        parquet="results/tables/table_x3.parquet",
        md="results/tables/table_x3.md",
        csv="results/tables/table_x3.csv",
        tex="results/tables/table_x3.tex",
        html="results/tables/table_x3.html",
    log:
        "logs/tables/table_x3.log",
    params:
        kinds=[[KINDS[kind].id, KINDS[kind].label] for kind in TRANSLATED],
        seed=CONFIG.seed,
        draws=CONFIG.intervals.draws,
    script:
        "../scripts/table_x3.py"
