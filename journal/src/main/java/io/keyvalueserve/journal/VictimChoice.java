package io.keyvalueserve.journal;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** The choice of the chunk to compact next, from the figures of all sealed ones. */
final class VictimChoice {
  private static final double WORTH_IT = 0.95;

  /**
   * The smallest dead part of a chunk's file that makes its compaction worthwhile when the disk is
   * full.
   */
  private static final double LEAST_DEAD = 0.01;

  private static final double HALF = 0.5;

  /**
   * The chunks beside the bound: one that is written, four that are spare, and one for what comes
   * between two looks.
   */
  private static final int CHUNKS_BESIDE = 6;

  private final ChunkSource chunks;
  private final DeadNotes deadNotes;
  private final CompactionPolicy policy;
  private final long slackBytes;
  private final long below;
  private final BooleanSupplier full;
  private final Predicate<Chunk> fits;

  /**
   * A choice.
   *
   * @param slackBytes a chunk for each stream: six of these are tolerated beside the bound, one of
   *     them beside that of removes, so that a small log is left in peace
   * @param below only chunks with smaller numbers
   * @param full whether no more chunks can be made: then nothing is tolerated that can be had
   * @param fits whether a chunk can be written anew before another one is made
   */
  VictimChoice(
      ChunkSource chunks,
      DeadNotes deadNotes,
      CompactionPolicy policy,
      long slackBytes,
      long below,
      BooleanSupplier full,
      Predicate<Chunk> fits) {
    this.below = below;
    this.full = full;
    this.fits = fits;
    this.chunks = chunks;
    this.deadNotes = deadNotes;
    this.policy = policy;
    this.slackBytes = slackBytes;
  }

  /**
   * The next victim.
   *
   * @param leaving chunks that are as good as gone
   */
  Optional<Chunk> choose(Set<Chunk> leaving) {
    deadNotes.flush();
    List<Chunk> sealed = new ArrayList<>();
    long live = 0;
    long needed = 0; // also of what is being written
    long tombstones = 0;
    long files = 0;
    for (Chunk chunk : chunks.all()) {
      if (chunk.id >= below || leaving.contains(chunk)) {
        continue;
      }
      long liveBytes = chunk.liveBytes();
      needed += liveBytes;
      files += chunk.fileBytes();
      if (chunk.isSealed()) {
        sealed.add(chunk);
        live += liveBytes;
        tombstones += chunk.tombstoneBytes();
      }
    }
    boolean isFull = full.getAsBoolean();
    if (isFull) {
      sealed.removeIf(chunk -> !fits.test(chunk)); // it would not end
    }
    Optional<Chunk> damaged = sealed.stream().filter(Chunk::isDamaged).findFirst();
    if (damaged.isPresent()) {
      return damaged;
    }
    if (isFull) {
      Optional<Chunk> emptiest =
          sealed.stream()
              .filter(VictimChoice::givesRoom)
              .min(Comparator.comparingLong(Chunk::liveBytes));
      if (emptiest.isPresent()) {
        return emptiest;
      }
    }
    if (files > policy.spaceBound() * needed + CHUNKS_BESIDE * slackBytes) {
      Optional<Chunk> emptiest = sealed.stream().min(Comparator.comparingDouble(VictimChoice::use));
      if (emptiest.isPresent() && use(emptiest.get()) < WORTH_IT) {
        return emptiest;
      }
    }
    long records = Math.max(0, live - tombstones);
    if (tombstones > policy.tombstoneShare() * records + (isFull ? 0 : slackBytes)) {
      return sealed.stream().findFirst(); // the oldest: removes die when nothing older is left
    }
    return Optional.empty();
  }

  /**
   * Returns the bytes of files for each byte that is needed, the chunks beside the bound aside. At
   * the bound it is what the policy says.
   */
  double ratio() {
    long needed = 0;
    long files = 0;
    for (Chunk chunk : chunks.all()) {
      needed += chunk.liveBytes();
      files += chunk.fileBytes();
    }
    return files / Math.max(1, needed + CHUNKS_BESIDE * slackBytes / policy.spaceBound());
  }

  /**
   * Returns whether compacting a chunk frees space. The rest of its file, above all its index,
   * would be written again elsewhere. One of two conditions must therefore hold. Either enough of
   * the chunk is dead, which becomes less each time. Or so much of it is not needed that this can
   * only be fillers.
   */
  private static boolean givesRoom(Chunk chunk) {
    return chunk.deadBytes() >= LEAST_DEAD * chunk.fileBytes() || use(chunk) < HALF;
  }

  private static double use(Chunk chunk) {
    return (double) chunk.liveBytes() / chunk.fileBytes();
  }
}
