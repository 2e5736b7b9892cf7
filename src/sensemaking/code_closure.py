"""Which files of the package a script runs, so that a rule can declare them as inputs.

Snakemake reruns a rule when a declared input has other content. It does not see what a script
imports; declared through ``code_of``, an edit two imports away reruns exactly the rules that use
the module, and a touch reruns nothing.
"""

import ast
from pathlib import Path


def code_of(*targets: str | Path, source_root: str | Path) -> list[str]:
    """Return the package files that the targets import, directly or not, sorted.

    Imports anywhere in a file count, those inside functions too. Packages' ``__init__.py`` files
    on the way count, since importing a module runs them. What lies outside ``source_root`` (the
    standard library, installed packages, a script itself) is left out.

    Args:
        targets: Dotted module names below ``source_root``, or paths of Python files.
        source_root: The folder that holds the package's folder, ``src``.

    Raises:
        FileNotFoundError: A target does not exist.
    """
    root = Path(source_root).resolve()
    pending: list[Path] = []
    for target in targets:
        pending.extend(_files_of_target(target, root))
    seen: set[Path] = set()
    while pending:
        file = pending.pop()
        if file in seen:
            continue
        seen.add(file)
        for module in _imported_modules(file, root):
            pending.extend(_files_of_module(module, root))
    return sorted(str(file) for file in seen if file.is_relative_to(root))


def _files_of_target(target: str | Path, root: Path) -> list[Path]:
    if isinstance(target, Path) or target.endswith(".py"):
        path = Path(target).resolve()
        if not path.is_file():
            raise FileNotFoundError(f"no such script: {target}")
        return [path]
    files = _files_of_module(target, root)
    if not files or not _is_module(target, root):
        raise FileNotFoundError(f"no module {target!r} below {root}")
    return files


def _is_module(module: str, root: Path) -> bool:
    base = root.joinpath(*module.split("."))
    return base.with_suffix(".py").is_file() or (base / "__init__.py").is_file()


def _files_of_module(module: str, root: Path) -> list[Path]:
    """Return the module's own file and those of the packages around it, as far as they exist."""
    files = []
    parts = module.split(".")
    for depth in range(1, len(parts) + 1):
        base = root.joinpath(*parts[:depth])
        files += [
            file for file in (base.with_suffix(".py"), base / "__init__.py") if file.is_file()
        ]
    return files


def _imported_modules(file: Path, root: Path) -> set[str]:
    tree = ast.parse(file.read_bytes(), filename=str(file))
    modules: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(node, file, root)
            # An imported name may be a module itself; what is none has no file and drops out.
            modules.add(base)
            modules.update(f"{base}.{alias.name}" for alias in node.names)
    return modules


def _absolute(node: ast.ImportFrom, file: Path, root: Path) -> str:
    if not node.level:
        return node.module or ""
    package = list(file.relative_to(root).parent.parts) if file.is_relative_to(root) else []
    kept = package[: len(package) - node.level + 1]
    return ".".join([*kept, *([node.module] if node.module else [])])
