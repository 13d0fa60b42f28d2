package io.keyvalueserve.resp.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** As many as a request may have; {@link RequestDecoderTest} has all mixtures of few. */
class ManyArgumentsTest {
  private static final int MOST = 1 << 20;

  @Test
  void shortOnesAreFoundBehindManyLongOnes() {
    byte[] long1 = new byte[ManyArguments.MOST_SHORT_BYTES + 1];
    ManyArguments many = new ManyArguments(MOST);
    for (int i = 0; i < MOST - 2; i++) {
      many.add(long1);
    }
    addShort(many, new byte[] {1, 2, 3});
    addShort(many, new byte[0]);
    assertThat(many.count()).isEqualTo(MOST);
    assertThat(many.bytes()).isEqualTo((MOST - 2L) * long1.length + 3);
    assertThat(many.argument(MOST - 3)).isSameAs(long1);
    assertThat(many.argument(MOST - 2)).containsExactly(1, 2, 3);
    assertThat(many.argument(MOST - 1)).isEmpty();
  }

  @Test
  void theLastOfAMillionIsFound() {
    byte[] most = new byte[ManyArguments.MOST_SHORT_BYTES / 16];
    Arrays.fill(most, (byte) 7);
    ManyArguments many = new ManyArguments(MOST);
    for (int i = 0; i < MOST; i++) {
      most[0] = (byte) i;
      addShort(many, most);
    }
    assertThat(many.argument(0)).startsWith(0, 7).hasSize(most.length);
    assertThat(many.argument(MOST - 1)).startsWith(255, 7).hasSize(most.length);
    assertThat(many.array(MOST - 1)[many.offset(MOST - 1)]).isEqualTo((byte) 255);
    assertThat(many.length(MOST - 1)).isEqualTo(most.length);
  }

  private static void addShort(ManyArguments many, byte[] argument) {
    many.begin(argument.length);
    many.read(Unpooled.wrappedBuffer(argument), argument.length);
  }
}
