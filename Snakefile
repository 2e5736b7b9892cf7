# The whole pipeline. Rules lie in rules/, one stage a file; `snakemake --list` is a table of
# contents. Code, resources and config.yaml come from this folder; results/, logs/ and benchmarks/
# lie in the working directory, so runs with different --directory do not mix.
import sys
from pathlib import Path

from snakemake.utils import min_version

min_version("9.27.1")

CODE_FOLDER = Path(workflow.basedir)
# Snakemake passes its own sys.path on to scripts, which so find the package without installing.
sys.path.insert(0, str(CODE_FOLDER / "src"))


configfile: CODE_FOLDER / "config.yaml"


include: "rules/common.smk"
include: "rules/recordings.smk"
include: "rules/pdfs.smk"
include: "rules/materials.smk"
include: "rules/translation.smk"
include: "rules/windows.smk"
include: "rules/baselines.smk"
include: "rules/submissions.smk"
include: "rules/adversarial.smk"
include: "rules/llm.smk"
include: "rules/systems.smk"
include: "rules/scores.smk"
include: "rules/estimates.smk"
include: "rules/tables_teacher.smk"
include: "rules/tables_student.smk"
include: "rules/tables_extra.smk"
include: "rules/verifiable.smk"
include: "rules/tables_verifiable.smk"
include: "rules/report.smk"
include: "rules/provenance.smk"


rule all:
    """Everything: all tables, the report, and the record of the run."""
    default_target: True
    input:
        report="results/report/index.html",
        manifest="results/manifest.json",
        config="results/config.yaml",
