package io.keyvalueserve.journal;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Which chunk is to be compacted next, from the figures of all sealed ones. */
final class VictimChoice {
  private static final double WORTH_IT = 0.95;

  private final ChunkSource chunks;
  private final DeadNotes deadNotes;
  private final CompactionPolicy policy;
  private final long slackBytes;
  private final long below;

  /**
   * A choice.
   *
   * @param slackBytes what is tolerated beyond the bounds, so that a small log is left in peace
   * @param below only chunks with smaller numbers
   */
  VictimChoice(
      ChunkSource chunks,
      DeadNotes deadNotes,
      CompactionPolicy policy,
      long slackBytes,
      long below) {
    this.below = below;
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
    List<Chunk> sealed =
        chunks.all().stream()
            .filter(each -> each.id < below && each.isSealed() && !leaving.contains(each))
            .toList();
    Optional<Chunk> damaged = sealed.stream().filter(Chunk::isDamaged).findFirst();
    if (damaged.isPresent()) {
      return damaged;
    }
    long live = 0;
    long tombstones = 0;
    long files = 0;
    for (Chunk chunk : sealed) {
      live += chunk.liveBytes();
      tombstones += chunk.tombstoneBytes();
      files += chunk.fileBytes();
    }
    if (files > policy.spaceBound() * live + slackBytes) {
      Optional<Chunk> emptiest = sealed.stream().min(Comparator.comparingDouble(VictimChoice::use));
      if (emptiest.isPresent() && use(emptiest.get()) < WORTH_IT) {
        return emptiest;
      }
    }
    long records = Math.max(0, live - tombstones);
    if (tombstones > policy.tombstoneShare() * records + slackBytes) {
      return sealed.stream().findFirst(); // the oldest: removes die when nothing older is left
    }
    return Optional.empty();
  }

  /** How many bytes of files there are for each byte that is needed. */
  double ratio() {
    long live = 0;
    long files = 0;
    for (Chunk chunk : chunks.all()) {
      if (chunk.isSealed()) {
        live += chunk.liveBytes();
        files += chunk.fileBytes();
      }
    }
    return files <= slackBytes ? 1 : (double) files / Math.max(1, live);
  }

  private static double use(Chunk chunk) {
    return (double) chunk.liveBytes() / chunk.fileBytes();
  }
}
