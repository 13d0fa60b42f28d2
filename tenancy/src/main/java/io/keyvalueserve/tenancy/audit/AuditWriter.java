package io.keyvalueserve.tenancy.audit;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The one thread that writes a trail. In each pass it takes what was handed over, and then what
 * somebody waits for; gives each event its place; appends them all at once; forces them if somebody
 * waits for that; and answers. While it counts alike events it is not woken for more of that kind:
 * it looks by itself when a window ends.
 *
 * <p>What was dropped or lost is told by a notice in the trail as soon as one can be written.
 */
final class AuditWriter implements Runnable {
  private static final Duration MOST_SMOOTHED = Duration.ofMinutes(1);
  private static final long IDLE_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long LEAST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** A power of two. */
  private static final int RECENT = 256;

  private final Trail trail;
  private final UUID member;
  private final InstantSource clock;
  private final Troubles troubles;

  private final HandOver<Recorded> handOver;
  private final AtomicReferenceArray<@Nullable Recorded> recent =
      new AtomicReferenceArray<>(RECENT); // those that equal ones may join, by hash
  private final Queue<WriterRequest> requests = new ConcurrentLinkedQueue<>();
  private final Bell bell = new Bell();
  private volatile boolean looksSoon; // the writer wakes up by itself to end a window
  private volatile boolean closing;
  private volatile boolean ended;

  private final LongAdder dropped = new LongAdder();
  private final LongAdder lost = new LongAdder();
  private final LongAdder written = new LongAdder();

  private final Coalescer coalescer;
  private final List<AuditEvent> batch = new ArrayList<>();
  private Instant lastTime;
  private long droppedTold;
  private long lostTold;
  private boolean failing;

  AuditWriter(
      Trail trail, AuditConfig config, UUID member, InstantSource clock, Troubles troubles) {
    this.trail = trail;
    this.member = member;
    this.clock = clock;
    this.troubles = troubles;
    this.handOver = new HandOver<>(config.handOverEvents());
    this.coalescer = new Coalescer(config.window(), config.coalescedEvents());
    this.lastTime = trail.lastTime();
  }

  /** Takes it if there is room, else counts it; any thread, never blocks. */
  void record(Occurrence occurrence) {
    int place = occurrence.hashCode() & (RECENT - 1);
    Recorded before = occurrence.kind().isCoalesced() ? recent.get(place) : null;
    if (before != null && before.join(occurrence)) {
      return;
    }
    Recorded recorded = new Recorded(occurrence, clock.instant());
    if (closing || !handOver.offer(recorded)) {
      dropped.increment();
    } else if (occurrence.kind().isCoalesced()) {
      recent.set(place, recorded);
      if (looksSoon && !handOver.isHalfFull()) {
        return; // it would only be counted with others: not worth a wake-up for each connection
      }
    }
    bell.ring();
  }

  /** Takes a request, which is answered in any case; any thread. */
  void ask(WriterRequest request) {
    requests.add(request);
    bell.ring();
    if (ended) {
      refuseAll();
    }
  }

  /** Tells the thread to end when all that was recorded before is written. */
  void end() {
    closing = true;
    bell.ring();
  }

  /** Returns whether the thread has ended. */
  boolean hasEnded() {
    return ended;
  }

  /** The trail at this moment; any thread. */
  AuditStatistics statistics() {
    return new AuditStatistics(written.sum(), dropped.sum(), lost.sum(), trail.nextSequence() - 1);
  }

  @Override
  public void run() {
    try (trail) {
      boolean last;
      do {
        last = closing;
        pass(last);
        if (!last && !looksAgainAtOnce()) {
          bell.await(pauseNanos());
        }
      } while (!last);
    } catch (IOException | RuntimeException e) {
      troubles.tellNow("the trail's writer ended and nothing more is recorded: " + e);
    } finally {
      closing = true;
      ended = true;
      handOver.drain(late -> dropped.add(late.take()));
      refuseAll();
    }
  }

  private void pass(boolean last) {
    List<WriterRequest> asked = new ArrayList<>();
    for (WriterRequest each = requests.poll(); each != null; each = requests.poll()) {
      asked.add(each);
    }
    batch.clear();
    Instant now = clock.instant(); // before the hand-over: a window that has ended is there whole
    handOver.drain(this::take);
    boolean flush = last || asked.stream().anyMatch(WriterRequest.Flush.class::isInstance);
    for (Coalescer.Counted each : flush ? coalescer.all() : coalescer.due(now)) {
      place(each.occurrence(), each.first(), each.count());
    }
    AuditEvent droppedNotice =
        notice(AuditKind.AUDIT_DROPPED, dropped.sum() - droppedTold, "too many at once");
    AuditEvent lostNotice =
        notice(AuditKind.AUDIT_LOST, lost.sum() - lostTold, "the disk could not be written");
    List<AuditEvent> durable = new ArrayList<>();
    for (WriterRequest each : asked) {
      if (each instanceof WriterRequest.Durable(Occurrence occurrence, Instant time, var answer)) {
        durable.add(place(occurrence, time, 1));
      }
    }
    Exception failure = write(!durable.isEmpty());
    droppedTold += countIfWritten(droppedNotice);
    lostTold += countIfWritten(lostNotice);
    retain();
    answer(asked, durable, failure);
  }

  private void take(Recorded recorded) {
    if (recorded.occurrence().kind().isCoalesced()) {
      coalescer.add(recorded.occurrence(), recorded.time(), recorded.take());
    } else {
      place(recorded.occurrence(), recorded.time(), 1);
    }
  }

  private @Nullable AuditEvent notice(AuditKind kind, long count, String detail) {
    return count == 0 ? null : place(Occurrence.notice(kind, "", detail), clock.instant(), count);
  }

  private AuditEvent place(Occurrence occurrence, Instant time, long count) {
    boolean smoothed = time.isBefore(lastTime) && !time.plus(MOST_SMOOTHED).isBefore(lastTime);
    AuditEvent event =
        new AuditEvent(
            trail.nextSequence() + batch.size(),
            smoothed ? lastTime : time,
            member,
            occurrence,
            count);
    lastTime = event.time();
    batch.add(event);
    return event;
  }

  private @Nullable Exception write(boolean force) {
    Exception failure = null;
    if (!batch.isEmpty()) {
      try {
        trail.append(batch);
        if (force) {
          trail.force();
        }
      } catch (IOException | RuntimeException e) {
        failure = e;
      }
      account();
      tell(failure);
    }
    return failure;
  }

  private void account() {
    long next = trail.nextSequence();
    for (AuditEvent event : batch) {
      if (event.sequence() < next) {
        written.increment();
      } else if (!event.kind().isNotice()) {
        lost.add(event.count());
      }
    }
  }

  private void tell(@Nullable Exception failure) {
    if (failure != null) {
      failing = true;
      troubles.tell(
          "the trail cannot be written, events are lost and counted (%d so far): %s; see to the disk"
              .formatted(lost.sum(), failure));
    } else if (failing) {
      failing = false;
      troubles.tellNow("the trail is written again; lost=" + lost.sum());
    }
  }

  private long countIfWritten(@Nullable AuditEvent notice) {
    return notice != null && notice.sequence() < trail.nextSequence() ? notice.count() : 0;
  }

  private static void answer(
      List<WriterRequest> asked, List<AuditEvent> durable, @Nullable Exception failure) {
    int next = 0;
    for (WriterRequest each : asked) {
      switch (each) {
        case WriterRequest.Flush flush -> flush.answer().complete(true);
        case WriterRequest.Durable(var occurrence, var time, var answer) -> {
          AuditEvent event = durable.get(next++);
          if (failure == null) {
            answer.complete(event);
          } else {
            answer.completeExceptionally(
                new AuditException(
                    "the event '%s' is not certain to be in the audit trail: %s; see to the disk and try again"
                        .formatted(occurrence.kind().label(), failure),
                    failure));
          }
        }
      }
    }
  }

  private void retain() {
    try {
      trail.retain(clock.instant());
    } catch (IOException e) {
      troubles.tell("an old segment cannot be deleted: " + e);
    }
  }

  /**
   * Says whether it will look soon without being called. Who handed over and read that it will, in
   * the moment in which it ceased to, did so before this looks: so it is seen here, and none waits
   * for the next event.
   */
  private boolean looksAgainAtOnce() {
    looksSoon = !coalescer.isEmpty();
    return !looksSoon && !handOver.isEmpty();
  }

  private long pauseNanos() {
    if (looksSoon) {
      return Math.clamp(coalescer.untilDue(clock.instant()), LEAST_PAUSE_NANOS, RETRY_NANOS);
    }
    boolean untold = dropped.sum() > droppedTold || lost.sum() > lostTold;
    return untold ? RETRY_NANOS : IDLE_NANOS;
  }

  private void refuseAll() {
    for (WriterRequest each = requests.poll(); each != null; each = requests.poll()) {
      each.answer().completeExceptionally(new AuditException("the audit trail is closed", null));
    }
  }
}
