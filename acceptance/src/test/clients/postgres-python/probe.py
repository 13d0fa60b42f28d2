"""Uses a tenant's maps as tables, with clients that were written for PostgreSQL.

    probe.py HOST PORT TENANT

The access key is in the environment (KVS_ACCESS_KEY). One JSON object on standard output.
"""

import json
import os
import sys

import psycopg
import sqlalchemy
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

host, port, tenant = sys.argv[1:4]
key = os.environ["KVS_ACCESS_KEY"]


class Base(DeclarativeBase):
    pass


class Person(Base):
    __tablename__ = "people"
    key: Mapped[int] = mapped_column("__key", sqlalchemy.Integer, primary_key=True)
    name: Mapped[str] = mapped_column(sqlalchemy.Text)
    age: Mapped[int]


def with_psycopg():
    with psycopg.connect(host=host, port=port, user=tenant, password=key, autocommit=True) as db:
        db.execute(
            "CREATE OR REPLACE MAPPING people (__key INTEGER, name VARCHAR, age INTEGER)"
            " TYPE IMap OPTIONS ('keyFormat'='int', 'valueFormat'='json-flat')"
        )
        with db.cursor() as cursor:
            cursor.executemany(
                "SINK INTO people (__key, name, age) VALUES (%s, %s, %s)",
                [(1, "Ada", 36), (2, "Bob", 25), (3, "Cleo", 41)],
            )
        rows = db.execute("SELECT name, age FROM people WHERE age > %s ORDER BY age", (30,))
        found = rows.fetchall()
        binary = db.cursor(binary=True).execute("SELECT COUNT(*), MAX(age) FROM people").fetchall()
        try:
            db.execute("SELECT nothing_of_the_kind FROM people")
            error = None
        except psycopg.Error as e:
            error = e.sqlstate[:2]  # the class: a name or the syntax is wrong
        return [found, binary, error]


def with_sqlalchemy():
    url = sqlalchemy.URL.create("postgresql+psycopg", tenant, key, host, int(port), tenant)
    engine = sqlalchemy.create_engine(url)
    inspector = sqlalchemy.inspect(engine)
    with Session(engine) as session:
        session.add(Person(key=9, name="Eve", age=50))
        session.commit()
        session.get(Person, 9).age = 51
        session.commit()
        names = session.scalars(sqlalchemy.select(Person.name).where(Person.age > 40)).all()
        session.delete(session.get(Person, 9))
        session.commit()
    return [
        "people" in inspector.get_table_names(),
        [column["name"] for column in inspector.get_columns("people")],
        inspector.get_pk_constraint("people")["constrained_columns"],
        sorted(names),
    ]


def wrong_key():
    try:
        psycopg.connect(host=host, port=port, user=tenant, password="wrong")
        return "let in"
    except psycopg.OperationalError as e:
        return "password authentication failed" in str(e)


print(
    json.dumps(
        {
            "psycopg": with_psycopg(),
            "sqlalchemy": with_sqlalchemy(),
            "wrong key": wrong_key(),
        }
    )
)
