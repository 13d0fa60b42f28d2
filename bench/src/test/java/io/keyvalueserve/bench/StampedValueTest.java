package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class StampedValueTest {
  private static final long SALT = 99;

  @Test
  void saysWhoseItIs() {
    for (int length : new int[] {StampedValue.SHORTEST, 31, 32, 1000, 300 << 10}) {
      StampedValue stamp = new StampedValue(7, 1L << 40, length);
      byte[] bytes = stamp.bytes(SALT);
      assertThat(bytes).hasSize(length);
      assertThat(StampedValue.read(bytes, SALT)).isEqualTo(stamp);
    }
  }

  @Test
  void noticesEveryFlippedBitAndEveryMissingByte() {
    byte[] whole = new StampedValue(7, 3, 60).bytes(SALT);
    for (int bit = 0; bit < whole.length * 8; bit++) {
      byte[] flipped = whole.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      assertThatThrownBy(() -> StampedValue.read(flipped, SALT))
          .isInstanceOf(IllegalArgumentException.class);
    }
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> StampedValue.read(cut, SALT))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void valuesOfWritesThatFollowEachOtherShareNothing() {
    byte[] one = new StampedValue(7, 3, 1000).bytes(SALT);
    byte[] next = new StampedValue(7, 4, 1000).bytes(SALT);
    int same = 0;
    for (int i = StampedValue.SHORTEST; i < one.length; i++) {
      same += one[i] == next[i] ? 1 : 0;
    }
    assertThat(same).isLessThan(50);
  }
}
