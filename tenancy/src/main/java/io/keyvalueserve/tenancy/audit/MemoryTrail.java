package io.keyvalueserve.tenancy.audit;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;

/** The last events of a trail, in memory. */
final class MemoryTrail implements Trail {
  private final int most;
  private final ArrayDeque<AuditEvent> events = new ArrayDeque<>(); // guarded by itself

  /**
   * @param most how many events are kept
   */
  MemoryTrail(int most) {
    this.most = most;
  }

  private record Copy(List<AuditEvent> events) implements Part {
    @Override
    public long firstSequence() {
      return events.isEmpty() ? 1 : events.getFirst().sequence();
    }

    @Override
    public boolean mayMatch(AuditQuery query) {
      return true;
    }

    @Override
    public void read(EventSink sink) throws IOException {
      for (AuditEvent event : events) {
        if (!sink.event(event)) {
          return;
        }
      }
    }
  }

  @Override
  public long nextSequence() {
    synchronized (events) {
      return events.isEmpty() ? 1 : events.getLast().sequence() + 1;
    }
  }

  @Override
  public Instant lastTime() {
    synchronized (events) {
      return events.isEmpty() ? Instant.MIN : events.getLast().time();
    }
  }

  @Override
  public void append(List<AuditEvent> more) {
    synchronized (events) {
      for (AuditEvent event : more) {
        if (events.size() == most) {
          events.removeFirst();
        }
        events.addLast(event);
      }
    }
  }

  @Override
  public void force() {}

  @Override
  public void retain(Instant now) {}

  @Override
  public List<Part> parts() {
    synchronized (events) {
      return List.of(new Copy(List.copyOf(events)));
    }
  }

  @Override
  public void close() {}
}
