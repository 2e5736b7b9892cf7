"""The list of systems."""

from sensemaking.systems import list_systems

CONFIGURED = {
    "system": "cloze",
    "role": "teacher",
    "label": "Cloze",
    "team": "cloze",
    "submission": "PRIMARY",
    "origin": "baseline",
    "published_label": None,
}


def test_the_experts_are_always_a_teacher_and_found_teams_are_added_once() -> None:
    rows = list_systems(
        [CONFIGURED],
        [("GPT", "PRIMARY"), ("cloze", "PRIMARY"), ("GOLD", "PRIMARY"), ("GPT", "PRIMARY")],
    )
    assert [(row["system"], row["origin"]) for row in rows] == [
        ("cloze", "baseline"),
        ("gold", "expert"),
        ("GPT/PRIMARY", "submitted"),
    ]


def test_a_student_of_a_team_does_not_stand_in_for_its_teacher() -> None:
    student = {**CONFIGURED, "system": "me", "role": "student", "team": "GPT"}
    rows = list_systems([student], [("GPT", "PRIMARY")])
    assert [row["system"] for row in rows if row["role"] == "teacher"] == ["gold", "GPT/PRIMARY"]
