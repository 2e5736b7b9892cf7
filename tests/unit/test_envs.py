"""The conda environments name what the lock names."""

from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]


def _lock() -> dict[str, str]:
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    return dict(line.split("==") for line in lines if line and not line.startswith("#"))


@pytest.mark.parametrize("path", sorted((ROOT / "envs").glob("*.yaml")), ids=lambda p: p.name)
def test_every_pin_of_an_environment_is_that_of_the_lock(path: Path) -> None:
    dependencies = yaml.safe_load(path.read_text(encoding="utf-8"))["dependencies"]
    (pins,) = (entry["pip"] for entry in dependencies if isinstance(entry, dict))
    assert pins
    lock = _lock()
    assert {name: lock.get(name) for name in (p.split("==")[0] for p in pins)} == dict(
        pin.split("==") for pin in pins
    )


def test_every_direct_dependency_is_pinned_to_the_version_in_the_lock() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lock = _lock()
    wanted = dict(pin.split("==") for pin in project["dependencies"])
    assert wanted == {name: lock.get(name) for name in wanted}
