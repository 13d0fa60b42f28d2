package io.keyvalueserve.sql;

import org.jspecify.annotations.Nullable;

/** The tables that tests read. */
final class Tables {
  private static final @Nullable Object NONE = null;

  private Tables() {}

  static MemoryCatalog catalog() {
    return new MemoryCatalog()
        .with(people())
        .with(orders())
        .with(values())
        .with(
            MemoryTable.of("notes", "__key VARCHAR", "this VARCHAR")
                .add("a", "alpha")
                .add("b", "beta"))
        .with(MemoryTable.of("globex/shared", "__key INTEGER", "this VARCHAR").add(1, "theirs"))
        .with(
            MemoryTable.of("docs", "__key INTEGER", "this JSON")
                .add(1, "{\"name\":\"Ann\",\"age\":31,\"tags\":[\"x\",\"y\"]}")
                .add(2, "{\"name\":\"Bob\",\"address\":{\"city\":\"Oslo\"}}")
                .add(3, "no json")
                .add(4, NONE));
  }

  private static MemoryTable people() {
    return MemoryTable.of(
            "people",
            "__key INTEGER",
            "name VARCHAR",
            "age INTEGER",
            "city VARCHAR",
            "salary DECIMAL",
            "active BOOLEAN",
            "-this OBJECT")
        .add(1, "Ann", 31, "Oslo", "5000.50", true, NONE)
        .add(2, "Bob", 25, "Rome", "4000", false, NONE)
        .add(3, "Cid", NONE, "Oslo", NONE, true, NONE)
        .add(4, "Dan", 47, NONE, "7000", NONE, NONE)
        .add(5, NONE, 25, "Rome", "3500.25", true, NONE);
  }

  private static MemoryTable orders() {
    return MemoryTable.of(
            "orders",
            "__key BIGINT",
            "person INTEGER",
            "item VARCHAR",
            "amount DOUBLE",
            "at TIMESTAMP")
        .add(100, 1, "pen", 1.5, "2024-01-10 08:00:00")
        .add(101, 1, "book", 20.0, "2024-02-11 09:30:00")
        .add(102, 2, "pen", 3.0, "2024-02-12 10:00:00")
        .add(103, 9, "lamp", 45.0, "2024-03-01 00:00:00")
        .add(104, NONE, "pen", NONE, NONE);
  }

  private static MemoryTable values() {
    return MemoryTable.of(
            "vals",
            "__key INTEGER",
            "b TINYINT",
            "s SMALLINT",
            "l BIGINT",
            "r REAL",
            "d DOUBLE",
            "n DECIMAL",
            "t VARCHAR",
            "bin VARBINARY",
            "dt DATE",
            "tm TIME",
            "ts TIMESTAMP",
            "tz TIMESTAMP_WITH_TIME_ZONE")
        .add(
            1,
            127,
            32767,
            Long.MAX_VALUE,
            0.5,
            0.25,
            "12345678901234567890.5",
            "Text",
            "\\x0102",
            "2024-02-29",
            "10:11:12",
            "2024-02-29 10:11:12.5",
            "2024-02-29 10:11:12+01:00")
        .add(2, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE)
        .add(
            3,
            -1,
            -1,
            -1,
            -1,
            -1,
            -1,
            "",
            "\\x",
            "1970-01-01",
            "00:00:00",
            "1970-01-01 00:00:00",
            "1970-01-01 00:00:00Z");
  }
}
