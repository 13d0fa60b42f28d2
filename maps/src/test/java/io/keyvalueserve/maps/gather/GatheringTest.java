package io.keyvalueserve.maps.gather;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.map.QueryResultSizeExceededException;
import org.junit.jupiter.api.Test;

/** What results take of a tenant's heap, and that all of it is given back. */
class GatheringTest {
  private static final long MOST = 1 << 20;

  private static final class Heap implements TenantHeap {
    private long taken;

    @Override
    public synchronized boolean take(long bytes) {
      if (taken + bytes > MOST) {
        return false;
      }
      taken += bytes;
      return true;
    }

    @Override
    public synchronized void give(long bytes) {
      taken -= bytes;
      assertThat(taken).isNotNegative();
    }

    @Override
    public synchronized long free() {
      return MOST - taken;
    }
  }

  private final Heap heap = new Heap();

  @Test
  void takesWhatFitsAndRefusesTheRest() {
    Gathering result = Gathering.ofRequest(heap, 7, 1);
    result.take(MOST - 10);
    assertThatThrownBy(() -> result.take(11))
        .isInstanceOf(QueryResultSizeExceededException.class)
        .hasMessageContaining("gathered=" + (MOST - 10) + " more=11 free=10");
    result.take(10);
    assertThat(result.used()).isEqualTo(MOST);
    result.release();
    assertThat(heap.taken).isZero();
  }

  @Test
  void whatIsGivenMakesRoom() {
    Gathering result = Gathering.ofRequest(heap, 7, 1);
    result.take(MOST);
    result.give(MOST / 2);
    assertThat(result.tryTake(MOST / 2)).isTrue();
    assertThat(result.tryTake(1)).isFalse();
  }

  @Test
  void aPartIsBoundedByWhatTheOtherMemberHasRoomFor() {
    Gathering part = Gathering.ofPart(heap, 7, 4, 1000);
    assertThat(part.tryTake(1000)).isTrue();
    assertThat(part.used()).as("it is there four times").isEqualTo(4000);
    assertThat(part.tryTake(1)).isFalse();
    part.release();
    assertThat(heap.taken).isZero();
  }

  @Test
  void partsOfOthersHaveRoomBeforeTheyAreSent() {
    Gathering result = Gathering.ofRequest(heap, 7, 2);
    long part = result.lend();
    assertThat(part).isPositive();
    assertThat(heap.taken).isEqualTo(2 * part);
    long larger = result.lendMore(part);
    assertThat(larger).isEqualTo(4 * part);
    assertThat(heap.taken).isEqualTo(2 * larger);
    long other = result.lend();
    result.returnLent(other);
    assertThat(heap.taken).as("that part is gathered here").isEqualTo(2 * larger);
    result.carryOut(() -> result.arrived(larger));
    assertThat(heap.taken).as("it has arrived").isEqualTo(larger);
    result.release();
    assertThat(heap.taken).isZero();
  }

  @Test
  void aPartGrowsNoMoreWhereNothingIsFree() {
    Gathering result = Gathering.ofRequest(heap, 7, 2);
    long part = result.lend();
    while (part > 0) {
      assertThat(heap.taken).isLessThanOrEqualTo(MOST);
      part = result.lendMore(part);
    }
    assertThat(heap.taken).isZero();
  }

  @Test
  void aPartWaitsForTheRoomThatAnotherHas() {
    Gathering result = Gathering.ofRequest(heap, 7, 2);
    long part = result.lend();
    long large = result.lend();
    for (long more = result.lendMore(large); more > large; more = result.lendMore(large)) {
      large = more;
    }
    assertThat(result.lendMore(part)).as("it has what it had, and waits").isEqualTo(part);
    result.returnLent(large);
    assertThat(result.lendMore(part)).as("the other has arrived").isGreaterThan(part);
    result.release();
    assertThat(heap.taken).isZero();
  }

  @Test
  void aPartDoesNotWaitForever() {
    Gathering result = Gathering.ofRequest(heap, 7, 2);
    long part = result.lend();
    long large = result.lend();
    for (long more = result.lendMore(large); more > large; more = result.lendMore(large)) {
      large = more;
    }
    int waits = 0;
    while (result.lendMore(part) > 0) {
      waits++;
    }
    assertThat(waits).isBetween(1, 20);
    result.release();
    assertThat(heap.taken).isZero();
  }

  @Test
  void whatArrivesWithoutRoomIsRefused() {
    Gathering result = Gathering.ofRequest(heap, 7, 3);
    assertThatThrownBy(() -> result.arrived(MOST + 1))
        .isInstanceOf(QueryResultSizeExceededException.class);
  }

  @Test
  void theLastHolderGivesBack() {
    Gathering result = Gathering.ofRequest(heap, 7, 2);
    assertThat(result.retain()).isTrue();
    result.carryOut(
        () -> {
          assertThat(Gathering.current()).isSameAs(result);
          result.take(100);
          assertThat(result.lend()).isPositive();
        });
    assertThat(Gathering.current()).isNull();
    assertThat(heap.taken).as("what was lent is free").isEqualTo(100);
    result.release();
    assertThat(heap.taken).isEqualTo(100);
    result.release();
    assertThat(heap.taken).isZero();
    assertThat(result.retain()).isFalse();
    assertThat(result.tryTake(1)).isFalse();
    assertThat(result.lend()).isZero();
  }
}
