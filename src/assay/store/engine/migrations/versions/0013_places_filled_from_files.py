"""people's judgments from files take places, and what those have done who do not take part is known.

Revision: 0013, after 0012
"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

# Until now such judgments took no place, and people here may have been given all of them: where there is no room left
# for both, the places have gone to these.
GONE_TO_OTHERS = """
update assignment set freed_at = created_at where id in (
  select id from (
    select assignment.id as id, item.taken as taken, item.wanted as wanted,
      row_number() over (partition by item.id order by assignment.id desc) as place,
      count(*) over (partition by item.id) as imported
    from assignment
    join item on item.id = assignment.item_id
    join annotator on annotator.id = assignment.annotator_id
    join submission on submission.assignment_id = assignment.id and submission.revision = 1
    where assignment.pass = 1 and assignment.attempt = 0 and assignment.state = 'submitted'
      and annotator.judge = false and submission.source = 'imported'
  ) as from_files
  where place <= imported + taken - wanted and place <= taken
)
"""
TAKE_PLACES = """
update item set taken = taken + (
  select count(*) from assignment
  join annotator on annotator.id = assignment.annotator_id
  join submission on submission.assignment_id = assignment.id and submission.revision = 1
  where assignment.item_id = item.id and assignment.pass = 1 and assignment.attempt = 0
    and assignment.state = 'submitted' and assignment.freed_at is null
    and annotator.judge = false and submission.source = 'imported' and submission.surplus = false
)
"""
BY_ITEM = """
  select item.study_id as study_id, item.wanted as wanted, count(*) as judged
  from item
  join study on study.id = item.study_id
  join assignment on assignment.item_id = item.id
  join annotator on annotator.id = assignment.annotator_id
  join submission on submission.assignment_id = assignment.id and submission.revision = 1
  where item.series = 'work' and (study.pilot = 0 or item.pilot between 1 and study.pilot)
    and assignment.pass = 1 and assignment.attempt = 0 and assignment.state = 'submitted'
    and assignment.freed_at is null and submission.surplus = false and annotator.judge = false
    and (annotator.left_at is not null or annotator.from_file = true or annotator.state = 'released')
  group by item.id, item.study_id, item.wanted
"""
FILLED = f"""
update study set
  filled_places = (
    select coalesce(sum(case when judged < wanted then judged else wanted end), 0) from ({BY_ITEM}) as by_item
    where by_item.study_id = study.id
  ),
  filled_items = (
    select count(*) from ({BY_ITEM}) as by_item where by_item.study_id = study.id and judged >= wanted
  )
"""


def upgrade() -> None:
    comments = {
        "filled_places": "how many places those have filled who do not take part: in files, or before they left",
        "filled_items": "in how many items that leaves no place",
    }
    for name, comment in comments.items():
        op.add_column("study", sa.Column(name, sa.Integer(), server_default="0", nullable=False, comment=comment))
    op.execute(GONE_TO_OTHERS)
    op.execute(TAKE_PLACES)
    op.execute(FILLED)
