package io.keyvalueserve.engine.value;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Goal: a sketch counts as well as the theory says, has the bytes that Redis gives it, and no bytes
 * that a client wrote do harm. Method: many elements, in both encodings; bytes noted from Redis;
 * random changes of good sketches. {@code DifferentialTest} compares with a running Redis.
 */
class SketchTest {
  @Test
  void countsWithinTwoPercent() throws CorruptSketch {
    Sketch sketch = Sketch.empty();
    int added = 0;
    for (int size : new int[] {1, 10, 100, 1_000, 10_000, 100_000, 1_000_000}) {
      while (added < size) {
        boolean _ = sketch.add(element(added++));
      }
      sketch.outdate();
      assertThat((double) Sketch.count(sketch.value()))
          .as("of %d", size)
          .isCloseTo(size, within(Math.max(size * 0.02, 0.5)));
    }
  }

  @Test
  void hasTheBytesThatRedisGivesIt() throws CorruptSketch {
    Sketch sketch = Sketch.empty();
    for (String element : new String[] {"a", "b", "c"}) {
      assertThat(sketch.add(element.getBytes(US_ASCII))).isTrue();
    }
    assertThat(HexFormat.of().formatHex(sketch.value()))
        .isEqualTo("48594c4c010000000000000000000080" + "60f38050b1844bfb80425a");
    assertThat(Sketch.count(sketch.value())).isEqualTo(3);
  }

  @Test
  void bothEncodingsCountTheSame() throws CorruptSketch {
    Sketch sparse = Sketch.empty();
    Sketch dense = Sketch.empty();
    dense.makeDense();
    for (int i = 0; i < 3_000; i++) {
      assertThat(sparse.add(element(i))).isEqualTo(dense.add(element(i)));
    }
    sparse.outdate();
    dense.outdate();
    assertThat(Sketch.isDense(Sketch.empty().value())).isFalse();
    assertThat(Sketch.count(sparse.value())).isEqualTo(Sketch.count(dense.value()));
    sparse.makeDense();
    assertThat(sparse.value()).isEqualTo(dense.value());
  }

  @Test
  void becomesDenseWhenItIsLong() throws CorruptSketch {
    Sketch sketch = Sketch.empty();
    int added = 0;
    while (!Sketch.isDense(sketch.value())) {
      assertThat(sketch.value().length).isLessThanOrEqualTo(Sketch.MOST_SPARSE_BYTES);
      boolean _ = sketch.add(element(added++));
    }
    assertThat(added).isBetween(1_000, 3_000);
    assertThat(sketch.value()).hasSize(Sketch.DENSE_BYTES);
  }

  @Test
  void mergingAgainChangesNothingAndOrderDoesNotMatter() throws CorruptSketch {
    for (int size : new int[] {50, 20_000}) {
      byte[] one = of(0, size).value();
      byte[] other = of(size / 2, 2 * size).value();
      byte[] first = new byte[Sketch.REGISTERS];
      Sketch.merge(one, first);
      Sketch.merge(other, first);
      byte[] again = first.clone();
      Sketch.merge(other, again);
      Sketch.merge(one, again);
      byte[] reversed = new byte[Sketch.REGISTERS];
      Sketch.merge(other, reversed);
      Sketch.merge(one, reversed);
      assertThat(again).isEqualTo(first);
      assertThat(reversed).isEqualTo(first);
      Sketch merged = Sketch.of(one);
      merged.raiseAll(first);
      byte[] once = merged.value().clone();
      merged.raiseAll(first);
      assertThat(merged.value()).isEqualTo(once);
      merged.outdate();
      assertThat(Sketch.count(merged.value())).isEqualTo(Sketch.countRegisters(first));
      assertThat((double) Sketch.countRegisters(first))
          .isCloseTo(2.0 * size, within(Math.max(0.02 * 2 * size, 3)));
    }
  }

  @Test
  void believesACardinalityThatIsNotOutOfDate() throws CorruptSketch {
    byte[] value = Sketch.empty().value();
    value[8] = 77;
    assertThat(Sketch.count(value)).isEqualTo(77);
  }

  @Test
  void whatIsNoSketchIsTold() {
    assertThat(Sketch.isSketch(new byte[0])).isFalse();
    assertThat(Sketch.isSketch("HYLL".getBytes(US_ASCII))).isFalse();
    byte[] dense = new byte[Sketch.DENSE_BYTES - 1];
    System.arraycopy("HYLL".getBytes(US_ASCII), 0, dense, 0, 4);
    assertThat(Sketch.isSketch(dense)).isFalse();
    byte[] unknown = Sketch.empty().value();
    unknown[4] = 2;
    assertThat(Sketch.isSketch(unknown)).isFalse();
  }

  /** Whatever the bytes are, each method returns or says that they are corrupt. */
  @Test
  void hostileBytesAreCorruptAndNothingMore() throws CorruptSketch {
    long seed = Long.getLong("kvs.seed", System.nanoTime());
    Random random = new Random(seed);
    byte[][] good = {Sketch.empty().value(), of(0, 30).value(), of(0, 1_000).value()};
    int corrupt = 0;
    for (int round = 0; round < 20_000; round++) {
      byte[] value = good[random.nextInt(good.length)].clone();
      value = Arrays.copyOf(value, Math.max(16, value.length + random.nextInt(9) - 4));
      for (int i = random.nextInt(6); i >= 0; i--) {
        if (value.length > 16) {
          value[16 + random.nextInt(value.length - 16)] = (byte) random.nextInt(256);
        }
      }
      value[15] |= (byte) 0x80;
      assertThat(Sketch.isSketch(value)).isTrue();
      try {
        switch (round % 4) {
          case 0 -> Sketch.count(value);
          case 1 -> Sketch.merge(value, new byte[Sketch.REGISTERS]);
          case 2 -> Sketch.of(value).makeDense();
          default -> {
            Sketch sketch = Sketch.of(value);
            for (int i = 0; i < 50; i++) {
              boolean _ = sketch.add(element(random.nextInt()));
            }
          }
        }
      } catch (CorruptSketch e) {
        corrupt++;
      } catch (RuntimeException e) {
        throw new AssertionError("seed=" + seed + " value=" + Arrays.toString(value), e);
      }
    }
    assertThat(corrupt).isBetween(1_000, 19_000);
    byte[] dense = new byte[Sketch.DENSE_BYTES];
    random.nextBytes(dense);
    System.arraycopy("HYLL\0\0\0\0".getBytes(US_ASCII), 0, dense, 0, 8);
    dense[15] |= (byte) 0x80;
    assertThat(Sketch.isSketch(dense)).isTrue();
    assertThat(Sketch.count(dense)).isPositive();
  }

  private static Sketch of(int from, int to) throws CorruptSketch {
    Sketch sketch = Sketch.empty();
    for (int i = from; i < to; i++) {
      boolean _ = sketch.add(element(i));
    }
    return sketch;
  }

  private static byte[] element(int number) {
    return ("element:" + number).getBytes(US_ASCII);
  }
}
