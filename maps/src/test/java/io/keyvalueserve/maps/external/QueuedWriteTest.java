package io.keyvalueserve.maps.external;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.internal.serialization.impl.HeapData;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The stored form of a write, which outlives the member. */
final class QueuedWriteTest {
  private static final HeapData VALUE =
      new HeapData(new byte[] {0, 0, 0, 0, -1, -1, -1, -11, 0, 0, 0, 1, 'v'});

  @Test
  void theFormIsReadAsItWasWritten() {
    for (QueuedWrite write :
        new QueuedWrite[] {
          new QueuedWrite(7, 1_700_000_000_000L, VALUE, null),
          new QueuedWrite(-1, 0, null, null),
          new QueuedWrite(Long.MAX_VALUE, 1, VALUE, ""),
          new QueuedWrite(1, 1, null, "violates check \u00e4")
        }) {
      assertThat(QueuedWrite.decode(write.encode())).isEqualTo(write);
    }
  }

  @Test
  void aLongReasonIsCut() {
    QueuedWrite read =
        QueuedWrite.decode(new QueuedWrite(1, 2, VALUE, "x".repeat(100_000)).encode());
    assertThat(read.refused()).hasSize(1_000);
    assertThat(read.value()).isEqualTo(VALUE);
  }

  @Test
  void damagedBytesAreRefusedOrReadButNeverMore() {
    Random random = new Random(1);
    byte[] whole = new QueuedWrite(1, 2, VALUE, "why").encode();
    assertThatThrownBy(() -> QueuedWrite.decode(new byte[20]))
        .isInstanceOf(IllegalArgumentException.class);
    for (int i = 0; i < 100_000; i++) {
      byte[] bytes = Arrays.copyOf(whole, random.nextInt(whole.length + 1));
      if (bytes.length > 0) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      try {
        QueuedWrite _ = QueuedWrite.decode(bytes);
      } catch (IllegalArgumentException e) {
        assertThat(e).hasMessageNotContaining("null");
      }
    }
  }
}
