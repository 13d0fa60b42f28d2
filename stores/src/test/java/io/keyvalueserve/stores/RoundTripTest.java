package io.keyvalueserve.stores;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Values of all types, into a database and back, and through each form of them. */
class RoundTripTest {
  private static final int ROWS = 40;

  static Object random(ColumnType type, Random random) {
    return switch (type) {
      case TEXT -> text(random);
      case BYTES -> bytes(random);
      case SMALLINT -> (short) edge(random, Short.MIN_VALUE, Short.MAX_VALUE);
      case INTEGER -> (int) edge(random, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case BIGINT -> edge(random, Long.MIN_VALUE, Long.MAX_VALUE);
      case NUMERIC ->
          new BigDecimal(new BigInteger(random.nextInt(200), random), random.nextInt(60));
      case REAL -> real(random);
      case DOUBLE -> twice(random);
      case BOOLEAN -> random.nextBoolean();
      case JSON -> json(random);
      case UUID -> new UUID(random.nextLong(), random.nextLong());
      case DATE -> LocalDate.ofEpochDay(random.nextInt(-700_000, 2_900_000));
      case TIME -> LocalTime.ofNanoOfDay(random.nextLong(86_400_000_000L) * 1000);
      case TIMESTAMP -> timestamp(random);
      case TIMESTAMP_WITH_ZONE -> timestamp(random).atOffset(ZoneOffset.UTC);
    };
  }

  private static long edge(Random random, long least, long most) {
    return switch (random.nextInt(6)) {
      case 0 -> least;
      case 1 -> most;
      case 2 -> random.nextInt(-2, 3);
      default -> most == Long.MAX_VALUE ? random.nextLong() : random.nextLong(least, most);
    };
  }

  private static String text(Random random) {
    int[] points = {
      'a', 'Z', '0', ' ', '\'', '"', '\\', '{', ',', '\n', 0x7f, 0xe9, 0x20ac, 0x1f600
    };
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(20); i > 0; i--) {
      text.appendCodePoint(points[random.nextInt(points.length)]);
    }
    return text.toString();
  }

  private static byte[] bytes(Random random) {
    byte[] bytes = new byte[random.nextInt(20)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static float real(Random random) {
    float[] odd = {Float.NaN, Float.POSITIVE_INFINITY, Float.MIN_VALUE, Float.MAX_VALUE, 0.1f, 0f};
    float any = Float.intBitsToFloat(random.nextInt());
    return random.nextInt(4) > 0 && !Float.isNaN(any) ? any : odd[random.nextInt(odd.length)];
  }

  private static double twice(Random random) {
    double[] odd = {Double.NaN, Double.NEGATIVE_INFINITY, Double.MIN_VALUE, Double.MAX_VALUE, 0.1};
    double any = Double.longBitsToDouble(random.nextLong());
    return random.nextInt(4) > 0 && !Double.isNaN(any) ? any : odd[random.nextInt(odd.length)];
  }

  private static String json(Random random) {
    return switch (random.nextInt(5)) {
      case 0 -> "{\"a\": [1, 2.50, \"x\"], \"b\": {\"c\": null}}";
      case 1 -> "[true, false, 12345678901234567890.123456789]";
      case 2 -> "\"text\"";
      case 3 -> "[]";
      default -> Integer.toString(random.nextInt());
    };
  }

  private static LocalDateTime timestamp(Random random) {
    long second = random.nextLong(-60_000_000_000L, 250_000_000_000L);
    return LocalDateTime.ofEpochSecond(second, random.nextInt(1_000_000) * 1000, ZoneOffset.UTC);
  }

  private static @Nullable Object[] randomValues(List<StoreColumn> columns, Random random) {
    @Nullable Object[] values = new Object[columns.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextInt(8) == 0 ? null : random(columns.get(i).type(), random);
    }
    return values;
  }

  private static List<StoreColumn> valueColumns() {
    return Arrays.stream(ColumnType.values())
        .map(type -> new StoreColumn(type.name(), type, true))
        .toList();
  }

  @Property(tries = 500)
  void rowsAsJsonReadBack(@ForAll Random random) {
    List<StoreColumn> columns = new ArrayList<>(valueColumns());
    @Nullable Object[] values = randomValues(columns, random);
    List<StoreColumn> all = new ArrayList<>(columns);
    all.addFirst(new StoreColumn("id", ColumnType.BIGINT, false));
    byte[] json = JsonRows.toJson(all, new Row(1L, values));
    assertThat(JsonRows.fromJson(columns, json)).isEqualTo(values);
  }

  @Property(tries = 1000)
  void scalarsReadBack(@ForAll ColumnType type, @ForAll Random random) {
    StoreColumn column = new StoreColumn("v", type, true);
    Object value = random(type, random);
    assertThat(column.coerce(value)).isEqualTo(value);
    assertThat(ScalarValues.fromBytes(column, ScalarValues.toBytes(type, value))).isEqualTo(value);
  }

  /** No value of one type makes another type do worse than to refuse it. */
  @Property(tries = 1000)
  void whateverIsGivenIsCoercedOrRefused(
      @ForAll ColumnType type, @ForAll ColumnType other, @ForAll Random random) {
    StoreColumn column = new StoreColumn("v", type, true);
    Object value = random(other, random);
    try {
      Object coerced = column.coerce(value);
      assertThat(column.coerce(coerced)).isEqualTo(coerced);
    } catch (StoreValueException e) {
      assertThat(e).hasMessageStartingWith("column v: ").hasMessageContaining(type.fitting());
    }
  }

  private static Map<ColumnType, String> types(Backends backend) {
    boolean postgres = backend == Backends.POSTGRESQL;
    Map<ColumnType, String> types = new LinkedHashMap<>();
    types.put(ColumnType.TEXT, postgres ? "text" : "varchar");
    types.put(ColumnType.BYTES, backend.bytes());
    types.put(ColumnType.SMALLINT, "smallint");
    types.put(ColumnType.INTEGER, "integer");
    types.put(ColumnType.BIGINT, "bigint");
    types.put(ColumnType.NUMERIC, postgres ? "numeric" : "numeric(150, 60)");
    types.put(ColumnType.REAL, "real");
    types.put(ColumnType.DOUBLE, "double precision");
    types.put(ColumnType.BOOLEAN, "boolean");
    if (backend != Backends.GENERIC) {
      types.put(ColumnType.JSON, "json");
    }
    types.put(ColumnType.UUID, "uuid");
    types.put(ColumnType.DATE, "date");
    types.put(ColumnType.TIME, "time(6)");
    types.put(ColumnType.TIMESTAMP, "timestamp(6)");
    types.put(ColumnType.TIMESTAMP_WITH_ZONE, "timestamp(6) with time zone");
    return types;
  }

  /** Each type as a value and as a key, with random values and NULL. */
  @ParameterizedTest
  @EnumSource
  void allTypesReadBackFromADatabase(Backends backend) {
    Random random = new Random(Long.getLong("kvs.seed", 1));
    try (Database database = new Database(backend.address())) {
      types(backend)
          .forEach(
              (type, sql) -> {
                backend.execute(
                    "DROP TABLE IF EXISTS typed",
                    "CREATE TABLE typed (id int PRIMARY KEY, v " + sql + ")");
                StoreTable table = backend.table(database, "typed", "id", "v");
                assertThat(table.columns().get(1)).isEqualTo(new StoreColumn("v", type, true));
                assertReadsBack(table, type, random);
                if (type != ColumnType.JSON) {
                  assertIsKey(backend, database, type, sql, random);
                }
              });
    }
  }

  private static void assertReadsBack(StoreTable table, ColumnType type, Random random) {
    List<Change> changes = new ArrayList<>();
    changes.add(Change.put(0, (@Nullable Object) null));
    for (int i = 1; i < ROWS; i++) {
      changes.add(Change.put(i, random(type, random)));
    }
    table.write(changes);
    table.write(changes);
    List<@Nullable Row> rows = table.load(changes.stream().map(Change::key).toList());
    for (int i = 0; i < ROWS; i++) {
      Object expected = Objects.requireNonNull(changes.get(i).values())[0];
      Object read = rows.get(i).values()[0];
      if (expected instanceof BigDecimal number) {
        assertThat((BigDecimal) read).isEqualByComparingTo(number);
      } else {
        assertThat(json(read)).as("%s %s", type, expected).isEqualTo(json(expected));
      }
    }
  }

  /** A database may leave out the spaces in JSON. */
  private static @Nullable Object json(@Nullable Object value) {
    return value instanceof String text ? text.replace(" ", "") : value;
  }

  private static void assertIsKey(
      Backends backend, Database database, ColumnType type, String sql, Random random) {
    backend.execute(
        "DROP TABLE IF EXISTS typed", "CREATE TABLE typed (k " + sql + " PRIMARY KEY, v int)");
    StoreTable table = backend.table(database, "typed", "k", "v");
    Map<String, Object> distinct = new LinkedHashMap<>();
    for (int i = 0; i < ROWS; i++) {
      Object key = random(type, random);
      distinct.put(
          key instanceof byte[] bytes
              ? Arrays.toString(bytes)
              : key instanceof BigDecimal number
                  ? number.stripTrailingZeros().toString()
                  : key.toString().replaceFirst("^-0.0$", "0.0"),
          key);
    }
    List<Object> keys = List.copyOf(distinct.values());
    List<Change> changes = new ArrayList<>();
    keys.forEach(key -> changes.add(Change.put(key, changes.size())));
    table.write(changes);
    List<@Nullable Row> rows = table.load(keys);
    for (int i = 0; i < keys.size(); i++) {
      assertThat(rows.get(i)).as("%s %s", type, keys.get(i)).isNotNull();
      assertThat(rows.get(i).values()[0]).isEqualTo(i);
    }
    table.write(keys.stream().map(Change::delete).toList());
    assertThat(table.load(keys)).containsOnlyNulls();
  }

  @ParameterizedTest
  @EnumSource
  void timesAreKeptInUtc(Backends backend) {
    backend.execute(
        "DROP TABLE IF EXISTS zoned",
        "CREATE TABLE zoned (k timestamp with time zone PRIMARY KEY)");
    try (Database database = new Database(backend.address())) {
      StoreTable zoned = backend.table(database, "zoned", "k");
      zoned.write(List.of(Change.put("2026-03-01 12:00:00.1234567+02")));
      Row row = zoned.load(List.of("2026-03-01T10:00:00.123456Z")).get(0);
      assertThat(row).isNotNull();
      assertThat(row.key()).isEqualTo(OffsetDateTime.parse("2026-03-01T10:00:00.123456Z"));
    }
  }
}
