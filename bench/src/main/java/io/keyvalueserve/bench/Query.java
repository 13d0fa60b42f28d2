package io.keyvalueserve.bench;

import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** The questions of {@code kvs bench queries}: those of seed 001, then those that are SQL only. */
enum Query {
  /** One person by a random key, as maps read it. */
  GET("", person -> false),
  /** Half the rows. */
  Q0("age > 50", person -> person.age() > 50),
  /** Half the rows. */
  Q1("age > 25 AND age < 75", person -> person.age() > 25 && person.age() < 75),
  /** Half the rows. */
  Q2("age < 25 OR age > 75", person -> person.age() < 25 || person.age() > 75),
  /** One row of a thousand. */
  Q3(
      "age > 50 AND name LIKE 'A%' AND organization LIKE '%tum%'",
      person ->
          person.age() > 50
              && person.name().startsWith("A")
              && person.organization().contains("tum")),
  /** One person by a random key, the same statement each time: its plan is known. */
  POINT("__key = ?", person -> false),
  /** One person by a random key that the text has: few plans are known. */
  FRESH("__key = ", person -> false),
  /** Has the shape of query 1 of TPC-H: nearly all rows in few groups. */
  AGGREGATE("age <= 97", person -> person.age() <= 97);

  static final List<Query> OF_SEED = List.of(GET, Q0, Q1, Q2, Q3);
  static final List<Query> OF_SQL = List.of(GET, POINT, FRESH, AGGREGATE);

  /** The condition, as predicates, SQL and Ickle have it. */
  final String condition;

  private final Predicate<Person> selects;

  Query(String condition, Predicate<Person> selects) {
    this.condition = condition;
    this.selects = selects;
  }

  /**
   * The content that answers must have.
   *
   * @param rows how many
   * @param sum of the ids, or of the first column if groups are asked for; -1 if the key decides
   */
  record Expected(int rows, long sum) {}

  Expected expected(int entries) {
    if (isPoint()) {
      return new Expected(1, -1);
    }
    List<Person> selected = Person.first(entries).filter(selects).toList();
    return this == AGGREGATE
        ? new Expected(
            (int) selected.stream().map(Person::organization).distinct().count(),
            selected.stream().mapToLong(Person::employees).sum())
        : new Expected(selected.size(), selected.stream().mapToLong(Person::id).sum());
  }

  /** Returns whether one row is asked for by its key. */
  boolean isPoint() {
    return this == GET || this == POINT || this == FRESH;
  }

  /** Returns whether only SQL has it. */
  boolean needsSql() {
    return this == POINT || this == FRESH || this == AGGREGATE;
  }

  /** Returns whether about half of the rows return. */
  boolean returnsHalf() {
    return this == Q0 || this == Q1 || this == Q2;
  }

  /**
   * The statement of SQL.
   *
   * @param map the table
   * @param key that a random one says
   */
  String sql(String map, int key) {
    String from = " FROM \"" + map + "\" WHERE " + condition;
    return switch (this) {
      case AGGREGATE ->
          "SELECT SUM(employees), AVG(age), MIN(id), MAX(age), COUNT(*), organization"
              + from
              + " GROUP BY organization";
      case FRESH -> "SELECT this" + from + key;
      default -> "SELECT this" + from;
    };
  }

  /** Returns the name in options and results. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
