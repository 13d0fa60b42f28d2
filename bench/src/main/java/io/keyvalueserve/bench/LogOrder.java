package io.keyvalueserve.bench;

import io.keyvalueserve.bench.Violation.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/**
 * Whether what is left of a partition is the beginning of what was written to it: if a connection's
 * write is lost, then all that it wrote to the partition later. Not thread-safe.
 */
final class LogOrder {
  /**
   * What a log keeps in a file of its own may be missing alone, see docs/durability.md: 256 KiB,
   * with what else the entry has.
   */
  private static final int APART_BYTES = 255 << 10;

  private record Place(int writer, int partition) {}

  private record Turn(KeyWrite write, String key) {}

  private final IntUnaryOperator writers;
  private final IntUnaryOperator partitions;
  private final Map<Place, Turn> lastKept = new HashMap<>();
  private final Map<Place, Turn> firstLost = new HashMap<>();

  /**
   * @param writers the writer of a key, by the key's number
   * @param partitions the partition of a key, by the key's number
   */
  LogOrder(IntUnaryOperator writers, IntUnaryOperator partitions) {
    this.writers = writers;
    this.partitions = partitions;
  }

  /**
   * Notes what was found in a key.
   *
   * @param there whether it has a value; else it is not known which write left it so
   */
  void add(KeyHistory history, Judgement.Kept kept, boolean there) {
    int number = history.number();
    Place place = new Place(writers.applyAsInt(number), partitions.applyAsInt(number));
    KeyWrite state = kept.state();
    if (there && history.writes().contains(state)) {
      Turn turn = new Turn(state, history.name());
      lastKept.merge(place, turn, (a, b) -> a.write.turn >= b.write.turn ? a : b);
    }
    for (KeyWrite lost : kept.lost()) {
      if (lost.valueBytes < APART_BYTES) {
        Turn turn = new Turn(lost, history.name());
        firstLost.merge(place, turn, (a, b) -> a.write.turn <= b.write.turn ? a : b);
      }
    }
  }

  /** Partitions that are no beginning. */
  List<Violation> violations() {
    List<Violation> all = new ArrayList<>();
    firstLost.forEach(
        (place, lost) -> {
          Turn kept = lastKept.get(place);
          if (kept != null && kept.write.turn > lost.write.turn) {
            all.add(violation(place, lost, kept));
          }
        });
    return all;
  }

  private static Violation violation(Place place, Turn lost, Turn kept) {
    return new Violation(
        kept.key,
        Kind.REORDERED,
        String.format(
            "writer %d, partition %d%nlost: write %s of %s, command %d%nkept: write %s, command %d",
            place.writer,
            place.partition,
            lost.write,
            lost.key,
            lost.write.turn,
            kept.write,
            kept.write.turn));
  }
}
