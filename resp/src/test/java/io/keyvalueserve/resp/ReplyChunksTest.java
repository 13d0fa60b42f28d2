package io.keyvalueserve.resp;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.gates.heap.HeapUse;
import io.keyvalueserve.gates.heap.MemberHeap;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Arrays are used again, and event loops together keep no more than they may. */
class ReplyChunksTest {
  private final ReplyChunks.Room room = new ReplyChunks.Room(3, MemberHeap.unbounded());
  private final ReplyChunks first = new ReplyChunks(room);
  private final ReplyChunks second = new ReplyChunks(room);

  @Test
  void givesAgainWhatWasGivenBack() {
    byte[] one = first.take();
    first.give(one);
    assertThat(first.take()).isSameAs(one).hasSize(ReplyChunks.BYTES);
    assertThat(first.take()).isNotSameAs(one);
  }

  @Test
  void allLoopsTogetherKeepNoMoreThanThereIsRoomFor() {
    byte[][] arrays = new byte[5][];
    Arrays.setAll(arrays, i -> new byte[ReplyChunks.BYTES]);
    first.give(arrays[0]);
    first.give(arrays[1]);
    second.give(arrays[2]);
    second.give(arrays[3]); // there is no room for it
    assertThat(second.take()).isSameAs(arrays[2]);
    Set<byte[]> given = Collections.newSetFromMap(new IdentityHashMap<>());
    given.addAll(List.of(arrays));
    assertThat(given.contains(second.take())).isFalse();
    first.give(arrays[4]); // now there is again
    assertThat(first.take()).isSameAs(arrays[4]);
    assertThat(first.take()).isSameAs(arrays[1]);
    assertThat(first.take()).isSameAs(arrays[0]);
  }

  @Test
  void keepsNoArrayOfAnotherLength() {
    byte[] other = new byte[ReplyChunks.BYTES + 1];
    first.give(other);
    assertThat(first.take()).isNotSameAs(other);
  }

  @Test
  void whatIsKeptCountsToTheHeapAndNothingIsKeptThatOthersNeed() {
    MemberHeap heap = new MemberHeap(8L * ReplyChunks.BYTES);
    ReplyChunks chunks = new ReplyChunks(new ReplyChunks.Room(100, heap));
    chunks.give(new byte[ReplyChunks.BYTES]);
    assertThat(heap.used(HeapUse.REPLY_BUFFERS)).isEqualTo(ReplyChunks.BYTES);
    byte[] _ = chunks.take();
    assertThat(heap.used(HeapUse.REPLY_BUFFERS)).isZero();
    heap.lease(1, HeapUse.VALUES).force(8L * ReplyChunks.BYTES);
    byte[] needed = new byte[ReplyChunks.BYTES];
    chunks.give(needed);
    assertThat(heap.used(HeapUse.REPLY_BUFFERS)).isZero();
    assertThat(chunks.take()).isNotSameAs(needed);
  }

  @Test
  void aSixteenthOfTheHeapMayBeKept() {
    ReplyChunks small =
        new ReplyChunks(ReplyChunks.Room.ofHeap(16L * ReplyChunks.BYTES, MemberHeap.unbounded()));
    byte[] kept = new byte[ReplyChunks.BYTES];
    byte[] tooMany = new byte[ReplyChunks.BYTES];
    small.give(kept);
    small.give(tooMany);
    assertThat(small.take()).isSameAs(kept);
    assertThat(small.take()).isNotSameAs(tooMany);
  }
}
