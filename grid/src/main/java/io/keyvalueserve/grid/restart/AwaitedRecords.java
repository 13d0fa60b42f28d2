package io.keyvalueserve.grid.restart;

import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.journal.DurabilityWaiter;
import io.keyvalueserve.journal.Journal;
import io.keyvalueserve.journal.JournalException;
import io.keyvalueserve.maps.UncertainRecords;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The positions up to which one thread waits for each of the journal's streams. Used by that thread
 * only.
 */
final class AwaitedRecords implements UncertainRecords {
  private final MemberLog member;
  private @Nullable Journal journal; // once there was something to wait for
  private long[] positions = {}; // by its streams; 0: nothing
  private long additions;
  private long awaited;

  AwaitedRecords(MemberLog member) {
    this.member = member;
  }

  @Override
  public void add(int partition, long position) {
    Journal open = journal;
    if (open == null) {
      open = member.journal();
      positions = new long[open.streams()];
      journal = open;
    }
    int stream = open.stream(partition);
    positions[stream] = Math.max(positions[stream], position);
    additions++;
  }

  @Override
  public long additions() {
    return additions;
  }

  @Override
  public void await(Waiter waiter) {
    Journal open = journal;
    if (open == null || additions == awaited) {
      waiter.certain();
      return;
    }
    awaited = additions;
    Streams streams = new Streams(waiter);
    for (int stream = 0; stream < positions.length; stream++) {
      long position = positions[stream];
      if (position != 0) {
        positions[stream] = 0;
        streams.missing.incrementAndGet();
        open.whenDurable(position, new OneStream(streams));
      }
    }
    streams.oneLess();
  }

  /** Counts the streams that are not certain yet, and one for who counts them. */
  private static final class Streams {
    final AtomicInteger missing = new AtomicInteger(1);
    private final Waiter waiter;
    private volatile @Nullable JournalException failure;

    Streams(Waiter waiter) {
      this.waiter = waiter;
    }

    void fail(JournalException e) {
      failure = e;
      oneLess();
    }

    void oneLess() {
      if (missing.decrementAndGet() == 0) {
        JournalException e = failure;
        if (e != null) {
          waiter.failed(new Outcome.Failure(Outcome.Failure.Kind.IN_DOUBT, MemberLog.inDoubt(e)));
        } else {
          waiter.certain();
        }
      }
    }
  }

  private static final class OneStream extends DurabilityWaiter {
    private final Streams streams;

    OneStream(Streams streams) {
      this.streams = streams;
    }

    @Override
    protected void durable() {
      streams.oneLess();
    }

    @Override
    protected void failed(JournalException e) {
      streams.fail(e);
    }
  }
}
