package io.keyvalueserve.grid.space;

import com.hazelcast.spi.exception.RetryableException;
import io.keyvalueserve.engine.DirectMap;
import io.keyvalueserve.engine.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A {@link MemberBatch} being carried out on the member it was sent to. Begun by one thread;
 * outcomes arrive on any.
 */
final class MemberBatchRun {
  /** Parts that answer with more than this many bytes end early; who has asked sends the rest. */
  private static final int PART_BYTES = 1 << 20;

  private final HazelcastEngine engine;
  private final List<MemberBatch.Part> parts;
  private final Consumer<MemberBatchAnswer> whenDone;
  private final @Nullable Outcome[][] outcomes;
  private final long[] stamps;
  private final AtomicInteger missing;

  /** The map of the last part: most often that of the next. */
  private @Nullable DirectMap direct;

  private String directName = "";
  private int directTenant;

  MemberBatchRun(
      HazelcastEngine engine, List<MemberBatch.Part> parts, Consumer<MemberBatchAnswer> whenDone) {
    this.engine = engine;
    this.parts = parts;
    this.whenDone = whenDone;
    this.outcomes = new Outcome[parts.size()][];
    this.stamps = new long[parts.size()];
    this.missing = new AtomicInteger(1); // the one that begins
  }

  void start() {
    for (int i = 0; i < parts.size(); i++) {
      start(i);
    }
    arrived();
  }

  private void start(int index) {
    MemberBatch.Part part = parts.get(index);
    int count = part.commands().size();
    @Nullable Outcome[] mine = new Outcome[count];
    outcomes[index] = mine;
    int done = directly(part, mine);
    if (done == count) {
      if (direct(part.map(), part.tenant()) instanceof DirectKeyMap own) {
        stamps[index] = own.stamp(part.partition());
      }
      return;
    }
    missing.incrementAndGet();
    BatchOperation rest =
        BatchOperation.of(
                part.map(),
                part.tenant(),
                part.commands().subList(done, count),
                part.keys().subList(done, count),
                KeyLocks.NO_THREAD)
            .impatient();
    try {
      engine
          .partitions()
          .<BatchAnswer>invokeOnce(
              rest,
              part.partition(),
              (answer, failure) -> finish(index, mine, done, answer, failure));
    } catch (RuntimeException e) {
      finish(index, mine, done, null, e);
    }
  }

  /**
   * Ends a part. Commands that were not carried out because of a lock, or because the partition is
   * moving, have no outcome.
   */
  private void finish(
      int index,
      @Nullable Outcome[] mine,
      int done,
      @Nullable BatchAnswer answer,
      @Nullable Throwable failure) {
    if (answer != null) {
      for (int i = 0; i < answer.outcomes().size(); i++) {
        mine[done + i] = answer.outcomes().get(i);
      }
      stamps[index] = answer.stamp();
    } else if (!(failure instanceof RetryableException)) {
      Arrays.fill(
          mine,
          done,
          mine.length,
          Failures.of(failure == null ? new IllegalStateException("no answer") : failure));
    }
    arrived();
  }

  /** Carries out as many as can be, and tells how many that were. */
  private int directly(MemberBatch.Part part, @Nullable Outcome[] into) {
    DirectMap map = direct(part.map(), part.tenant());
    long bytes = 0;
    for (int i = 0; i < into.length; i++) {
      Outcome outcome = bytes < PART_BYTES ? map.execute(part.commands().get(i)) : null;
      if (outcome == null) {
        return i;
      }
      into[i] = outcome;
      bytes += BatchOperation.valueBytes(outcome);
    }
    return into.length;
  }

  private DirectMap direct(String map, int tenant) {
    DirectMap known = direct;
    if (known == null || tenant != directTenant || !map.equals(directName)) {
      known = engine.direct(map, tenant);
      direct = known;
      directName = map;
      directTenant = tenant;
    }
    return known;
  }

  private void arrived() {
    if (missing.decrementAndGet() == 0) {
      whenDone.accept(
          new MemberBatchAnswer(
              IntStream.range(0, outcomes.length)
                  .mapToObj(i -> new BatchAnswer(known(outcomes[i]), stamps[i]))
                  .toList()));
    }
  }

  private static List<Outcome> known(@Nullable Outcome[] outcomes) {
    List<Outcome> known = new ArrayList<>(outcomes.length);
    for (Outcome outcome : outcomes) {
      if (outcome == null) {
        break;
      }
      known.add(outcome);
    }
    return known;
  }
}
