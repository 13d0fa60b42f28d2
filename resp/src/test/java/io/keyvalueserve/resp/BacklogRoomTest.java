package io.keyvalueserve.resp;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.gates.heap.HeapUse;
import io.keyvalueserve.gates.heap.MemberHeap;
import io.keyvalueserve.resp.RespServerConfig.BacklogLimits;
import org.junit.jupiter.api.Test;

/** What is read ahead counts to the heap that tenants use together. */
class BacklogRoomTest {
  private static final long UNIT = BacklogRoom.UNIT_BYTES;

  private final MemberHeap heap = new MemberHeap(20 * UNIT);
  private final BacklogRoom room =
      new BacklogRoom(new BacklogLimits(100 * UNIT, 100 * UNIT, 100 * UNIT), heap);

  @Test
  void aTenantReadsAheadNoMoreThanItsPartOfTheHeap() {
    BacklogRoom.Part part = room.new Part();
    assertThat(part.covers(4 * UNIT, 1)).isTrue();
    assertThat(heap.used(HeapUse.READ_AHEAD)).isEqualTo(room.held()).isEqualTo(4 * UNIT);
    assertThat(heap.reserved(1)).isPositive();
    assertThat(part.covers(11 * UNIT, 1)).as("half of it is for one that is alone").isFalse();
    long had = room.held();
    assertThat(had).isBetween(9 * UNIT, 10 * UNIT);
    assertThat(heap.used(HeapUse.READ_AHEAD)).isEqualTo(had);
    part.shrink(0);
    assertThat(room.held()).isZero();
    assertThat(heap.used(HeapUse.READ_AHEAD)).isZero();
  }

  @Test
  void whatATenantUsesForOtherThingsIsNotThereForIt() {
    heap.lease(1, HeapUse.VALUES).force(10 * UNIT);
    BacklogRoom.Part part = room.new Part();
    assertThat(part.covers(UNIT, 1)).isFalse();
    assertThat(room.held()).isZero();
    assertThat(room.new Part().covers(UNIT, 2)).as("another tenant").isTrue();
  }
}
