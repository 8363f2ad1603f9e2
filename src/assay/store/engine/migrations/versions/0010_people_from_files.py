"""people who are known only by judgments from a file: the work is not shared by them.

Revision: 0010, after 0009
"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

FROM_FILES_ALONE = """
update annotator set from_file = true
where judge = false
  and exists (select 1 from submission where submission.annotator_id = annotator.id and source = 'imported')
  and not exists (select 1 from link where link.annotator_id = annotator.id)
  and not exists (
    select 1 from assignment left join submission on submission.assignment_id = assignment.id and revision = 1
    where assignment.annotator_id = annotator.id and (submission.id is null or submission.source <> 'imported')
  )
"""
COUNT_AGAIN = """
update study set annotator_count = (
  select count(*) from annotator
  where annotator.study_id = study.id and left_at is null and judge = false and from_file = false
    and annotator.state <> 'released'
)
"""


def upgrade() -> None:
    op.add_column(
        "annotator",
        sa.Column(
            "from_file",
            sa.Boolean(),
            server_default=sa.false(),
            nullable=False,
            comment="known by judgments from a file alone, and never asked to take part",
        ),
    )
    op.execute(FROM_FILES_ALONE)
    op.execute(COUNT_AGAIN)
