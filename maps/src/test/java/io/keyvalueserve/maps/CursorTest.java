package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.internal.iteration.IterationPointer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CursorTest {
  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2, 0x7FFF_FFFFL, 0x8000_0000L, 0xFFFF_FFFEL, 0xFFFF_FFFFL})
  void survivesTheFormOfClients(long cursor) {
    IterationPointer[] pointers = Cursor.pointers(cursor);
    assertThat(pointers).hasSize(1);
    assertThat(pointers[0].getIndex()).as("what clients look at").isNotNegative();
    assertThat(Cursor.of(pointers)).isEqualTo(cursor);
  }

  @Test
  void beginsWhereClientsBegin() {
    assertThat(Cursor.of(new IterationPointer[] {new IterationPointer(Integer.MAX_VALUE, -1)}))
        .isZero();
  }

  @Test
  void endsWhereClientsLook() {
    assertThat(Cursor.pointers(-1)[0].getIndex()).isNegative();
    assertThat(Cursor.of(Cursor.pointers(-1))).isNegative();
  }
}
