"""imports have a number, are listed, and can be taken back: what came in knows its import.

Revision: 0011, after 0010
"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

CAME_WITH = "the import it came with; empty: none that has a number"


def upgrade() -> None:
    id_ = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    op.create_table(
        "import",
        sa.Column("study_id", id_, sa.ForeignKey("study.id", name="fk_import_study_id"), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False, comment="from 1 in each study"),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("files", sa.Text(), nullable=False, comment="as JSON: the names of the files; none: from a script"),
        sa.Column("items", sa.Integer(), nullable=False, comment="how many new items came in"),
        sa.Column("duplicates", sa.Integer(), nullable=False, comment="how many rows that are an item again"),
        sa.Column("judged", sa.Integer(), nullable=False, comment="how many judged items came in"),
        sa.Column("annotators", sa.Text(), nullable=False, comment="as JSON: who judged them, people and judges"),
        sa.Column("undone_at", sa.BigInteger(), comment="when it was taken back; empty: it was not"),
        sa.Column("undone_by", sa.Text(), server_default="", nullable=False),
        sa.Column("undone_reason", sa.Text(), server_default="", nullable=False),
        sa.PrimaryKeyConstraint("study_id", "number", name="pk_import"),
    )
    for table in ("item", "duplicate", "submission"):
        op.add_column(table, sa.Column("import_number", sa.Integer(), comment=CAME_WITH))
