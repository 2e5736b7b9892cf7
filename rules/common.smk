# What every rule file uses: the validated configuration, lookups from slugs to names, the wildcard
# constraints made of them, and code_of.
#
# Nothing here reads the content of a file; only names are listed while the DAG is made.
from functools import lru_cache
import re

from sensemaking.code_closure import code_of as closure_of
from sensemaking.config import ConfigError, validate
from sensemaking.ids import nfc, slug, unique_slugs
from sensemaking.io.materials import SLIDES, TEXT, TEXT_EN, TRANSCRIPT, scan
from sensemaking.modalities import (
    pdfs_to_read,
    recording_of,
    recordings_to_transcribe,
    shards_with_texts,
)
from sensemaking.paths import resolve
from sensemaking.io.release import MANIFEST, is_answer_of, is_reference
from sensemaking.io.submission_files import list_submissions
from sensemaking.config_systems import LLM, RESERVED_SYSTEMS
from sensemaking.config_submissions import BESIDE
from sensemaking.submitted_systems import submitted_systems

BASES = [Path.cwd(), CODE_FOLDER]

try:
    CONFIG = validate(config)
    MATERIALS = resolve(CONFIG.materials.root, BASES, key="materials.root")
    # As plain values, each file by its path on disk.
    MT_ENGINES = [
        {
            **engine.model_dump(),
            "file": engine.file
            and str(resolve(engine.file, BASES, key="mt.engines.file", is_file=True)),
        }
        for engine in CONFIG.mt.engines
    ]
    # None where nothing was submitted.
    SUBMISSIONS_ROOT = MATERIALS.parent / "submissions"
    if CONFIG.submissions.root != BESIDE:
        SUBMISSIONS_ROOT = CONFIG.submissions.root and resolve(
            CONFIG.submissions.root, BASES, key="submissions.root"
        )
    SENTENCES = resolve(
        CONFIG.adversarial.sentences,
        BASES,
        key="adversarial.sentences",
        is_file=True,
    )
    # None where no replies of language models were recorded.
    RECORDED_LLM = MATERIALS.parent / "journals"
    if CONFIG.llm.recorded != BESIDE:
        RECORDED_LLM = CONFIG.llm.recorded and resolve(
            CONFIG.llm.recorded, BASES, key="llm.recorded"
        )
except (ConfigError, FileNotFoundError) as error:
    raise WorkflowError(str(error)) from None

# Slug to the object of the configuration.
KINDS = {slug(kind.id): kind for kind in CONFIG.kinds}


def recorded_journals(stage, shard):
    """Return the recorded journals of a shard: its own, and those of parts of it."""
    if RECORDED_LLM is None:
        return []
    path = RECORDED_LLM / stage / f"{shard}.jsonl"
    parts = sorted((RECORDED_LLM / stage / shard).glob("*.jsonl"))
    return [str(one) for one in (path, *parts) if one.is_file()]


def llm_endpoint(mode=None):
    """Return how many of the live jobs that may run at a time a job is (a limit of the profile)."""
    return int((mode or CONFIG.llm.mode) != "replay")


def has_replies(system):
    """Return whether a system can say anything: a replay without a journal cannot."""
    key = slug(system.id)
    return (
        system.engine != LLM
        or CONFIG.llm.mode != "replay"
        or bool(recorded_journals(system.role, key))
        or Path(f"journals/{system.role}/{key}.jsonl").is_file()
        or any(Path(f"journals/{system.role}/{key}").glob("*.jsonl"))
    )


SYSTEMS = {slug(system.id): system for system in CONFIG.systems if has_replies(system)}
SUBMISSION_FILES = (
    list_submissions(SUBMISSIONS_ROOT)
    if SUBMISSIONS_ROOT is not None and SUBMISSIONS_ROOT.is_dir()
    else None
)
SUBMITTED_SYSTEMS = submitted_systems(
    SUBMISSION_FILES.files if SUBMISSION_FILES else (),
    [
        {
            "id": s.id,
            "role": s.role,
            "label": s.shown,
            "team": s.team_name,
            "submission": s.submission,
            "engine": s.engine,
            "published_label": s.published_label,
        }
        for s in SYSTEMS.values()
    ],
    RESERVED_SYSTEMS,
)
# Slug to what was submitted.
SUBMITTED = {system.slug: system for system in SUBMITTED_SYSTEMS.systems}


def submitted_of(role):
    """Return the slugs of the submitted systems of a track."""
    return [key for key, system in SUBMITTED.items() if system.role == role]


def programs_of(role):
    """Return the slugs of the systems of a track that a program plays."""
    return [key for key, s in SYSTEMS.items() if s.role == role and s.is_program]


def llm_of(role):
    """Return the slugs of the systems of a track that a language model plays."""
    return [key for key, s in SYSTEMS.items() if s.role == role and s.engine == LLM]


def baselines_of(role):
    """Return the slugs of the systems of a track that the run itself plays."""
    return [*programs_of(role), *llm_of(role)]


TEACHERS = [*baselines_of("teacher"), *submitted_of("teacher")]
STUDENTS = [*baselines_of("student"), *submitted_of("student")]
EVALUATORS = [*baselines_of("evaluator"), *submitted_of("evaluator")]
# Where rows of questions come from.
QUESTION_SOURCES = ["materials", *TEACHERS]
# The manifest of a release, which tells which of its files have changed since.
RELEASE_FILES = [str(path) for path in [MATERIALS / MANIFEST] if path.is_file()]

NAMED_STUDENT = CONFIG.student_metrics.named_student
if NAMED_STUDENT is not None and NAMED_STUDENT not in {
    *(s.id for s in SYSTEMS.values() if s.role == "student"),
    *(SUBMITTED[key].id for key in submitted_of("student")),
}:
    raise WorkflowError(
        f"student_metrics.named_student is {NAMED_STUDENT!r}, but neither the configuration nor "
        "the submissions folder has a student of that name"
    )

# As plain values, for params.
KIND_COLUMNS = [
    {
        "kind": kind.id,
        "label": kind.label,
        "sub_kinds": {sub.id: sub.title or sub.id for sub in kind.sub_kinds},
    }
    for kind in CONFIG.kinds
]
KIND_GROUPS = [[kind.id, [sub.id for sub in kind.sub_kinds]] for kind in CONFIG.kinds]
STUDENT_TEAMS = [
    *(
        [SYSTEMS[key].team_name, SYSTEMS[key].submission]
        for key in baselines_of("student")
    ),
    *(
        [SUBMITTED[key].team, SUBMITTED[key].submission]
        for key in submitted_of("student")
    ),
]


def one_of(names):
    """Return the regular expression that matches these names and nothing else."""
    return "|".join(re.escape(name) for name in sorted(names)) or "(?!)"


wildcard_constraints:
    kind=one_of(KINDS),
    evaluator=one_of(programs_of("evaluator")),
    llm_teacher=one_of(llm_of("teacher")),
    llm_student=one_of(llm_of("student")),
    llm_evaluator=one_of(llm_of("evaluator")),
    submitted_teacher=one_of(submitted_of("teacher")),
    submitted_student=one_of(submitted_of("student")),
    submitted_evaluator=one_of(submitted_of("evaluator")),
    role=one_of(["teacher", "student", "evaluator"]),
    source=one_of(QUESTION_SOURCES),


def code_of(script):
    """Return the files of the package that a script imports, directly or not."""
    return closure_of(CODE_FOLDER / "scripts" / script, source_root=CODE_FOLDER / "src")


@lru_cache(maxsize=None)
def folders_of(kind_slug):
    """Return the section folders of a kind; only their names are read."""
    return scan(MATERIALS, KINDS[kind_slug].id).folders


def files_of(kind_slug, wanted):
    """Return the paths of the files of a kind whose name is wanted, sorted."""
    return sorted(
        str(path)
        for folder in folders_of(kind_slug)
        for name, path in folder.files.items()
        if wanted(name)
    )


def llm_choices(model_id, mode=None):
    """Return a language model's settings and how it is asked, as plain values for params."""
    return {
        "model": CONFIG.llm.model_of(model_id).model_dump(mode="json"),
        "mode": mode or CONFIG.llm.mode,
        "strict": CONFIG.llm.strict,
    }


def prompt_file(name, key):
    """Return the path of a prompt: by its name in resources/prompts, or by its own path."""
    folders = (
        BASES
        if name.endswith(".md")
        else [base / "resources/prompts" for base in BASES]
    )
    file = name if name.endswith(".md") else f"{name}.md"
    try:
        return str(resolve(file, folders, key=key, is_file=True))
    except FileNotFoundError as error:
        raise WorkflowError(str(error)) from None


def runs_here(model_id, mode=None):
    """Return whether a job loads the model, which takes all cores."""
    live = (mode or CONFIG.llm.mode) != "replay"
    return live and CONFIG.llm.model_of(model_id).base_url == "local"


# Files of answers that were released to Evaluators.
RELEASED_ANSWERS = [
    path
    for kind in KINDS
    for path in files_of(kind, lambda name: name.startswith("answers_by_"))
]


def released_of(team, submission, kind_slugs=tuple(KINDS)):
    """Return the released files with genuine answers of a Student."""
    return [
        path
        for kind in kind_slugs
        for path in files_of(kind, lambda name: is_answer_of(name, team, submission))
    ]


def released_references(kind_slug):
    """Return the released files with golden answers, or reference answers, of a kind."""
    return files_of(kind_slug, is_reference)


# Kinds that the materials hold and the configuration leaves out.
OTHER_KINDS = sorted(
    {nfc(entry.name) for entry in MATERIALS.iterdir() if entry.is_dir()}
    - {nfc(kind.id) for kind in CONFIG.kinds}
)
