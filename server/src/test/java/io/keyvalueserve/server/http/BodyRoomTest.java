package io.keyvalueserve.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.gates.heap.HeapUse;
import io.keyvalueserve.gates.heap.MemberHeap;
import org.junit.jupiter.api.Test;

class BodyRoomTest {
  private static final long KIB = 1024;
  private static final long UNCOUNTED = 64 * KIB;

  private final BodyRoom room = new BodyRoom(1000 * KIB, MemberHeap.unbounded());

  @Test
  void countsWhatIsLargeAndTakesItBack() {
    try (BodyRoom.Part part = room.part(1)) {
      part.take(10 * KIB);
      part.take(54 * KIB);
      assertThat(room.used()).isZero();
      part.take(100 * KIB);
      part.take(KIB);
      assertThat(room.used()).isEqualTo(101 * KIB);
    }
    assertThat(room.used()).isZero();
  }

  @Test
  void aTenantThatUsesMuchHeapForOtherThingsFindsNoRoom() {
    MemberHeap whole = new MemberHeap(1000 * KIB);
    whole.lease(1, HeapUse.KEPT).force(400 * KIB);
    BodyRoom shared = new BodyRoom(10_000 * KIB, whole);
    try (BodyRoom.Part part = shared.part(1);
        BodyRoom.Part other = shared.part(2)) {
      assertNoRoom(part, UNCOUNTED + 101 * KIB);
      assertThat(shared.used()).isZero();
      other.take(UNCOUNTED + 200 * KIB);
      assertThat(whole.used(HeapUse.BODIES)).isEqualTo(200 * KIB);
    }
    assertThat(whole.used(HeapUse.BODIES)).isZero();
  }

  @Test
  void aTenantHasHalfOfItAndAllTogetherHaveNoMore() {
    BodyRoom.Part first = room.part(1);
    first.take(UNCOUNTED + 500 * KIB);
    try (BodyRoom.Part second = room.part(1)) {
      second.take(UNCOUNTED); // small ones find room
      assertNoRoom(second, 1);
    }
    try (BodyRoom.Part other = room.part(2)) {
      other.take(UNCOUNTED + 500 * KIB);
      try (BodyRoom.Part third = room.part(3)) {
        assertNoRoom(third, UNCOUNTED + 1);
      }
    }
    assertThat(room.used()).isEqualTo(500 * KIB);
    first.close();
    assertThat(room.used()).isZero();
    try (BodyRoom.Part again = room.part(1)) {
      again.take(UNCOUNTED + 500 * KIB);
    }
  }

  private void assertNoRoom(BodyRoom.Part part, long bytes) {
    long before = room.used();
    assertThatThrownBy(() -> part.take(bytes))
        .isInstanceOfSatisfying(
            HttpErrors.Refused.class, refused -> assertThat(refused.code()).isEqualTo("busy"));
    assertThat(room.used()).isEqualTo(before);
  }
}
