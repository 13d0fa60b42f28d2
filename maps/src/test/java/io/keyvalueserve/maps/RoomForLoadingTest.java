package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.memory.HeapConfig;
import io.keyvalueserve.memory.NativeHeap;
import io.keyvalueserve.memory.OutOfNativeMemoryException;
import org.junit.jupiter.api.Test;

/** Goal: a load is given up when there is no way to have memory come free, and not before. */
class RoomForLoadingTest {
  private static final long PATIENCE_NANOS = 5_000_000;

  private final Maker maker = new Maker();
  private final RoomForLoading room = new RoomForLoading(maker, PATIENCE_NANOS);
  private final OutOfNativeMemoryException failure = failure();

  private static final class Maker implements RoomForLoading.Maker {
    boolean possible = true;
    boolean little;
    int available;
    int asked;

    @Override
    public boolean isPossible() {
      return possible;
    }

    @Override
    public boolean isLittle() {
      return little;
    }

    @Override
    public boolean make(boolean urgently) {
      asked++;
      return available-- > 0;
    }
  }

  private static OutOfNativeMemoryException failure() {
    try (NativeHeap heap = NativeHeap.open(HeapConfig.dram(4 << 20), 1)) {
      long _ = heap.allocatePages(1_000_000);
      throw new AssertionError("so much memory was not to be had");
    } catch (OutOfNativeMemoryException e) {
      return e;
    }
  }

  private RoomForLoading.Attempts begun() {
    RoomForLoading.Attempts attempts = room.attempts();
    attempts.begin();
    return attempts;
  }

  @Test
  void whatOneLoaderMakesIsTriedByTheOthersToo() {
    maker.available = 1;
    RoomForLoading.Attempts one = begun();
    RoomForLoading.Attempts other = begun();
    one.failed(failure);
    other.failed(failure);
    assertThat(maker.asked).isEqualTo(1);
  }

  /** One may have looked at all that there is. */
  @Test
  void whatOneLoaderLooksForInVainOthersDoNotLookForAtOnce() {
    RoomForLoading.Attempts one = begun();
    RoomForLoading.Attempts other = begun();
    one.failed(failure);
    other.failed(failure);
    assertThat(maker.asked).isEqualTo(1);
    other.begin();
    other.failed(failure);
    assertThat(maker.asked).isEqualTo(2);
  }

  @Test
  void whoFailsOnceMoreHasMoreMade() {
    maker.available = 2;
    RoomForLoading.Attempts one = begun();
    one.failed(failure);
    one.begin();
    one.failed(failure);
    assertThat(maker.asked).isEqualTo(2);
  }

  /** What came free may be looked at for a while. */
  @Test
  void itIsTriedForAWhileWhenNothingIsToBeMade() {
    maker.available = 1;
    RoomForLoading.Attempts one = begun();
    one.failed(failure);
    long begin = System.nanoTime();
    int[] inVain = {0};
    assertThatThrownBy(
            () -> {
              while (true) {
                one.begin();
                inVain[0]++;
                one.failed(failure);
              }
            })
        .isSameAs(failure);
    assertThat(System.nanoTime() - begin).isGreaterThan(PATIENCE_NANOS);
    assertThat(inVain[0]).isGreaterThan(2);
  }

  @Test
  void itIsGivenUpAtOnceWhereNothingCanBeMade() {
    maker.possible = false;
    RoomForLoading.Attempts one = begun();
    assertThatThrownBy(() -> one.failed(failure)).isSameAs(failure);
    assertThat(maker.asked).isZero();
  }

  @Test
  void roomIsMadeBeforeThereIsNone() {
    maker.available = 1;
    RoomForLoading.Attempts _ = begun();
    assertThat(maker.asked).isZero();
    maker.little = true;
    RoomForLoading.Attempts _ = begun();
    assertThat(maker.asked).isEqualTo(1);
  }
}
