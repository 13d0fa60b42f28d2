package io.keyvalueserve.tenancy.audit;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * The audit trail of one member: who changed what, who was let in, and what was refused to whom.
 * Append-only; sequences rise by one with each event.
 *
 * <p>Doors {@link #record}; administrators' calls {@link #recordDurably}. What is recorded at all
 * is in the trail once, is part of a count, or is counted in a notice of what was dropped or lost.
 *
 * <p>Thread-safe. It has one thread of its own, which ends when it is closed.
 */
public final class AuditLog implements AutoCloseable {
  /** Damaged lines that one answer tells of. */
  public static final int MOST_DAMAGED = 100;

  private static final long MOST_WAIT_SECONDS = 30;

  private final Trail trail;
  private final AuditWriter writer;
  private final Thread thread;
  private final InstantSource clock;
  private final Troubles troubles;

  private AuditLog(
      Trail trail, AuditConfig config, UUID member, InstantSource clock, Troubles troubles) {
    this.trail = trail;
    this.clock = clock;
    this.troubles = troubles;
    this.writer = new AuditWriter(trail, config, member, clock, troubles);
    this.thread = Thread.ofPlatform().daemon().name("kvs-audit").unstarted(writer);
  }

  /**
   * Opens a trail and begins to write. A line at its end that a crash has torn is cut off; that is
   * told to the listener and in the trail.
   *
   * @param member whose trail it is
   * @param clock gives events their times and ends their windows; thread-safe
   * @param listener is told what is wrong, about once a minute, on any thread; must not block
   * @throws AuditException if the directory cannot be used or another trail is open in it
   */
  public static AuditLog open(
      AuditConfig config, UUID member, InstantSource clock, Consumer<String> listener) {
    return open(config, member, clock, listener, SegmentFile::open);
  }

  static AuditLog open(
      AuditConfig config,
      UUID member,
      InstantSource clock,
      Consumer<String> listener,
      SegmentFile.Opener opener) {
    Troubles troubles = new Troubles(listener, clock);
    Path directory = config.directory();
    if (directory == null) {
      Trail trail = new MemoryTrail(config.memoryEvents());
      return started(new AuditLog(trail, config, member, clock, troubles));
    }
    try {
      FileTrail.Opened opened = FileTrail.open(directory, config, opener);
      AuditLog log = started(new AuditLog(opened.trail(), config, member, clock, troubles));
      if (opened.cutBytes() > 0) {
        String cut = "a torn line was cut off: bytes=" + opened.cutBytes();
        troubles.tellNow(opened.fileName() + ": " + cut);
        log.record(Occurrence.notice(AuditKind.AUDIT_REPAIRED, opened.fileName(), cut));
      }
      return log;
    } catch (IOException e) {
      throw new AuditException(
          "the audit trail cannot be opened in %s: %s; make it a directory that may be written to"
              .formatted(directory, e),
          e);
    }
  }

  private static AuditLog started(AuditLog log) {
    log.thread.start();
    return log;
  }

  /**
   * Records what happened; never blocks and never throws. If too much waits already it is dropped
   * and counted. It outlives the process soon, and a crash of the machine somewhat later. Nothing
   * is recorded after {@link #close}.
   */
  public void record(Occurrence occurrence) {
    writer.record(occurrence);
  }

  /**
   * Records what happened and waits until it is on the disk; for administrative events. Without a
   * directory it waits until it is in memory.
   *
   * @return the event as it is in the trail
   * @throws AuditException if it is not certain to be there: the disk failed, or took longer than
   *     30 seconds, or the thread was interrupted, or the trail is closed
   */
  public AuditEvent recordDurably(Occurrence occurrence) {
    CompletableFuture<AuditEvent> answer = new CompletableFuture<>();
    writer.ask(new WriterRequest.Durable(occurrence, clock.instant(), answer));
    return await(answer, "record '" + occurrence.kind().label() + "'");
  }

  /**
   * A page of events, among them all that were recorded before the call. Blocks while it reads.
   *
   * @throws AuditException if the files cannot be read
   */
  public AuditPage find(AuditQuery query) {
    flush();
    try {
      return query.order() == AuditQuery.Order.OLDEST_FIRST
          ? new Search(query, trail.parts()).oldestFirst()
          : new Search(query, trail.parts()).newestFirst();
    } catch (IOException e) {
      throw new AuditException("the audit trail cannot be read: " + e, e);
    }
  }

  /**
   * Writes all events that match as lines of JSON, see {@link AuditCodec}; oldest first whatever
   * the query's order, and without regard to its limit and cursor. Blocks; takes little memory.
   *
   * @param to is neither flushed nor closed
   * @throws IOException if it cannot be written to, or the files cannot be read
   */
  public AuditExport export(AuditQuery query, OutputStream to) throws IOException {
    flush();
    return new Search(query, trail.parts()).export(to);
  }

  /** Returns the numbers of events written, dropped and lost. Never blocks. */
  public AuditStatistics statistics() {
    return writer.statistics();
  }

  /**
   * Writes all that was recorded before, makes sure of it and ends; doing it twice does nothing
   * more. What is there can still be read.
   */
  @Override
  public void close() {
    writer.end();
    boolean interrupted = false;
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_WAIT_SECONDS);
    while (thread.isAlive() && System.nanoTime() < deadline) {
      try {
        thread.join(TimeUnit.SECONDS.toMillis(1));
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (thread.isAlive()) {
      troubles.tellNow("the trail is not closed yet: its disk does not answer");
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void flush() {
    if (!writer.hasEnded()) {
      CompletableFuture<Boolean> answer = new CompletableFuture<>();
      writer.ask(new WriterRequest.Flush(answer));
      try {
        await(answer, "read");
      } catch (AuditException e) {
        if (!writer.hasEnded()) {
          throw e;
        }
      }
    }
  }

  private static <T> T await(CompletableFuture<T> answer, String purpose) {
    try {
      return answer.get(MOST_WAIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof AuditException reason
          ? reason
          : new AuditException("the audit trail cannot " + purpose + ": " + e.getCause(), e);
    } catch (TimeoutException e) {
      throw new AuditException(
          "the audit trail's disk did not answer within %d seconds, asked to %s; see to the disk"
              .formatted(MOST_WAIT_SECONDS, purpose),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AuditException("interrupted while waiting for the audit trail to " + purpose, e);
    }
  }
}
