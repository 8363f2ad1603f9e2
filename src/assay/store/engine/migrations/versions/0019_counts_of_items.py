"""how much there is to read and how much is given out is kept beside the study.

Revision: 0019, after 0018
"""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

OF_WORK = "from item where item.study_id = study.id and item.series = 'work'"
GIVEN_OUT = f"{OF_WORK} and (study.pilot = 0 or item.pilot between 1 and study.pilot)"
COUNT = f"""
update study set
  word_count = (select coalesce(sum(words), 0) {OF_WORK}),
  hard_count = (select count(*) {OF_WORK} and item.tagged),
  taken_places = (select coalesce(sum(case when taken < wanted then taken else wanted end), 0) {GIVEN_OUT}),
  taken_items = (select count(*) {GIVEN_OUT} and taken >= wanted)
"""


def upgrade() -> None:
    columns = {
        "word_count": (sa.BigInteger(), "of all its items together"),
        "hard_count": (sa.Integer(), "how many items have hard content"),
        "taken_places": (sa.Integer(), "how many judgments are there or given out, of the items given out by now"),
        "taken_items": (sa.Integer(), "how many of them need nobody else"),
    }
    for name, (type_, comment) in columns.items():
        op.add_column("study", sa.Column(name, type_, server_default="0", nullable=False, comment=comment))
    op.execute(COUNT)
