# Needs: the materials folder, what recordings and PDFs gave. Makes: sections and questions in their
# own language, reference answers; one shard a kind.

QUESTION_FILES = ("questions", "answers")


rule read_sections:
    """Read the texts of a kind; what cannot be read becomes a finding. Long sections may be cut."""
    input:
        files=lambda wildcards: files_of(
            wildcards.kind, lambda name: name in (TEXT, TEXT_EN, SLIDES)
        ),
        transcripts=lambda wildcards: text_shards(wildcards.kind, "transcripts"),
        segments=lambda wildcards: (
            text_shards(wildcards.kind, "segments")
            if "slides" in cutting_rules(wildcards.kind)
            else []
        ),
        pdf_texts=lambda wildcards: pdf_shards(wildcards.kind, "pdf_texts"),
        pdf_pages=lambda wildcards: pdf_shards(wildcards.kind, "pdf_pages"),
        outlines=lambda wildcards: pdf_shards(wildcards.kind, "outlines"),
        code=code_of("read_sections.py"),
    output:
        sections="results/materials/original/{kind}.parquet",
        findings="results/validation/findings/sections-{kind}.parquet",
    log:
        "logs/read_sections/{kind}.log",
    params:
        root=str(MATERIALS),
        kind=lambda wildcards: KINDS[wildcards.kind].id,
        language=lambda wildcards: KINDS[wildcards.kind].language,
        text_from=lambda wildcards: KINDS[wildcards.kind].text_from,
        sub_kinds=lambda wildcards: [
            [sub.id, sub.folders] for sub in KINDS[wildcards.kind].sub_kinds
        ],
        sectioning=lambda wildcards: (
            KINDS[wildcards.kind].sectioning
            and KINDS[wildcards.kind].sectioning.model_dump()
        ),
        # A section with questions is never cut, so a new file of them must be seen.
        whole=lambda wildcards: (
            files_of(wildcards.kind, lambda name: name.startswith(QUESTION_FILES))
            if cutting_rules(wildcards.kind)
            else []
        ),
    script:
        "../scripts/read_sections.py"


rule read_questions:
    """Read the question sets of a kind, the experts' and the teams', and their reference answers."""
    input:
        files=lambda wildcards: files_of(
            wildcards.kind, lambda name: name.startswith("questions")
        ),
        code=code_of("read_questions.py"),
    output:
        questions="results/questions/original/{kind}.parquet",
        findings="results/validation/findings/questions-{kind}.parquet",
    log:
        "logs/read_questions/{kind}.log",
    params:
        root=str(MATERIALS),
        kind=lambda wildcards: KINDS[wildcards.kind].id,
        language=lambda wildcards: KINDS[wildcards.kind].question_language
        or KINDS[wildcards.kind].language,
        teams=[
            *([s.team_name, s.submission] for s in CONFIG.of_role("teacher")),
            *(
                [SUBMITTED[key].team, SUBMITTED[key].submission]
                for key in submitted_of("teacher")
            ),
        ],
    script:
        "../scripts/read_questions.py"


rule check_materials_root:
    """Find folders of the materials root that no kind names, and models without recorded replies."""
    input:
        code=code_of("check_materials_root.py"),
    output:
        findings="results/validation/findings/root.parquet",
    log:
        "logs/check_materials_root.log",
    params:
        root=str(MATERIALS),
        kinds=[kind.id for kind in CONFIG.kinds],
        folders=sorted(entry.name for entry in MATERIALS.iterdir() if entry.is_dir()),
        silent=[
            system.id for system in CONFIG.systems if slug(system.id) not in SYSTEMS
        ],
    script:
        "../scripts/check_materials_root.py"


rule collect_released_answers:
    """Take the files of answers in the materials into one artifact.

    There may be thousands, and Snakemake looks at each input of a job once for each of its outputs.
    """
    input:
        files=RELEASED_ANSWERS,
        code=code_of("collect_released_answers.py"),
    output:
        released="results/materials/released_answers.parquet",
    log:
        "logs/collect_released_answers.log",
    params:
        root=str(MATERIALS),
    script:
        "../scripts/collect_released_answers.py"


rule collect_reference_answers:
    """Take the golden answers, and the Teachers' own reference answers, as rows of answers."""
    input:
        questions=expand(
            "results/questions/{source}/{{kind}}.parquet", source=QUESTION_SOURCES
        ),
        # What Evaluators were sent wins.
        released=lambda wildcards: released_references(wildcards.kind),
        manifest=lambda wildcards: (
            RELEASE_FILES if released_references(wildcards.kind) else []
        ),
        code=code_of("collect_reference_answers.py"),
    output:
        answers="results/answers/reference/{kind}.parquet",
    log:
        "logs/collect_reference_answers/{kind}.log",
    params:
        root=str(MATERIALS),
    script:
        "../scripts/collect_reference_answers.py"
