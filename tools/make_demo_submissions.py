"""Makes resources/demo/submissions: what two teams and a baseline sent in, faults included.

Everything comes from the demo corpus by rules and seeded draws; resources/demo/README.md says which
fault is where. Run it again after a change of the demo's texts or questions, of the baseline
Teachers, or of the release, which in turn rests on the questions and answers that are made here:
python tools/make_demo_submissions.py
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from sensemaking.baselines import llm_teacher
from sensemaking.baselines.content_words import content_words
from sensemaking.baselines.teacher_rows import ask
from sensemaking.config import Config, validate
from sensemaking.config_systems import System
from sensemaking.ids import GENUINE, REFERENCE, answers_name, question_set_name
from sensemaking.io.decoding import decode
from sensemaking.io.files import write_text
from sensemaking.io.materials import TEXT, TEXT_EN, TRANSCRIPT, Folder, scan
from sensemaking.llm.calls import ask_all
from sensemaking.llm.sessions import session
from sensemaking.original_sections import Extractions, original_sections
from sensemaking.questions import declared_teams, read_questions
from sensemaking.sections import KindRules
from sensemaking.seeds import generator
from sensemaking.text.sentences import split

ROOT = Path(__file__).parents[1]
SEED = 20250923
QUESTIONS_OF_A_SECTION = 3
SHARE_OF_WILLOW = 0.75

QUESTIONS_OF_HERON = (
    "What is reported about {topic}?",
    "Which circumstance concerns {topic}?",
    "How does {topic} fit into the account?",
)
QUESTIONS_OF_WILLOW = (
    "Why does {topic} matter here?",
    "What follows from what is known of {topic}?",
    "Which role does {topic} play?",
)


RATED = {"": 60, "same-section": 35, "shuffled-words": 45, "swapped-section": 30}
"""Middle of the ratings of answers that are not golden, by their scenario."""

RATED_OTHERS = 10
"""That of the other adversarial scenarios."""


@dataclass(frozen=True)
class Corpus:
    """The demo corpus as the tool needs it.

    Attributes:
        sentences: Section id to the sentences of its English text; no section whose text only a
            recording or a PDF gives.
        asked: Section id to set name to the questions of the set; None where one has no text.
        references: Section id to names of sets whose questions all have a reference answer.
    """

    sentences: dict[str, list[str]]
    asked: dict[str, dict[str, list[str | None]]]
    references: dict[str, set[str]]


def main(root: Path) -> int:
    """Write the submissions below a folder."""
    config = validate(yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8")))
    corpus = read_corpus(config, ROOT / "resources/demo/materials")
    teachers = {
        "Heron": heron_questions(corpus),
        "Willow": willow_questions(corpus),
        "BASE": base_questions(corpus),
    }
    for team, questions in teachers.items():
        _write(root / team / "questions.json", questions)
        _add(corpus, team, questions)
    students = {
        "Heron": heron_answers(corpus),
        "Willow": willow_answers(corpus),
        "BASE": base_answers(corpus),
    }
    for team, answers in students.items():
        _write(root / team / "answers.json", answers)
    names = [
        *((s.team_name, s.submission) for s in config.of_role("student") if s.is_program),
        *((team, "PRIMARY") for team in students),
    ]
    released = released_files(config, ROOT / "resources/demo/materials")
    for team, scale in (("Heron", 1.0), ("Willow", 100.0), ("BASE", 100.0)):
        rated = ratings(corpus, names, team, scale)
        rated |= {
            key: [_rating(team, key, place, scale) for place in range(number)]
            for key, number in released.items()
        }
        _write(root / team / "ratings.json", rated)
    return 0


def read_corpus(config: Config, materials: Path) -> Corpus:
    """Read texts and expert questions, and ask the baselines' questions again."""
    corpus = Corpus({}, {}, {})
    for kind in config.kinds:
        folders = scan(materials, kind.id).folders
        rules = KindRules(kind.id, kind.language, tuple(kind.text_from), {})
        rows = original_sections(folders, rules, Extractions()).rows
        language = kind.question_language or kind.language
        questions = read_questions(folders, language, declared_teams(())).rows
        for folder in folders:
            text = _english(folder, kind.language)
            corpus.asked[folder.section_id] = {}
            corpus.references[folder.section_id] = set()
            if text is not None:
                corpus.sentences[folder.section_id] = split(text, "en")
        for system in config.of_role("teacher"):
            if system.engine in ("cloze", "lead"):
                questions += ask(
                    rows,
                    system.engine,
                    system.team_name,
                    system.submission,
                    number=system.questions_per_section,
                    seed=config.seed,
                )
            elif system.language_model is not None:
                questions += recorded_questions(config, system, rows)
        for row in sorted(questions, key=lambda row: row["question_id"]):
            if row["variant"] != GENUINE:
                continue
            name = question_set_name(row["teacher"], row["submission"])
            corpus.asked[row["section_id"]].setdefault(name, []).append(row["question"])
            if row["references"]:
                corpus.references[row["section_id"]].add(name)
    return corpus


def recorded_questions(
    config: Config, system: System, sections: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Return what a language model asked about sections when it was recorded."""
    model = config.llm.model_of(str(system.language_model))
    calls = llm_teacher.prepare(
        sections,
        model,
        llm_teacher.teacher_prompt(llm_teacher.PROMPT, [ROOT / "resources/prompts"]),
        team=system.team_name,
        submission=system.submission,
        number=system.questions_per_section,
        span_words=system.span_words,
        answers=system.answers_per_question,
    )
    journal = ROOT / f"resources/demo/journals/teacher/{system.id}.jsonl"
    with session(model, recorded=[journal]) as replay:
        raw = ask_all(replay, calls)
    return llm_teacher.parse(raw, team=system.team_name, submission=system.submission).rows


def heron_questions(corpus: Corpus) -> dict[str, Any]:
    """Return questions as objects with a reference answer, under the path of the text."""
    return {
        f"{section}/text.txt": [
            {"question": form.format(topic=topic), "reference-answer": sentence}
            for form, (topic, sentence) in zip(
                QUESTIONS_OF_HERON, _topics(sentences, "first"), strict=False
            )
        ]
        for section, sentences in corpus.sentences.items()
    }


def willow_questions(corpus: Corpus) -> dict[str, Any]:
    """Return questions without reference answers; one section twice, in two spellings."""
    found: dict[str, Any] = {
        f"testset/{section}": [
            form.format(topic=topic)
            for form, (topic, _) in zip(
                QUESTIONS_OF_WILLOW, _topics(sentences, "last"), strict=False
            )
        ]
        for section, sentences in corpus.sentences.items()
    }
    first = min(found)
    found[first.replace("/", "\\")] = found.pop(first)
    found["testset/world-history/reader-ancient-world/chapter09"] = ["Who built the pyramids?"]
    return found


def base_questions(corpus: Corpus) -> dict[str, Any]:
    """Return pairs of a question about the longest sentences and that sentence."""
    found = {}
    for section, sentences in corpus.sentences.items():
        longest = sorted(sentences, key=lambda sentence: (-len(sentence), sentence))
        found[section] = [
            [f"What does the text say of {topic}?", sentence]
            for topic, sentence in _topics(longest, "first")[:QUESTIONS_OF_A_SECTION]
        ]
    return found


def heron_answers(corpus: Corpus) -> dict[str, Any]:
    """Return the sentence that shares most words with the question, markup left in some."""
    answers: dict[str, Any] = {}
    for section, name, questions in _sets(corpus):
        items = []
        for place, question in enumerate(questions):
            said = _best(corpus.sentences[section], question)
            if place % 4 == 1:
                said = f"<p>{said}</p>"
            elif place % 4 == 3:
                said = f"**{said}**"
            items.append({"question": question, "answer": said})
        answers[f"{section}/{name}.json"] = items
    return answers


def willow_answers(corpus: Corpus) -> dict[str, Any]:
    """Return short answers to some of the questions; others are left out, null or numbers."""
    answers: dict[str, Any] = {}
    for section, name, questions in _sets(corpus):
        items: list[Any] = []
        for place, question in enumerate(questions):
            draw = generator(SEED, "answers of Willow", f"{section}/{name}#{place}").random()
            said = " ".join(_best(corpus.sentences[section], question).split()[-12:])
            if draw < SHARE_OF_WILLOW:
                items.append([question, said])
            elif draw < SHARE_OF_WILLOW + 0.05:
                items.append([question, None])
            elif draw < SHARE_OF_WILLOW + 0.08:
                items.append([question, len(question)])
        answers[f"testset/{section}/{name}.json"] = items
    return answers


def base_answers(corpus: Corpus) -> dict[str, Any]:
    """Return the first twelve words of the best sentence, for every question."""
    return {
        f"{section}/{name.replace('questions', 'answers', 1)}.json": [
            [question, " ".join(_best(corpus.sentences[section], question).split()[:12])]
            for question in questions
        ]
        for section, name, questions in _sets(corpus)
    }


def ratings(
    corpus: Corpus, students: Sequence[tuple[str, str]], team: str, scale: float
) -> dict[str, Any]:
    """Return drawn ratings of all answers, on a scale from 0 to 1 or to 100.

    Willow writes every seventh as a text, and one too few for one file.
    """
    found: dict[str, Any] = {}
    for section, sets in corpus.asked.items():
        for name, questions in sets.items():
            teacher, _, submission = name.removeprefix("questions_by_").rpartition("_")
            files = [
                answers_name(*student, teacher, submission)
                for student in students
                if section in corpus.sentences
            ]
            if name in corpus.references[section]:
                scenario = GENUINE if teacher == "GOLD" else REFERENCE
                files.append(
                    answers_name(teacher, submission, teacher, submission, scenario=scenario)
                )
            for file in files:
                key = f"{section}/{file}.json"
                found[key] = [_rating(team, key, place, scale) for place in range(len(questions))]
    if team == "Willow":
        found[min(found)].pop()
    return found


def released_files(config: Config, materials: Path) -> dict[str, int]:
    """Return the released files of adversarial answers, each with the number of its items."""
    return {
        f"{folder.section_id}/{name}": len(json.loads(folder.files[name].read_bytes()))
        for kind in config.kinds
        for folder in scan(materials, kind.id).folders
        for name in folder.names("answers_by_")
    }


def _rating(team: str, key: str, place: int, scale: float) -> list[Any]:
    rng = generator(SEED, f"ratings of {team}", f"{key}#{place}")
    scenario = key.removesuffix(".json").partition("_SCENARIO-")[2].replace(REFERENCE, "")
    middle = RATED.get(scenario, RATED_OTHERS)
    if not scenario and "_to_" in key and "_by_GOLD" in key:
        middle = 85
    value = int(min(100, max(0, rng.normal(middle, 20))))
    if scale == 1:
        return [value / 100]
    return [f"{value}/100" if team == "Willow" and place % 7 == 6 else value]


def _english(folder: Folder, language: str) -> str | None:
    for name in (TEXT_EN, *((TEXT, TRANSCRIPT) if language == "en" else ())):
        if name in folder.files:
            return decode(folder.files[name].read_bytes(), "en").text
    return None


def _topics(sentences: Sequence[str], which: str) -> list[tuple[str, str]]:
    """Return a topic and the sentence that it stands in, no topic twice."""
    found: dict[str, str] = {}
    for sentence in sentences:
        names = list(dict.fromkeys(content_words(sentence)))
        if len(names) < 2:
            continue
        pair = names[:2] if which == "first" else names[-2:]
        found.setdefault(" and ".join(pair), sentence)
    return list(found.items())


def _sets(corpus: Corpus) -> list[tuple[str, str, list[str]]]:
    return [
        (section, name, [question for question in questions if question is not None])
        for section, sets in sorted(corpus.asked.items())
        for name, questions in sorted(sets.items())
        if section in corpus.sentences
    ]


def _best(sentences: Sequence[str], question: str) -> str:
    wanted = set(content_words(question))
    return max(sentences, key=lambda sentence: len(wanted & set(content_words(sentence))))


def _add(corpus: Corpus, team: str, questions: Mapping[str, Any]) -> None:
    """Put a team's questions among those that are asked, as they are read."""
    name = question_set_name(team, "PRIMARY")
    for key, items in questions.items():
        section = key.replace("\\", "/").removeprefix("testset/").removesuffix("/text.txt")
        if section not in corpus.asked:
            continue
        texts = [
            item
            if isinstance(item, str)
            else item["question"]
            if isinstance(item, dict)
            else item[0]
            for item in items
        ]
        corpus.asked[section][name] = texts
        if not isinstance(items[0], str):
            corpus.references[section].add(name)


def _write(path: Path, content: Mapping[str, Any]) -> None:
    """Write JSON with a key a line, so that changes can be read."""
    lines = [
        f"{json.dumps(key, ensure_ascii=False)}: {json.dumps(value, ensure_ascii=False)}"
        for key, value in content.items()
    ]
    write_text(path, "{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    raise SystemExit(main(ROOT / "resources/demo/submissions"))
