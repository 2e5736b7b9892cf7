# What every rule file uses: the validated configuration, lookups from slugs to names, the wildcard
# constraints made of them, and code_of.
#
# Nothing here reads the content of a file; only names are listed while the DAG is made.
from functools import lru_cache
import re

from sensemaking.code_closure import code_of as closure_of
from sensemaking.config import ConfigError, validate
from sensemaking.ids import slug, unique_slugs
from sensemaking.io.materials import scan
from sensemaking.paths import resolve

try:
    CONFIG = validate(config)
    MATERIALS = resolve(
        CONFIG.materials.root, [Path.cwd(), CODE_FOLDER], key="materials.root"
    )
except (ConfigError, FileNotFoundError) as error:
    raise WorkflowError(str(error)) from None

# Slug to the object of the configuration.
KINDS = {slug(kind.id): kind for kind in CONFIG.kinds}
SYSTEMS = {slug(system.id): system for system in CONFIG.systems}
TEACHERS = [
    key for key, s in SYSTEMS.items() if s.role == "teacher" and s.engine != "materials"
]
STUDENTS = [key for key, s in SYSTEMS.items() if s.role == "student"]
EVALUATORS = [key for key, s in SYSTEMS.items() if s.role == "evaluator"]
# Where rows of questions come from.
QUESTION_SOURCES = ["materials", *TEACHERS]

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
STUDENT_TEAMS = [[SYSTEMS[key].team_name, SYSTEMS[key].submission] for key in STUDENTS]


def one_of(names):
    """Return the regular expression that matches these names and nothing else."""
    return "|".join(re.escape(name) for name in sorted(names)) or "(?!)"


wildcard_constraints:
    kind=one_of(KINDS),
    teacher=one_of(TEACHERS),
    student=one_of(STUDENTS),
    evaluator=one_of(EVALUATORS),
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
