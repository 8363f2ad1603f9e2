"""Under which version of the study a page was made: its answers are checked by that one, and by no other.

The page carries a proof, which comes back with the form. Nobody has it for a version under which no page was made for
them: it is made from the name of the submission, which no page knows before it is submitted.
"""

from collections.abc import Collection
from hashlib import sha256

from assay.errors import Conflict
from assay.store.annotator.assignments import Assignment
from assay.store.annotator.sessions import Annotator
from assay.study import Study
from assay.words import Translatable


def proof_of_page(study: Study, assignment: Assignment) -> str:
    """The proof that an item was shown under this version."""
    return sha256(f"{assignment.submission} {study.hash} page".encode()).hexdigest()[:20]


def refuse_other_version(
    annotator: Annotator, study: Study, assignment: Assignment, proofs: Collection[str], revision: int = 1
) -> None:
    """Refuse answers under an earlier version than the one in force, unless their page was made under it.

    Once an item is submitted its submission has a name that is known: then a change is made under the version in force.
    """
    if study.hash == annotator.version:
        return
    if revision > 1 or proof_of_page(study, assignment) not in proofs:
        raise Conflict(Translatable("errors.reload"))
