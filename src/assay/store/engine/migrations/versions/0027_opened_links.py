"""When a link was first opened is kept with the link: sessions end, and took it with them.

Revision: 0027, after 0026
"""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    comment = "when it was first opened, which is known also after the sessions have ended"
    op.add_column("link", sa.Column("opened_at", sa.BigInteger(), comment=comment))
    op.execute(
        "update link set opened_at ="
        " (select min(session.created_at) from session where session.link_hash = link.token_hash)"
    )
