# Needs: the submissions folder; sections, questions and answers that it refers to. Makes: questions,
# answers and ratings of the submitted systems, findings, repairs, and what of each submission counts.
# One job reads a submission and writes the shards of all kinds, as later rules expect them.


def submission_params(wildcard):
    """Return the params that the three rules of submissions share, by the wildcard's name."""

    def source(wildcards):
        system = SUBMITTED[getattr(wildcards, wildcard)]
        return {
            "system": system.id,
            "role": system.role,
            "label": system.label,
            "team": system.team,
            "submission": system.submission,
            "path": system.path and str(system.path),
            "file": system.file,
        }

    return source


def submission_file(wildcard):
    """Return the input function of a submission: its file, if there is one."""
    return lambda wildcards: [
        str(path)
        for path in [SUBMITTED[getattr(wildcards, wildcard)].path]
        if path is not None
    ]


def released_by_submitted(slug):
    """Return the released files with genuine answers of a submitted Student."""
    return released_of(SUBMITTED[slug].team, SUBMITTED[slug].submission)


# What of a submission counts, as plain values.
SUBMISSION_CHOICES = {
    "repairs": CONFIG.submissions.repairs,
    "undone": CONFIG.submissions.undone_repairs,
    "min_valid_share": CONFIG.submissions.min_valid_share,
}


rule read_submitted_questions:
    """Read the questions that a Teacher submitted, repair what is certain, refuse the rest."""
    input:
        file=submission_file("submitted_teacher"),
        # Nothing here hangs on texts, so that an edit of one asks no Teacher anew.
        cut=expand(
            "results/materials/original/{kind}.parquet",
            kind=[kind for kind in KINDS if cutting_rules(kind)],
        ),
        released=expand("results/questions/original/{kind}.parquet", kind=KINDS),
        code=code_of("read_submitted_questions.py"),
    output:
        questions=expand(
            "results/questions/{{submitted_teacher}}/{kind}.parquet", kind=KINDS
        ),
        findings="results/validation/findings/submissions/{submitted_teacher}.parquet",
        repairs="results/validation/repairs/{submitted_teacher}.parquet",
        summary="results/validation/submissions/{submitted_teacher}.parquet",
    log:
        "logs/read_submitted_questions/{submitted_teacher}.log",
    params:
        source=submission_params("submitted_teacher"),
        choices=SUBMISSION_CHOICES,
        kinds=[kind.id for kind in CONFIG.kinds],
        whole=[
            folder.section_id
            for kind in KINDS
            if not cutting_rules(kind)
            for folder in folders_of(kind)
        ],
        root=str(MATERIALS),
        other_kinds=OTHER_KINDS,
    script:
        "../scripts/read_submitted_questions.py"


rule read_submitted_answers:
    """Read the answers that a Student submitted, and join them to the questions."""
    input:
        file=submission_file("submitted_student"),
        sections=expand("results/materials/sections/{kind}.parquet", kind=KINDS),
        questions=expand(
            "results/questions/{source}/{kind}.parquet",
            source=QUESTION_SOURCES,
            kind=KINDS,
        ),
        # What Evaluators were sent.
        released=lambda wildcards: released_by_submitted(wildcards.submitted_student),
        manifest=RELEASE_FILES,
        code=code_of("read_submitted_answers.py"),
    output:
        answers=expand(
            "results/answers/{{submitted_student}}/{kind}.parquet", kind=KINDS
        ),
        findings="results/validation/findings/submissions/{submitted_student}.parquet",
        repairs="results/validation/repairs/{submitted_student}.parquet",
        summary="results/validation/submissions/{submitted_student}.parquet",
    log:
        "logs/read_submitted_answers/{submitted_student}.log",
    params:
        source=submission_params("submitted_student"),
        choices=SUBMISSION_CHOICES,
        kinds=[kind.id for kind in CONFIG.kinds],
        root=str(MATERIALS),
        other_kinds=OTHER_KINDS,
        students=STUDENT_TEAMS,
    script:
        "../scripts/read_submitted_answers.py"


rule read_submitted_ratings:
    """Read the ratings that an Evaluator submitted, and join them to the answers."""
    input:
        file=submission_file("submitted_evaluator"),
        sections=expand("results/materials/sections/{kind}.parquet", kind=KINDS),
        questions=expand(
            "results/questions/{source}/{kind}.parquet",
            source=QUESTION_SOURCES,
            kind=KINDS,
        ),
        answers=expand(
            "results/answers/{source}/{kind}.parquet",
            source=["reference", *STUDENTS],
            kind=KINDS,
        ),
        # Ratings belong to the items of a file in its own order.
        released="results/materials/released_answers.parquet",
        manifest=RELEASE_FILES,
        code=code_of("read_submitted_ratings.py"),
    output:
        ratings=expand(
            "results/ratings/{{submitted_evaluator}}/{kind}.parquet", kind=KINDS
        ),
        findings="results/validation/findings/submissions/{submitted_evaluator}.parquet",
        repairs="results/validation/repairs/{submitted_evaluator}.parquet",
        summary="results/validation/submissions/{submitted_evaluator}.parquet",
    log:
        "logs/read_submitted_ratings/{submitted_evaluator}.log",
    params:
        source=submission_params("submitted_evaluator"),
        choices={**SUBMISSION_CHOICES, "rescale": CONFIG.submissions.rescale},
        kinds=[kind.id for kind in CONFIG.kinds],
        root=str(MATERIALS),
        other_kinds=OTHER_KINDS,
        students=STUDENT_TEAMS,
    script:
        "../scripts/read_submitted_ratings.py"


rule leave_out_systems:
    """Mark the systems of a track whose submissions are not valid enough for the tables."""
    input:
        systems="results/systems.parquet",
        submissions=lambda wildcards: expand(
            "results/validation/submissions/{system}.parquet",
            system=submitted_of(wildcards.role),
        ),
        code=code_of("leave_out_systems.py"),
    output:
        systems="results/systems/{role}.parquet",
    log:
        "logs/leave_out_systems/{role}.log",
    params:
        role=lambda wildcards: wildcards.role,
    script:
        "../scripts/leave_out_systems.py"


rule check_submissions_root:
    """Tell which files of the submissions folder cannot be used, by their names."""
    input:
        code=code_of("check_submissions_root.py"),
    output:
        findings="results/validation/findings/submissions.parquet",
    log:
        "logs/check_submissions_root.log",
    params:
        found=[
            finding.row()
            for finding in [
                *(SUBMISSION_FILES.findings if SUBMISSION_FILES else ()),
                *SUBMITTED_SYSTEMS.findings,
            ]
        ],
    script:
        "../scripts/check_submissions_root.py"
