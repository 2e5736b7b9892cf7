# Needs: the materials folder. Makes: sections, questions and reference answers, one shard a kind.


rule read_sections:
    """Read the texts of a kind into materials/sections; what cannot be read becomes a finding."""
    input:
        files=lambda wildcards: files_of(
            wildcards.kind, lambda name: not name.endswith(".json")
        ),
        code=code_of("read_sections.py"),
    output:
        sections="results/materials/sections/{kind}.parquet",
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
        questions="results/questions/materials/{kind}.parquet",
        findings="results/validation/findings/questions-{kind}.parquet",
    log:
        "logs/read_questions/{kind}.log",
    params:
        root=str(MATERIALS),
        kind=lambda wildcards: KINDS[wildcards.kind].id,
        language=lambda wildcards: KINDS[wildcards.kind].question_language
        or KINDS[wildcards.kind].language,
        teams=[[s.team_name, s.submission] for s in CONFIG.of_role("teacher")],
    script:
        "../scripts/read_questions.py"


rule check_materials_root:
    """Find folders below the materials root that no kind of the configuration names."""
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
    script:
        "../scripts/check_materials_root.py"


rule collect_reference_answers:
    """Take the golden answers, and the Teachers' own reference answers, as rows of answers."""
    input:
        questions=expand(
            "results/questions/{source}/{{kind}}.parquet", source=QUESTION_SOURCES
        ),
        code=code_of("collect_reference_answers.py"),
    output:
        answers="results/answers/reference/{kind}.parquet",
    log:
        "logs/collect_reference_answers/{kind}.log",
    script:
        "../scripts/collect_reference_answers.py"
