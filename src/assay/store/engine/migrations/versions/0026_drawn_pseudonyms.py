"""whoever was there before names lay apart gets a drawn pseudonym, and their name is kept apart.

Judges, bots and people from files stay as they are called, and so does whoever has a pseudonym already: drawn for
somebody from a panel, counted by the program, or left by an erasure. A store that has had names apart (0024) is left as
it is: there, whoever has no name was given a pseudonym on purpose.

Revision: 0026, after 0025
"""

import json
import re
import secrets

import sqlalchemy as sa
from alembic import context, op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
PSEUDONYM = re.compile(r"a[0-9]+|p-[a-z2-9]{6}|erased-[0-9a-f]{6}")
PEOPLE = """
select id, study_id, name from annotator
where judge = false and simulated = false and from_file = false
  and not exists (select 1 from person where person.annotator_id = annotator.id)
order by study_id, id
"""
EVERYBODY = "select study_id, name from annotator union all select study_id, name from person"
LISTS = {"import": ("annotators", "study_id, number"), "counted": ("left_out", "study_id")}


def upgrade() -> None:
    if (context.config.attributes.get("found") or "") >= "0024":
        return
    bind = op.get_bind()
    taken = {(study, name) for study, name in bind.execute(sa.text(EVERYBODY))}
    drawn: dict[int, dict[str, str]] = {}
    for id_, study, name in bind.execute(sa.text(PEOPLE)).all():
        if PSEUDONYM.fullmatch(name):
            continue
        new = _draw(study, taken)
        drawn.setdefault(study, {})[name] = new
        bind.execute(sa.text("update annotator set name = :new where id = :id"), {"new": new, "id": id_})
        row = {"id": id_, "study": study, "name": name}
        bind.execute(sa.text("insert into person (annotator_id, study_id, name) values (:id, :study, :name)"), row)
    for study, names in drawn.items():
        # What was computed knows people as they were called; it is computed again.
        bind.execute(sa.text("delete from computed where study_id = :study"), {"study": study})
        for table, (column, key) in LISTS.items():
            _rename_in_lists(table, column, key.split(", "), study, names)


def _draw(study: int, taken: set[tuple[int, str]]) -> str:
    while True:
        new = "p-" + "".join(secrets.choice(LETTERS) for _ in range(6))
        if (study, new) not in taken:
            taken.add((study, new))
            return new


def _rename_in_lists(table: str, column: str, key: list[str], study: int, names: dict[str, str]) -> None:
    bind = op.get_bind()
    rows = bind.execute(sa.text(f'select {column}, {", ".join(key)} from "{table}" where study_id = :s'), {"s": study})
    for listed, *values in rows.all():
        before = json.loads(listed)
        renamed = [names.get(each, each) for each in before]
        if before == sorted(before):
            renamed.sort()  # by the order of names, which theirs is not to tell
        text = json.dumps(renamed, ensure_ascii=False, separators=(",", ":"))
        which = dict(zip(key, values, strict=True))
        where = " and ".join(f"{name} = :{name}" for name in key)
        bind.execute(sa.text(f'update "{table}" set {column} = :text where {where}'), {"text": text, **which})
