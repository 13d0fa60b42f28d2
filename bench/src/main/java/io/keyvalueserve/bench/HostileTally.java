package io.keyvalueserve.bench;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts what hostile peers sent and how the server answered. Thread-safe. */
final class HostileTally {
  /** The most kinds of leaks that are kept apart. */
  private static final int MOST_LEAKS = 100;

  /**
   * Inputs that are counted together.
   *
   * @param door where they were sent to
   * @param known whether a tenant's key was shown
   * @param kind of input
   */
  record Group(HostileDoor door, boolean known, String kind) {
    @Override
    public String toString() {
      return door + (known ? " with key " : " without key ") + kind;
    }
  }

  /** How an input was met. */
  enum Outcome {
    /** Something that is no error came back. */
    ANSWERED,
    /** An error came back. */
    ERROR,
    /** The server closed the connection without a word. */
    CLOSED,
    /** Nothing came back in the time that was waited, or nothing was waited for. */
    SILENT
  }

  /** Sums of a group, or of several. */
  static final class Sums {
    final LongAdder sent = new LongAdder();
    final LongAdder answered = new LongAdder();
    final LongAdder errors = new LongAdder();
    final LongAdder closed = new LongAdder();
    final LongAdder silent = new LongAdder();
    final LongAdder bytesSent = new LongAdder();

    private void add(Sums other) {
      sent.add(other.sent.sum());
      answered.add(other.answered.sum());
      errors.add(other.errors.sum());
      closed.add(other.closed.sum());
      silent.add(other.silent.sum());
      bytesSent.add(other.bytesSent.sum());
    }
  }

  private final Map<Group, Sums> groups = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> leaks = new ConcurrentHashMap<>();
  private final LongAdder refusedConnections = new LongAdder();

  /** Counts an input. */
  void add(Group group, Outcome outcome, boolean closed, long bytes) {
    Sums sums = groups.computeIfAbsent(group, _ -> new Sums());
    sums.sent.increment();
    sums.bytesSent.add(bytes);
    switch (outcome) {
      case ANSWERED -> sums.answered.increment();
      case ERROR -> sums.errors.increment();
      case SILENT -> sums.silent.increment();
      case CLOSED -> {}
    }
    if (closed) {
      sums.closed.increment();
    }
  }

  /** Counts a connection that the server did not take. */
  void refusedConnection() {
    refusedConnections.increment();
  }

  /** Counts a secret that a peer received. */
  void leak(String secret, String after) {
    if (leaks.size() < MOST_LEAKS) {
      leaks.computeIfAbsent(secret + " after " + after, _ -> new LongAdder()).increment();
    }
  }

  /** Returns how many connections the server did not take. */
  long refusedConnections() {
    return refusedConnections.sum();
  }

  /** Returns what was received that should not have been, and how often. */
  SortedMap<String, Long> leaks() {
    SortedMap<String, Long> all = new TreeMap<>();
    leaks.forEach((what, count) -> all.put(what, count.sum()));
    return all;
  }

  /** Returns the sums of each kind of input, and of whoever sent it. */
  SortedMap<String, Sums> kinds() {
    SortedMap<String, Sums> all = new TreeMap<>();
    groups.forEach((group, sums) -> all.put(group.toString(), sums));
    return all;
  }

  /** Returns the sums of each door, with and without a key. */
  SortedMap<String, Sums> doors() {
    SortedMap<String, Sums> all = new TreeMap<>();
    groups.forEach(
        (group, sums) ->
            all.computeIfAbsent(
                    group.door() + (group.known() ? ", with a key" : ", without a key"),
                    _ -> new Sums())
                .add(sums));
    return all;
  }
}
