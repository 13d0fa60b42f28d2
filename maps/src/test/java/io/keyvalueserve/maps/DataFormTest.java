package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.HazelcastJsonValue;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.impl.HeapData;
import com.hazelcast.partition.PartitionAware;
import com.hazelcast.partition.strategy.DefaultPartitioningStrategy;
import java.io.Serializable;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is put into memory comes out of it as it was, in as few bytes as it needs. */
final class DataFormTest {
  static Stream<Object> objects() {
    return Stream.of(
        "",
        "plain",
        "Größe \uD83D\uDE00 \u0000",
        new byte[0],
        new byte[] {0, 1, -1},
        1,
        -1L,
        1.5,
        true,
        'x',
        new UUID(1, 2),
        new BigDecimal("1.25"),
        new HazelcastJsonValue("{\"a\":1}"),
        new ArrayList<>(List.of("a", 1)),
        new int[] {1, 2, 3});
  }

  @ParameterizedTest
  @MethodSource("objects")
  void keepsKeysAndValues(Object object) {
    Data data = Entries.data(object);
    try (Entries test = new Entries()) {
      NativeRecord record = test.put(object, object);
      assertThat(payload(record.getValue())).isEqualTo(data.toByteArray());
      assertThat(payload(DataForm.key(record.locate()))).isEqualTo(data.toByteArray());
      assertThat(test.entries.contains(Entries.data(object))).isTrue();
    }
  }

  @Test
  void keepsOnlyTheBytesOfStringsAndArrays() {
    assertThat(DataForm.of(Entries.data("abc").toByteArray())).isEqualTo(DataForm.STRING);
    assertThat(DataForm.of(Entries.data(new byte[3]).toByteArray())).isEqualTo(DataForm.BYTES);
    assertThat(DataForm.of(Entries.data(1).toByteArray())).isEqualTo(DataForm.RAW);
    assertThat(DataForm.of(DataForm.payload(null))).isEqualTo(DataForm.NULL);
  }

  @Test
  void takesWhatOnlyLooksLikeAStringAsItIs() {
    byte[] wrong = Entries.data("abc").toByteArray().clone();
    wrong[11] = 2; // says two bytes, has three
    try (Entries test = new Entries()) {
      Data data = new HeapData(wrong);
      assertThat(DataForm.of(wrong)).isEqualTo(DataForm.RAW);
      long record = test.entries.put(data, data, test.entries.attributes().clear());
      assertThat(payload(DataForm.key(record))).isEqualTo(wrong);
      assertThat(payload(DataForm.value(record))).isEqualTo(wrong);
    }
  }

  @Test
  void keepsThePartitionHashOfAKeyApartFromItsIdentity() {
    Data key =
        Entries.SERIALIZATION.toData(
            new Colocated("k", "elsewhere"), new DefaultPartitioningStrategy());
    assertThat(key.hasPartitionHash()).isTrue();
    try (Entries test = new Entries()) {
      long record = test.entries.put(key, key, test.entries.attributes().clear());
      assertThat(payload(DataForm.key(record))).isEqualTo(key.toByteArray());
      byte[] without = key.toByteArray().clone();
      Arrays.fill(without, 0, Integer.BYTES, (byte) 0);
      assertThat(test.entries.find(new HeapData(without))).isEqualTo(record);
    }
  }

  @Test
  void keepsNothingAsNothing() {
    try (Entries test = new Entries()) {
      assertThat(test.put("k", null).getValue()).isNull();
      assertThat(test.entries.contains(Entries.data("k"))).isTrue();
    }
  }

  private static byte[] payload(@Nullable Data data) {
    return DataForm.payload(data);
  }

  private record Colocated(String key, String with)
      implements PartitionAware<String>, Serializable {
    @Override
    public String getPartitionKey() {
      return with;
    }
  }
}
