package io.keyvalueserve.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EndingTest {
  private final List<Integer> closed = new ArrayList<>();

  @Test
  void takesEveryStepAndThrowsTheFirstFailureWithTheOthersInIt() {
    Ending ending = new Ending();
    IOException first = new IOException("first");
    IllegalStateException second = new IllegalStateException("second");
    ending.step(() -> closed.add(1));
    ending.step(
        () -> {
          throw first;
        });
    ending.step(() -> closed.add(2));
    ending.step(
        () -> {
          throw second;
        });
    ending.step(() -> closed.add(3));
    assertThatThrownBy(ending::end).isSameAs(first).hasSuppressedException(second);
    assertThat(closed).containsExactly(1, 2, 3);
  }

  @Test
  void endsQuietlyIfNothingFailed() {
    Ending ending = new Ending();
    ending.step(() -> closed.add(1));
    assertThatCode(ending::end).doesNotThrowAnyException();
  }

  @Test
  void makesAllOrClosesThoseThatWereMade() {
    OutOfMemoryError noMore = new OutOfMemoryError("no more");
    IOException atClosing = new IOException("at closing");
    assertThatThrownBy(
            () ->
                Ending.<Closeable>makeAll(
                    4,
                    i -> {
                      if (i == 3) {
                        throw noMore;
                      }
                      return () -> {
                        closed.add(i);
                        if (i == 0) {
                          throw atClosing;
                        }
                      };
                    }))
        .isSameAs(noMore)
        .hasSuppressedException(atClosing);
    assertThat(closed).containsExactlyInAnyOrder(0, 1, 2);
  }
}
