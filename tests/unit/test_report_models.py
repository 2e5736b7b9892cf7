"""The report says what comes from a language model: by which, when, and with what statuses."""

import pandas as pd
from tests.conftest import ROOT

from sensemaking.report import render_index

TEMPLATE = (ROOT / "resources/report/index.html.jinja").read_text(encoding="utf-8")
SYSTEMS = pd.DataFrame(
    [
        {
            "system": "mini",
            "role": "student",
            "label": "Mini",
            "team": "mini",
            "submission": "PRIMARY",
            "origin": "recorded",
        }
    ]
)
SECTIONS = pd.DataFrame(
    columns=["kind", "text_en", "n_words_en", "text_origin", "text_en_origin", "status"]
)
RATINGS = pd.DataFrame(columns=["evaluator", "rating"])
FINDINGS = pd.DataFrame(columns=["severity", "code", "file", "json_pointer", "message"])


def page(replies: dict[str, pd.DataFrame]) -> str:
    frames = (SYSTEMS, SECTIONS, RATINGS, FINDINGS)
    return render_index(TEMPLATE, [], *frames, seed=1, replies=replies)


def test_recorded_rows_are_named_with_model_prompt_days_and_counts() -> None:
    raw = pd.DataFrame(
        [
            ("qwen", "student v1", "ok", "2026-11-30T10:00:00+00:00", 100, 20),
            ("qwen", "student v1", "ok", "2026-12-01T09:00:00+00:00", 50, 5),
            (None, "student v1", "not_recorded", None, None, None),
        ],
        columns=[
            *("model", "prompt", "status", "replied_at", "prompt_tokens", "completion_tokens")
        ],
    )
    found = page({"mini": raw})
    row = found.partition('id="models"')[2].partition("</section>")[0]
    assert "<td>mini</td><td>recorded</td><td>qwen 2</td><td>student v1 3</td>" in row
    assert '<td class="n">3</td><td>not_recorded 1, ok 2</td>' in row
    assert "<td>2026-11-30 to 2026-12-01</td>" in row
    assert '<td class="n">150</td><td class="n">25</td>' in row


def test_without_a_language_model_the_page_has_no_such_part() -> None:
    assert "Language models" not in page({})
