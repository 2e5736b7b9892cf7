"""How long the default run takes cold, and how long a run with nothing to do.

``python bench/bench_default_run.py [CORES]`` runs in a temporary folder. There is no peer: the
ratio is that of the whole run to the no-op run. The processor time tells how busy the machine was.
"""

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]


def run(folder: str, cores: str) -> tuple[float, float]:
    """Return wall seconds and processor seconds of one run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile")]
    done = subprocess.run(
        [*command, "--directory", folder, "--cores", cores], capture_output=True, text=True
    )
    wall = time.perf_counter() - start
    if done.returncode:
        sys.exit(done.stderr)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, used


def main() -> None:
    cores = sys.argv[1] if len(sys.argv) > 1 else "2"
    with tempfile.TemporaryDirectory() as folder:
        cold, cold_used = run(folder, cores)
        again, again_used = run(folder, cores)
    print(f"| default run, {cores} cores | wall s | processor s |\n|---|---|---|")
    print(f"| cold | {cold:.1f} | {cold_used:.1f} |")
    print(f"| nothing to do | {again:.1f} | {again_used:.1f} |")
    print(f"| ratio | {cold / again:.1f} | {cold_used / again_used:.1f} |")


if __name__ == "__main__":
    main()
