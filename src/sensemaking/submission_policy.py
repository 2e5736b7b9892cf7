"""What a submission counts as under the setting of repairs, and whether it is valid enough."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, replace

from sensemaking.io.submission_model import (
    REPAIR_REFUSED,
    AnyItem,
    Submission,
    sorted_items,
    without_content,
)
from sensemaking.repairs import POLICIES, Policy


def under_policy(
    submission: Submission, policy: Policy, undone: Collection[str] = ()
) -> Submission:
    """Return the submission as it counts under a policy.

    A repair of the file as a whole (an empty pointer: an encoding, text around the JSON) belongs
    to no item: ``apply`` and ``exclude`` keep the items, ``refuse`` refuses them all, because the
    file as submitted cannot be read.

    Args:
        submission: The submission as read.
        policy: ``apply``, ``exclude`` or ``refuse``.
        undone: Hashes of repairs that were reviewed and are not wanted; the items that depend
            on one count as not given, whatever the policy is.

    Raises:
        ValueError: The policy is unknown.
    """
    if policy not in POLICIES:
        raise ValueError(f"unknown policy {policy!r}; known: {', '.join(POLICIES)}")
    unwanted = frozenset(undone)
    of_file = [made.hash for made in submission.repairs if not made.json_pointer]
    all_refused = (policy == "refuse" and bool(of_file)) or not unwanted.isdisjoint(of_file)
    items: list[AnyItem] = []
    missing: list[AnyItem] = []
    excluded: list[AnyItem] = []
    for item, kept in (
        *((item, items) for item in submission.items),
        *((item, missing) for item in submission.missing),
    ):
        if all_refused or not unwanted.isdisjoint(item.repairs):
            missing.append(_refused(item, kept is missing))
        elif not item.repairs or policy == "apply":
            kept.append(item)
        elif policy == "exclude":
            excluded.append(item)
        else:
            missing.append(_refused(item, kept is missing))
    return replace(
        submission,
        items=sorted_items(items),
        missing=sorted_items(missing),
        excluded=sorted_items([*submission.excluded, *excluded]),
    )


@dataclass(frozen=True)
class ValidShare:
    """How much of a submission can be used.

    Attributes:
        n_valid: Items that can be used (Teachers: sections with one).
        n_expected: Items that were asked for (Teachers: sections); where that is not known,
            those in the file.
        share: The one divided by the other; None where nothing was expected.
    """

    n_valid: int
    n_expected: int
    share: float | None

    def reaches(self, least: float) -> bool:
        """Tell whether the submission is valid enough to stand in tables (``min_valid_share``)."""
        return self.share is not None and self.share >= least


def valid_share(submission: Submission) -> ValidShare:
    """Return how much of a submission can be used."""
    if submission.role == "teacher" and submission.n_expected is not None:
        n_valid = len({item.section_id for item in submission.items})
        n_expected = submission.n_expected
        n_expected -= len(
            {item.section_id for item in submission.excluded}
            - {item.section_id for item in submission.items}
        )
    else:
        n_valid = len(submission.items)
        given = n_valid + len(submission.missing) + submission.n_refused
        n_expected = given if submission.n_expected is None else submission.n_expected
        if submission.n_expected is not None:
            n_expected -= len(submission.excluded)
    return ValidShare(n_valid, n_expected, n_valid / n_expected if n_expected > 0 else None)


def reasons(submission: Submission) -> dict[str, int]:
    """Return code to number of the findings that say that something was left out, for table x1."""
    errors = [finding.code for finding in submission.findings if finding.severity == "error"]
    return dict(sorted(Counter(errors).items()))


def _refused(item: AnyItem, was_missing: bool) -> AnyItem:
    # What was missing already keeps its own reason.
    return item if was_missing else without_content(item, REPAIR_REFUSED)


def of_sets(submission: Submission, keys: Collection[str]) -> Submission:
    """Return what a submission says of some sets, to count it.

    Args:
        submission: The submission; what it was asked for (``n_expected``) stays.
        keys: Canonical keys of the sets.
    """
    items, missing, excluded = (
        tuple(item for item in group if item.key in keys)
        for group in (submission.items, submission.missing, submission.excluded)
    )
    return replace(submission, items=items, missing=missing, excluded=excluded)
