package io.keyvalueserve.grid.space;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.SerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class KeyTextTest {
  private final SerializationService serialization =
      new DefaultSerializationServiceBuilder().build();
  private final KeyText text = new KeyText();
  private final long seed = Long.getLong("kvs.seed", System.nanoTime());
  private final Random random = new Random(seed);

  private Optional<String> read(byte[] data) {
    byte[] padded = new byte[data.length + 7];
    random.nextBytes(padded);
    System.arraycopy(data, 0, padded, 3, data.length);
    return text.read(padded, 3, data.length)
        ? Optional.of(
            new String(text.bytes(), text.offset(), text.length(), StandardCharsets.UTF_8))
        : Optional.empty();
  }

  private Optional<String> textOf(Object key) {
    Data data = serialization.toData(key);
    return read(data.toByteArray());
  }

  @Test
  void isWhatJavaWrites() {
    for (int i = 0; i < 20_000; i++) {
      long number = random.nextLong() >> random.nextInt(64);
      List<Object> keys =
          List.of(
              (byte) number,
              (short) number,
              (int) number,
              number,
              Float.intBitsToFloat(random.nextInt()),
              Double.longBitsToDouble(random.nextLong()),
              new UUID(random.nextLong(), random.nextLong()),
              new BigInteger(random.nextInt(500), random).negate(),
              new BigDecimal(new BigInteger(random.nextInt(300), random), random.nextInt(99) - 50));
      for (Object key : keys) {
        assertThat(textOf(key)).describedAs("seed=%d %s", seed, key.getClass()).hasValue("" + key);
      }
    }
    for (Object key :
        List.of(Long.MIN_VALUE, Long.MAX_VALUE, Integer.MIN_VALUE, Byte.MIN_VALUE, 0, -1L)) {
      assertThat(textOf(key)).hasValue("" + key);
    }
  }

  @Test
  void isTheTextOfStringsAndBytes() {
    for (String key :
        List.of("", "k", "user:1", "\u0000", "é", "\ud83d\ude00", "x".repeat(9_000))) {
      assertThat(textOf(key)).hasValue(key);
      assertThat(textOf(key.getBytes(StandardCharsets.UTF_8))).hasValue(key);
    }
  }

  @Test
  void othersHaveNone() {
    record Point(int x) implements Serializable {}
    for (Object key :
        List.of(
            true,
            'c',
            LocalDate.EPOCH,
            new Point(1),
            new int[] {1},
            List.of("k"),
            BigInteger.ONE.shiftLeft(10_000),
            new BigDecimal(BigInteger.ONE, 100_000))) {
      assertThat(textOf(key)).describedAs("%s", key).isEmpty();
    }
  }

  @Test
  void bytesThatAreNoKeyHaveNoneAndDoNoHarm() {
    for (int i = 0; i < 200_000; i++) {
      byte[] data = new byte[random.nextInt(40)];
      random.nextBytes(data);
      if (data.length >= 8 && random.nextInt(4) > 0) {
        Arrays.fill(data, 4, 7, (byte) -1);
        data[7] = (byte) -random.nextInt(30);
      }
      assertThat(read(data)).isNotNull();
    }
    byte[] longer = serialization.toData("key").toByteArray();
    assertThat(read(Arrays.copyOf(longer, longer.length + 1))).isEmpty();
    assertThat(read(Arrays.copyOf(longer, longer.length - 1))).isEmpty();
  }
}
