package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.impl.HeapData;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

final class TimedKeysTest {
  private final TimedKeys keys = new TimedKeys();

  @Test
  void aKeyIsThereUntilItsTimeOrUntilItIsRemoved() {
    keys.add(key(1, 16), 100);
    keys.add(key(2, 16), 100);
    assertThat(keys.has(key(1, 16), 99)).isTrue();
    assertThat(keys.has(key(1, 16), 100)).isFalse();
    assertThat(keys.has(key(1, 16), 99)).as("it was removed").isFalse();
    keys.forget(key(2, 16));
    assertThat(keys.has(key(2, 16), 0)).isFalse();
    keys.add(key(3, 16), 100);
    keys.clear();
    assertThat(keys.has(key(3, 16), 0)).isFalse();
  }

  @Test
  void theOldestGoWhenThereAreTooManyOrTooLong() {
    for (int i = 0; i < 1_500; i++) {
      keys.add(key(i, 16), 100);
    }
    assertThat(keys.has(key(499, 16), 0)).isFalse();
    assertThat(keys.has(key(500, 16), 0)).isTrue();
    keys.add(key(7, 63 << 10), 100);
    assertThat(keys.has(key(7, 63 << 10), 0)).isTrue();
    assertThat(keys.has(key(500, 16), 0)).isFalse();
  }

  private static Data key(int number, int length) {
    return new HeapData(ByteBuffer.allocate(length).putInt(8, number).array());
  }
}
