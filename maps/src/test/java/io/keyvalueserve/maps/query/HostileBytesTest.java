package io.keyvalueserve.maps.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.config.SerializationConfig;
import com.hazelcast.core.HazelcastJsonValue;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.MemberSerialization;
import com.hazelcast.internal.serialization.impl.compact.Schema;
import com.hazelcast.internal.serialization.impl.compact.SchemaService;
import com.hazelcast.nio.serialization.ClassDefinitionBuilder;
import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import com.hazelcast.nio.serialization.genericrecord.GenericRecordBuilder;
import io.keyvalueserve.engine.query.Condition;
import io.keyvalueserve.engine.query.Condition.Comparison;
import io.keyvalueserve.engine.query.Field;
import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.maps.readable.Extensions;
import io.keyvalueserve.memory.HeapConfig;
import io.keyvalueserve.memory.Memory;
import io.keyvalueserve.memory.NativeHeap;
import io.keyvalueserve.store.Attributes;
import io.keyvalueserve.store.Records;
import io.keyvalueserve.store.Table;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Goal: whatever the bytes of a value say, nothing outside them is read. Method: values of each
 * form with changed bytes, each twice in memory, with different bytes before and behind; what a
 * test says must not depend on these.
 */
@SuppressWarnings("removal") // Portable is still what clients send
class HostileBytesTest {
  private static final int ROUNDS = Integer.getInteger("kvs.fuzz.rounds", 3_000);
  private static final int BESIDE = 4 << 10;
  private static final int RAW = 0;

  private final long seed = Long.getLong("kvs.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final InternalSerializationService members =
      new MemberSerialization.Builder(Extensions.NONE)
          .setConfig(new SerializationConfig())
          .setSchemaService(new KnownSchemas())
          .build();
  private final Schemas schemas = new Schemas(members, Set.of());

  private static final class KnownSchemas implements SchemaService {
    private final Map<Long, Schema> known = new ConcurrentHashMap<>();

    @Override
    @SuppressWarnings("NullAway") // as Hazelcast's own
    public Schema get(long id) {
      return known.get(id);
    }

    @Override
    public void put(Schema schema) {
      known.put(schema.getSchemaId(), schema);
    }

    @Override
    public void putLocal(Schema schema) {
      put(schema);
    }
  }

  @Test
  void readsNothingOutsideCompactRecords() {
    GenericRecord nested =
        GenericRecordBuilder.compact("home").setString("city", "Berlin").setInt32("zip", 7).build();
    Object record =
        GenericRecordBuilder.compact("person")
            .setString("name", "ada")
            .setInt32("age", 36)
            .setNullableInt64("size", 5L)
            .setFloat64("real", 2.5)
            .setBoolean("flag", true)
            .setString("long", "x".repeat(random.nextInt(400)))
            .setGenericRecord("home", nested)
            .build();
    dependsOnNothingElse(record, "name", "age", "size", "real", "flag", "home.city", "home.zip");
  }

  @Test
  void readsNothingOutsidePortables() {
    var shape =
        new ClassDefinitionBuilder(7, 1, 0)
            .addStringField("name")
            .addIntField("age")
            .addLongField("size")
            .addDoubleField("real")
            .addBooleanField("flag")
            .build();
    Object record =
        GenericRecordBuilder.portable(shape)
            .setString("name", "ada")
            .setInt32("age", 36)
            .setInt64("size", 5)
            .setFloat64("real", 2.5)
            .setBoolean("flag", true)
            .build();
    dependsOnNothingElse(record, "name", "age", "size", "real", "flag");
  }

  @Test
  void readsNothingOutsideJson() {
    Object json =
        new HazelcastJsonValue(
            "{\"name\": \"a\\\"da\", \"age\": 36, \"tags\": [1, {\"x\": \"]\"}], \"flag\": true,"
                + " \"home\": {\"city\": \"Berlin\", \"zip\": -7}, \"real\": 2.5e1}");
    dependsOnNothingElse(json, "name", "age", "size", "real", "flag", "home.city", "home.zip");
    dependsOnNothingElse(json, "$.tags[1].x", "$.home", "$.tags[9]", "$.age");
  }

  @Test
  void readsNothingOutsideScalars() {
    for (Object scalar : new Object[] {1, 2L, (short) 3, (byte) 4, 5.0, 6f, true, "text", 'c'}) {
      dependsOnNothingElse(scalar, "");
    }
  }

  private void dependsOnNothingElse(Object value, String... paths) {
    byte[] payload = members.toData(value).toByteArray();
    byte[] body = Arrays.copyOfRange(payload, 4, payload.length);
    List<FastTest> tests =
        Arrays.stream(paths)
            .flatMap(path -> conditions(path).stream())
            .map(this::compiled)
            .toList();
    int rounds = Math.max(100, ROUNDS / tests.size());
    try (NativeHeap heap = NativeHeap.open(HeapConfig.dram(4 << 20), 1);
        Table table = new Table(heap, 0, 1);
        Arena arena = Arena.ofConfined()) {
      long left = arena.allocate(3L * BESIDE, 8).address();
      long right = arena.allocate(3L * BESIDE, 8).address();
      FastTest.Scratch scratch = new FastTest.Scratch();
      for (int i = 0; i < rounds; i++) {
        byte[] changed = i == 0 ? body : changed(body);
        long record =
            table.put(
                new byte[] {1}, 0, 1, 1, 0, changed, 0, changed.length, RAW, new Attributes());
        int bytes = Records.bytes(record);
        place(record, bytes, left, (byte) 0);
        place(record, bytes, right, (byte) -1);
        for (FastTest test : tests) {
          assertThat(test.test(left + BESIDE, scratch))
              .describedAs("seed=%d round=%d %s", seed, i, value)
              .isEqualTo(test.test(right + BESIDE, scratch));
        }
      }
    }
  }

  private static void place(long record, int bytes, long to, byte beside) {
    Memory.fill(to, 3L * BESIDE, beside);
    Memory.copy(record, to + BESIDE, bytes);
  }

  private byte[] changed(byte[] body) {
    byte[] changed =
        Arrays.copyOf(body, random.nextInt(3) == 0 ? random.nextInt(body.length + 1) : body.length);
    for (int n = random.nextInt(4); n > 0 && changed.length > 0; n--) {
      changed[random.nextInt(changed.length)] =
          switch (random.nextInt(4)) {
            case 0 -> (byte) 0;
            case 1 -> (byte) -1;
            case 2 -> (byte) 0x7F;
            default -> (byte) random.nextInt();
          };
    }
    return changed;
  }

  private static List<Condition> conditions(String path) {
    Field field = new Field(false, path, FieldType.OBJECT);
    return List.of(
        new Condition.Compare(field, Comparison.GREATER, 5),
        new Condition.Compare(field, Comparison.LESS, "b"),
        new Condition.Compare(field, Comparison.EQUAL, true),
        new Condition.Like(field, "%a%", -1, false),
        new Condition.IsNull(field));
  }

  private FastTest compiled(Condition condition) {
    return FastTests.of(condition, schemas);
  }

  @Test
  void findsWhatIsThere() {
    assertThat(answer("{\"a\": {\"b\": [5, 6]}, \"c\": \"x\"}", "a.b[1]")).isEqualTo(6L);
    assertThat(answer("{\"a\": 1, \"a\": 2}", "a")).isEqualTo(1L);
    assertThat(answer("{\"\\u0061\": \"\\u00e9\\n\"}", "a")).isEqualTo("é\n");
    assertThat(answer("{\"a\": 1e2}", "a")).isEqualTo(100.0);
    assertThat(answer("{\"a\": tru}", "a")).isNull();
    assertThat(answer("{\"a\" 1}", "a")).isNull();
    assertThat(answer("", "a")).isNull();
  }

  private static @Nullable Object answer(String json, String path) {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    return JsonPath.of(path)
        .find(new JsonReader().over(bytes, 0, bytes.length), JsonPath.Manner.PLAIN);
  }
}
