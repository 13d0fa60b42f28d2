package io.keyvalueserve.engine.collection;

import static io.keyvalueserve.engine.Batches.latin;
import static io.keyvalueserve.engine.Batches.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.engine.Expiry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A packed hash beside Java's own, and beside bytes that are none. */
final class PackedHashTest {
  private static final long NOW = 1_000_000;
  private static final int ROUNDS = 20_000;

  @Test
  void doesWhatAMapDoes() {
    Random random = new Random(5);
    Map<String, String> model = new LinkedHashMap<>();
    CollectionValue packed = null;
    for (int round = 0; round < ROUNDS; round++) {
      PackedHash hash = new PackedHash(packed, NOW);
      int steps = random.nextInt(10) == 0 ? 30 : 1 + random.nextInt(3);
      for (int step = 0; step < steps; step++) {
        String name = "f".repeat(random.nextInt(3) * 70) + random.nextInt(12);
        Bytes bytes = Bytes.of(utf8(name));
        switch (random.nextInt(4)) {
          case 0, 1 -> {
            String value = "v".repeat(random.nextInt(200)) + round;
            long expireAt = random.nextInt(50) == 0 ? NOW + 1 : Expiry.NONE;
            assertThat(hash.put(bytes, Bytes.of(utf8(value)), expireAt))
                .isEqualTo(model.put(name, value) == null);
          }
          case 2 -> assertThat(hash.remove(bytes)).isEqualTo(model.remove(name) != null);
          default -> {
            HashView.Field field = hash.get(bytes);
            assertThat(field == null ? null : latin(field.value().toArray()))
                .isEqualTo(model.get(name));
          }
        }
      }
      assertThat(hash.size()).isEqualTo(model.size());
      assertThat(contents(hash)).isEqualTo(contents(model));
      packed = hash.isChanged() ? hash.pack() : packed;
      if (model.isEmpty() && random.nextBoolean()) {
        packed = null;
      }
      assertThat(contents(new PackedHash(packed, NOW))).isEqualTo(contents(model));
    }
  }

  @Test
  void fieldsExpire() {
    PackedHash hash = new PackedHash(null, NOW);
    hash.put(Bytes.of(utf8("a")), Bytes.of(utf8("1")), NOW + 1);
    hash.put(Bytes.of(utf8("b")), Bytes.of(utf8("2")), NOW + 2);
    hash.put(Bytes.of(utf8("c")), Bytes.of(utf8("3")), Expiry.NONE);
    CollectionValue packed = hash.pack();
    assertThat(contents(new PackedHash(packed, NOW))).containsExactly("a=1", "b=2", "c=3");
    PackedHash later = new PackedHash(packed, NOW + 1);
    assertThat(contents(later)).containsExactly("b=2", "c=3");
    assertThat(later.isChanged()).isTrue();
    PackedHash last = new PackedHash(later.pack(), NOW + 2);
    assertThat(contents(last)).containsExactly("c=3");
    assertThat(last.pack().length()).isEqualTo(5 + 4);
  }

  @Test
  void bytesThatAreNoHashAreRefusedOrReadButNothingElse() {
    bytesThatAreNoHash(NOW);
    bytesThatAreNoHash(Expiry.NONE);
  }

  private static void bytesThatAreNoHash(long firstExpiry) {
    Random random = new Random(6);
    PackedHash hash = new PackedHash(null, NOW);
    for (int i = 0; i < 40; i++) {
      hash.put(
          Bytes.of(utf8("field" + i)),
          Bytes.of(utf8("v".repeat(i * 5))),
          firstExpiry != Expiry.NONE && i % 2 == 0 ? firstExpiry + i : Expiry.NONE);
    }
    byte[] whole = bytes(hash.pack());
    int refused = 0;
    for (int round = 0; round < ROUNDS; round++) {
      byte[] bytes = whole.clone();
      int length = random.nextInt(4) == 0 ? random.nextInt(bytes.length) : bytes.length;
      for (int i = random.nextInt(4); i >= 0; i--) {
        int at = random.nextInt(3) == 0 ? random.nextInt(6) : random.nextInt(bytes.length);
        bytes[at] = (byte) random.nextInt(256);
      }
      try {
        PackedHash damaged =
            new PackedHash(new CollectionValue(CollectionType.HASH, bytes, 0, length), NOW);
        damaged.get(Bytes.of(utf8("field7")));
        damaged.put(Bytes.of(utf8("field8")), Bytes.of(utf8("x")), Expiry.NONE);
        damaged.remove(Bytes.of(utf8("field9")));
        assertThat(contents(damaged).size()).isLessThan(length);
        assertThat(contents(new PackedHash(damaged.pack(), NOW))).contains("field8=x");
      } catch (CorruptCollectionException e) {
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(ROUNDS / 4);
  }

  private static byte[] bytes(CollectionValue value) {
    return new Bytes(value.bytes(), value.offset(), value.length()).toArray();
  }

  private static List<String> contents(HashView hash) {
    List<String> all = new ArrayList<>();
    hash.forEach(
        field -> all.add(latin(field.name().toArray()) + "=" + latin(field.value().toArray())));
    return all;
  }

  private static List<String> contents(Map<String, String> model) {
    List<String> all = new ArrayList<>();
    model.forEach((name, value) -> all.add(name + "=" + value));
    return all;
  }
}
