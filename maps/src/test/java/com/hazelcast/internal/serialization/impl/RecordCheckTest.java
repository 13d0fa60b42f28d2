package com.hazelcast.internal.serialization.impl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.config.SerializationConfig;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.compact.Schema;
import com.hazelcast.internal.serialization.impl.compact.SchemaService;
import com.hazelcast.nio.serialization.ClassDefinitionBuilder;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import com.hazelcast.nio.serialization.genericrecord.GenericRecordBuilder;
import io.keyvalueserve.maps.readable.Extensions;
import io.keyvalueserve.maps.readable.UnreadableException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/**
 * Goal: no record takes more memory to read than a multiple of its bytes. Method: records are read
 * whole after any of their bytes were changed; a count that is believed ends the test's own memory.
 */
@SuppressWarnings("removal") // Portable is still what clients send
class RecordCheckTest {
  /** Keeps schemas as a cluster does. */
  private static final class Schemas implements SchemaService {
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

  private final InternalSerializationService members =
      new MemberSerialization.Builder(Extensions.NONE)
          .setConfig(new SerializationConfig())
          .setSchemaService(new Schemas())
          .build();

  private static GenericRecord compact() {
    GenericRecord nested =
        GenericRecordBuilder.compact("org.example.Nested")
            .setString("city", "Berlin")
            .setArrayOfInt64("numbers", new long[] {1, 2})
            .build();
    return GenericRecordBuilder.compact("org.example.Person")
        .setString("name", "ada")
        .setInt32("age", 36)
        .setDecimal("worth", new BigDecimal("12.50"))
        .setNullableInt32("rank", 3)
        .setDate("born", LocalDate.EPOCH)
        .setArrayOfBoolean("flags", new boolean[] {true, false})
        .setArrayOfInt8("bytes", new byte[] {1, 2, 3})
        .setArrayOfString("tags", new String[] {"a", null, "b"})
        .setArrayOfDecimal("prices", new BigDecimal[] {BigDecimal.ONE})
        .setArrayOfNullableInt64("counts", new Long[] {1L, null})
        .setGenericRecord("home", nested)
        .setArrayOfGenericRecord("homes", new GenericRecord[] {nested, nested})
        .build();
  }

  private static GenericRecord portable() {
    var nestedShape =
        new ClassDefinitionBuilder(7, 2, 0).addStringField("city").addLongArrayField("n").build();
    var shape =
        new ClassDefinitionBuilder(7, 1, 0)
            .addStringField("name")
            .addIntField("age")
            .addDecimalField("worth")
            .addStringArrayField("tags")
            .addByteArrayField("bytes")
            .addDecimalArrayField("prices")
            .addDateArrayField("days")
            .addPortableField("home", nestedShape)
            .addPortableArrayField("homes", nestedShape)
            .build();
    GenericRecord nested =
        GenericRecordBuilder.portable(nestedShape)
            .setString("city", "Berlin")
            .setArrayOfInt64("n", new long[] {1, 2})
            .build();
    return GenericRecordBuilder.portable(shape)
        .setString("name", "ada")
        .setInt32("age", 36)
        .setDecimal("worth", new BigDecimal("12.50"))
        .setArrayOfString("tags", new String[] {"a", "b"})
        .setArrayOfInt8("bytes", new byte[] {1, 2, 3})
        .setArrayOfDecimal("prices", new BigDecimal[] {BigDecimal.ONE})
        .setArrayOfDate("days", new LocalDate[] {LocalDate.EPOCH})
        .setGenericRecord("home", nested)
        .setArrayOfGenericRecord("homes", new GenericRecord[] {nested, nested})
        .build();
  }

  @Test
  void recordsAreReadAsTheyWereWritten() {
    for (GenericRecord record : List.of(compact(), portable())) {
      assertThat(members.<Object>toObject(members.toData(record))).isEqualTo(record);
    }
  }

  @Test
  void noChangedByteTakesMoreMemoryThanThereAreBytes() {
    long seed = Long.getLong("kvs.seed", System.nanoTime());
    Random random = new Random(seed);
    for (GenericRecord record : List.of(compact(), portable())) {
      byte[] written = members.toData(record).toByteArray();
      for (int i = 0; i < 3_000; i++) {
        byte[] bytes = written.clone();
        int at = HeapData.DATA_OFFSET + random.nextInt(bytes.length - HeapData.DATA_OFFSET);
        for (int more = random.nextInt(4); more >= 0 && at < bytes.length; more--) {
          bytes[at++] = random.nextBoolean() ? 0x7f : (byte) random.nextInt();
        }
        byte[] cut = random.nextInt(8) == 0 ? Arrays.copyOf(bytes, 12 + random.nextInt(40)) : bytes;
        read(new HeapData(cut), seed);
      }
    }
  }

  /** Reads all fields, once for a query and once as a whole. */
  private void read(Data data, long seed) {
    try {
      var record = members.readAsInternalGenericRecord(data);
      for (String field : record.getFieldNames()) {
        Object _ =
            FieldOperations.fieldOperations(record.getFieldKind(field))
                .readAsLeafObjectOnQuery(record, field);
      }
      Object _ = members.toObject(data);
    } catch (OutOfMemoryError | StackOverflowError e) {
      throw new AssertionError("seed=" + seed + " bytes=" + Arrays.toString(data.toByteArray()), e);
    } catch (Exception _) {
      // bytes that are no record are refused in one way or another
    }
  }

  @Test
  void numbersOfEndlessDigitsAreRefused() {
    GenericRecord record =
        GenericRecordBuilder.compact("org.example.Priced")
            .setDecimal("price", new BigDecimal(BigInteger.ONE, Integer.MIN_VALUE))
            .build();
    Data data = members.toData(record);
    assertThatThrownBy(() -> members.readAsInternalGenericRecord(data))
        .isInstanceOf(UnreadableException.class)
        .hasMessageContaining("decimal places");
    assertThatThrownBy(() -> members.toObject(data))
        .isInstanceOf(HazelcastSerializationException.class);
  }

  /** Each of its fields is the same bytes: what all together come to is bounded. */
  @Test
  void manyFieldsThatNameTheSameBytesAreRefused() {
    String[] tags = new String[200];
    Arrays.fill(tags, 1, 200, "");
    tags[0] = "x".repeat(100);
    Data data =
        members.toData(
            GenericRecordBuilder.compact("org.example.Tagged")
                .setArrayOfString("tags", tags)
                .build());
    byte[] bytes = data.toByteArray();
    int end = bytes.length - Short.BYTES; // the record's own table has one place
    for (int at = end - 200 * Short.BYTES; at < end; at++) {
      bytes[at] = 0;
    }
    assertThatThrownBy(() -> members.toObject(new HeapData(bytes)))
        .isInstanceOf(UnreadableException.class);
  }
}
