"""Drawing with matplotlib so that equal data give equal bytes."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from matplotlib import rc_context, rcdefaults, rcParams
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

INK, DIM, LINE, ACCENT, SECOND = "#1c2733", "#5a6b7b", "#d6dee6", "#0b5c8a", "#c25a00"

_STYLE: dict[Any, Any] = {
    # Ids of elements are hashes with this salt, else with a random one.
    "svg.hashsalt": "sensemaking",
    # Letters stay text, which any reader of the page can search, in any script.
    "svg.fonttype": "none",
    "font.family": ["DejaVu Sans"],
    "font.size": 9.0,
    # Labels come from users, and a dollar sign in them is no formula.
    "text.parse_math": False,
    "axes.edgecolor": LINE,
    "axes.labelcolor": INK,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "xtick.color": DIM,
    "ytick.color": INK,
    "text.color": INK,
    "legend.frameon": False,
}


@contextmanager
def canvas(width: float, height: float) -> Iterator[Figure]:
    """Give a figure to draw on, by the project's style and not by that of the machine.

    Args:
        width: In inches.
        height: In inches.
    """
    with rc_context():
        # What is drawn must not depend on a matplotlibrc of the user.
        rcdefaults()
        rcParams.update(_STYLE)
        figure = Figure(figsize=(width, height))
        FigureCanvasSVG(figure)
        yield figure


def to_svg(figure: Figure) -> str:
    """Return the figure as SVG without dates or versions; call it within ``canvas``."""
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    return buffer.getvalue()


def rows_of(axes: Axes, labels: list[str], *, shown: bool = True) -> None:
    """Make an axis of named rows, the first on top."""
    axes.set_ylim(max(1, len(labels)) - 0.5, -0.5)
    axes.set_yticks(range(len(labels)), labels if shown else [""] * len(labels))
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color=LINE, linewidth=0.6)
    axes.set_axisbelow(True)
