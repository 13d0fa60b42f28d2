package io.keyvalueserve.journal;

import java.io.IOException;
import java.util.List;

/**
 * The thread that takes all streams' blocks to their files, in turns. It writes full blocks at
 * once; a block that is not full when somebody waits for it and no sync is under way, so that one
 * sync is shared by as many as possible; and every half of the interval for those who do not wait.
 */
final class LogWriter {
  private static final long PUBLISH_WAIT_NANOS = 20_000;

  private final List<StreamWriter> streams;
  private final LogSync sync;
  private final Health health;
  private final JournalClock clock;
  private final long intervalNanos;
  private final long mostUncertainBytes;
  private final Doorbell bell;
  private long lastTick;
  private boolean syncPending; // once all that is being flushed has been written
  private volatile boolean stopped;

  LogWriter(
      List<StreamWriter> streams,
      LogSync sync,
      Health health,
      JournalClock clock,
      JournalConfig config,
      Doorbell bell) {
    this.streams = streams;
    this.sync = sync;
    this.health = health;
    this.clock = clock;
    this.bell = bell;
    intervalNanos = config.syncInterval().toNanos() / 2;
    mostUncertainBytes = config.mostUncertainBytes();
    lastTick = clock.nanoTime();
  }

  /** The thread's whole life. */
  void run() {
    while (!stopped && health.failure() == null) {
      if (!turn()) {
        bell.await(isAllFlushed() ? untilTick() : PUBLISH_WAIT_NANOS);
      }
    }
  }

  void stop() {
    stopped = true;
    bell.ring();
  }

  /** Does what there is to do; returns whether there was anything. */
  boolean turn() {
    try {
      boolean tick = clock.nanoTime() - lastTick >= intervalNanos;
      boolean syncIdle = !sync.isBusy();
      boolean worked = false;
      for (StreamWriter stream : streams) {
        if (stream.isFlushed()) {
          flushIfDue(stream, tick, syncIdle);
        }
        worked |= stream.drain();
      }
      health.written();
      if (tick) {
        lastTick = clock.nanoTime();
      }
      requestSync();
      requestChunks();
      return worked;
    } catch (NoSpaceException e) {
      health.full(e); // the block stays where it is; the sync thread looks for space now and then
      return false;
    } catch (IOException e) {
      fail(e);
      return false;
    }
  }

  private void flushIfDue(StreamWriter stream, boolean tick, boolean syncIdle) {
    boolean awaited = syncIdle && stream.waiters.isAwaited();
    if (stream.hasUnwritten()) {
      if (tick || awaited) {
        stream.flush();
        syncPending = true;
      }
    } else if (awaited || (tick && stream.hasUncertainData())) {
      syncPending = true;
    } else if (tick) {
      stream.markCertain();
    }
  }

  private void requestSync() {
    if (syncPending && isAllFlushed()) {
      syncPending = false;
      sync.request();
    } else if (!sync.isBusy() && uncertainBytes() >= mostUncertainBytes) {
      sync.request();
    }
  }

  /** A spare that was taken is replaced at once, or a fast writer would wait for it. */
  private void requestChunks() {
    for (StreamWriter stream : streams) {
      if (stream.missingSpares() > 0 && !health.isFull()) {
        sync.ring();
      }
    }
  }

  private long uncertainBytes() {
    long bytes = 0;
    for (StreamWriter stream : streams) {
      bytes += stream.uncertainBytes();
    }
    return bytes;
  }

  private boolean isAllFlushed() {
    for (StreamWriter stream : streams) {
      if (!stream.isFlushed()) {
        return false;
      }
    }
    return true;
  }

  private long untilTick() {
    return Math.max(1, lastTick + intervalNanos - clock.nanoTime());
  }

  private void fail(IOException e) {
    JournalFailedException failure = health.fail("the log cannot be written", e);
    streams.forEach(stream -> stream.waiters.fail(failure));
  }

  /** Writes all there is; when nobody appends any more and the threads have ended. */
  void finish() throws IOException {
    for (StreamWriter stream : streams) {
      stream.flush();
      while (stream.drain()) {
        // until nothing is left
      }
    }
  }
}
