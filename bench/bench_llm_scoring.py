"""Does the expected grade tell right from wrong answers better than the grade itself?

40 right and 40 wrong answers to 40 questions about eight short texts, all written for this purpose
(bench/data/llm_scoring.json), are graded by the Evaluator baseline with the local model. Right and
wrong answers to a text stand in calls of their own, as in a run. The figure is the AUC: the share
of pairs of a right and a wrong answer in which the right one has the better grade, ties half.

Replies are kept in journals/bench/llm_scoring.jsonl of the working directory, so a second run sends
nothing. Without the weights (`python -m sensemaking.llm.weights`) nothing is measured.
"""

import argparse
import json
import statistics
import time
from pathlib import Path

from sklearn.metrics import roc_auc_score

from sensemaking.baselines.llm_evaluator import evaluator_prompt, parse, prepare
from sensemaking.ids import GENUINE, answer_id, question_id
from sensemaking.llm import LanguageModel, session
from sensemaking.llm.calls import ask_all
from sensemaking.llm.weights import WeightsError, path_of

ROOT = Path(__file__).parents[1]
MODEL = "qwen2.5-coder-1.5b"

DATA = ROOT / "bench/data/llm_scoring.json"


def rows() -> tuple[list[dict], list[dict], list[dict]]:
    """Return sections, questions and answers; wrong answers are those of another student."""
    sections, questions, answers = [], [], []
    for number, entry in enumerate(json.loads(DATA.read_text(encoding="utf-8"))):
        section = f"bench/section{number}"
        sections.append({"section_id": section, "text_en": entry["text"]})
        for position, item in enumerate(entry["items"]):
            asked = question_id(section, "GOLD", "PRIMARY", position)
            questions.append({"question_id": asked, "question": item["question"]})
            for student in ("RIGHT", "WRONG"):
                answers.append(
                    {
                        "answer_id": answer_id(
                            section, student, "PRIMARY", "GOLD", "PRIMARY", position
                        ),
                        "question_id": asked,
                        "student": student,
                        "scenario": GENUINE,
                        "shown_section_id": section,
                        "answer": item[student.lower()],
                    }
                )
    return sections, questions, answers


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--threads", type=int)
    threads = options.parse_args().threads
    model = LanguageModel(
        id="local",
        model=MODEL,
        base_url="local",
        context_tokens=4096,
        max_tokens=256,
        concurrency=1,
        timeout_s=1800,
        threads=threads,
    )
    sections, questions, answers = rows()
    who = {"team": "JUDGE", "submission": "PRIMARY"}
    prompt = evaluator_prompt("evaluator", [ROOT / "resources/prompts"])
    calls = prepare(sections, questions, answers, model, prompt, **who, grade_from="expected")
    journal = Path("journals/bench/llm_scoring.jsonl")
    try:
        path_of(MODEL)
    except WeightsError as error:
        print(f"not measured: {error}")
        return
    begin = time.perf_counter()
    with session(model, journal=journal, mode="live-missing") as opened:
        raw = ask_all(opened, calls)
        tally = opened.tally()
    seconds = time.perf_counter() - begin
    print(f"{prompt.label}, {len(calls)} calls, {tally.sent} sent in {seconds:.0f} s")
    print(f"{'':10}{'AUC':>7}{'right':>8}{'wrong':>8}{'ties':>7}{'missing':>9}")
    for grade_from in ("reply", "expected"):
        ratings = parse(sections, questions, answers, raw, **who, grade_from=grade_from).rows
        by_answer = {row["answer_id"]: row["rating"] for row in ratings}
        graded = [
            (row["student"] == "RIGHT", by_answer[row["answer_id"]])
            for row in answers
            if by_answer[row["answer_id"]] is not None
        ]
        right = [rating for is_right, rating in graded if is_right]
        wrong = [rating for is_right, rating in graded if not is_right]
        ties = sum(a == b for a in right for b in wrong) / (len(right) * len(wrong))
        auc = roc_auc_score([is_right for is_right, _ in graded], [rating for _, rating in graded])
        print(
            f"{grade_from:10}{auc:7.3f}{statistics.mean(right):8.1f}{statistics.mean(wrong):8.1f}"
            f"{ties:7.2f}{len(answers) - len(graded):9d}"
        )


if __name__ == "__main__":
    main()
