package io.keyvalueserve.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which frames are known to be dead. */
class DeadFramesTest {
  private static final int CHUNK_BYTES = 1 << 16;

  @Test
  void onlyTheFramesThatWereMarkedAre() {
    Random random = new Random(7);
    Set<Integer> marked = new HashSet<>();
    try (DeadFrames frames = new DeadFrames(CHUNK_BYTES)) {
      int end = 0;
      for (int at = 0; at + Frames.HEADER_BYTES <= CHUNK_BYTES; at = next(random, at)) {
        if (random.nextBoolean()) {
          frames.mark(at);
          marked.add(at);
        }
        end = at;
      }
      Random again = new Random(7);
      for (int at = 0; at + Frames.HEADER_BYTES <= CHUNK_BYTES; at = next(again, at)) {
        boolean _ = again.nextBoolean();
        assertThat(frames.isMarked(at)).as("at %d", at).isEqualTo(marked.contains(at));
      }
      assertThat(end).isGreaterThan(CHUNK_BYTES - 200);
    }
  }

  private static int next(Random random, int at) {
    return at + Frames.HEADER_BYTES + Frames.ALIGNMENT * random.nextInt(16);
  }

  @Test
  void aMarkThatComesTooLateIsLetGo() {
    Chunk chunk = new Chunk(1, 0, CHUNK_BYTES);
    DeadFrames frames = Objects.requireNonNull(chunk.makeDeadFrames());
    chunk.markDead(64);
    assertThat(chunk.isMarkedDead(64)).isTrue();
    chunk.release();
    chunk.release();
    frames.mark(64);
    chunk.markDead(64);
    assertThat(chunk.isMarkedDead(64)).isFalse();
  }
}
