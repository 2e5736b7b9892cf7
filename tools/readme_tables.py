"""Put the tables of the default run into README.md, between their markers.

``python tools/readme_tables.py`` reads results/tables, so the default run comes first (make readme
does both).
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"(<!-- (table_\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def fill(text: str, tables: Path) -> str:
    """Return the text with each marked block replaced by its table's Markdown."""

    def block(match: re.Match[str]) -> str:
        table = (tables / f"{match[2]}.md").read_text(encoding="utf-8").strip()
        return f"{match[1]}{table}\n{match[3]}"

    return BLOCK.sub(block, text)


def main() -> int:
    """Rewrite README.md; return the exit status."""
    readme = ROOT / "README.md"
    before = readme.read_text(encoding="utf-8")
    if not BLOCK.search(before):
        print(f"{readme}: no <!-- table_NN --> block found", file=sys.stderr)
        return 1
    readme.write_text(fill(before, ROOT / "results" / "tables"), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
