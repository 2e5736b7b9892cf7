"""Which files of the package a script runs, so that a rule can declare them as inputs.

Snakemake reruns a rule when a declared input has other content. It does not see what a script
imports; declared through ``code_of``, an edit two imports away reruns exactly the rules that use
the module, and a touch reruns nothing.
"""

import ast
import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path


def code_of(*targets: str | Path, source_root: str | Path) -> list[str]:
    """Return the files that the targets import, directly or not, sorted.

    Imports anywhere in a file count, those inside functions too. Packages' ``__init__.py`` files
    on the way count, since importing a module runs them, and so do modules that lie beside a
    script. What lies elsewhere (the standard library, installed packages) is left out, and so are
    the targets that are scripts, which Snakemake watches itself. Modules that are imported by a
    name made at run time are not seen.

    Args:
        targets: Dotted module names below ``source_root``, or paths of Python files.
        source_root: The folder that holds the package's folder, ``src``.

    Raises:
        FileNotFoundError: A target does not exist.
        SyntaxError: A file is not Python; the message names it.
    """
    root = Path(source_root).resolve()
    # Listed once, since looking for each file by itself takes longer than all the rest; as text,
    # since thousands of comparisons of paths are dear.
    present = {str(root): frozenset(map(str, root.rglob("*.py")))}
    scripts: set[str] = set()
    # Each file to look at, with the folders that its imports are looked for in.
    pending: list[tuple[str, tuple[str, ...]]] = []
    for target in targets:
        if isinstance(target, Path) or target.endswith(".py"):
            script = Path(target).resolve()
            if not script.is_file():
                raise FileNotFoundError(f"no such script: {target}")
            bases: tuple[str, ...] = (str(root),)
            if not script.is_relative_to(root):
                bases = (str(root), str(script.parent))
                scripts.add(str(script))
                present[bases[1]] = frozenset(map(str, script.parent.glob("*.py")))
            pending.append((str(script), bases))
        elif present[str(root)].isdisjoint(_own_files(target, str(root))):
            raise FileNotFoundError(f"no module {target!r} below {root}")
        else:
            found = _files_of_module(target, str(root)) & present[str(root)]
            pending += [(file, (str(root),)) for file in found]
    seen: set[str] = set()
    while pending:
        file, bases = pending.pop()
        if file in seen:
            continue
        seen.add(file)
        for module in _imported_modules(file, str(root)):
            for base in bases:
                found = _files_of_module(module, base) & present[base]
                pending += [(inner, bases) for inner in found]
    return sorted(seen - scripts)


def _own_files(module: str, base: str) -> frozenset[str]:
    place = os.path.join(base, *module.split("."))
    return frozenset({f"{place}.py", os.path.join(place, "__init__.py")})


@lru_cache(maxsize=4096)
def _files_of_module(module: str, base: str) -> frozenset[str]:
    """Return where the module and the packages around it would lie."""
    parts = module.split(".")
    depths = range(1, len(parts) + 1)
    return frozenset().union(*(_own_files(".".join(parts[:depth]), base) for depth in depths))


def _imported_modules(file: str, root: str) -> frozenset[str]:
    # Many rules share most of their files, and parsing takes the most time.
    status = os.stat(file)
    return _parsed_imports(file, root, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=4096)
def _parsed_imports(file: str, root: str, _mtime_ns: int, _size: int) -> frozenset[str]:
    try:
        tree = ast.parse(Path(file).read_bytes(), filename=file)
    except (SyntaxError, ValueError) as error:
        # Not all of Python's own messages name the file.
        raise SyntaxError(f"{file} is not Python: {error}; mend or remove it") from error
    modules: set[str] = set()
    for node in _statements(tree):
        if isinstance(node, ast.Import):
            modules.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(node, Path(file), Path(root))
            # An imported name may be a module itself; what is none has no file and drops out.
            modules.update(f"{base}.{alias.name}".lstrip(".") for alias in node.names)
    return frozenset(modules - {""})


def _statements(tree: ast.Module) -> Iterator[ast.AST]:
    """Give the statements at every depth: imports are such, and expressions are most of a file."""
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        yield node
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            pending += getattr(node, part, ())


def _absolute(node: ast.ImportFrom, file: Path, root: Path) -> str:
    if not node.level:
        return node.module or ""
    package = list(file.relative_to(root).parent.parts) if file.is_relative_to(root) else []
    kept = package[: max(0, len(package) - node.level + 1)]
    return ".".join([*kept, *([node.module] if node.module else [])])
