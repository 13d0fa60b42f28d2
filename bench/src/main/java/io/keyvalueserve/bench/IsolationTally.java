package io.keyvalueserve.bench;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Counts what an aggressor was answered within a time. Thread-safe. */
final class IsolationTally {
  /** Kinds of errors; what comes beyond is one kind more. */
  private static final int MOST_KINDS = 50;

  /** What begins errors of Redis' protocol, and exceptions of Hazelcast's. */
  private static final Pattern REFUSAL =
      Pattern.compile(
          "(?:^|[\\s:-])(THROTTLED|QUOTA)\\b|\\b(HazelcastOverload|QuotaUsed)Exception\\b");

  private static final Pattern CLASS = Pattern.compile("^(?:[\\w$]+\\.)+([\\w$]+)(?=:|$)");
  private static final int LONGEST_KIND = 60;

  private final LongAdder answered = new LongAdder();
  private final LongAdder total = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final Map<String, LongAdder> errors = new ConcurrentHashMap<>();

  /** Nothing counts before {@link #during}. */
  private volatile Times times = new Times(Long.MAX_VALUE, Long.MAX_VALUE);

  private volatile Map<HostileDoor, KeylessSeen> peers = Map.of();
  private final CountDownLatch begun = new CountDownLatch(1);

  /**
   * When answers count, in the time of {@link System#nanoTime}, which processes share.
   *
   * @param from when they begin to
   * @param to when they end to, and nothing more is asked
   */
  record Times(long from, long to) {}

  /** Sets when answers count, and when it is over. */
  void during(Times when) {
    times = when;
  }

  /** Whether nothing more is to be asked. */
  boolean isOver() {
    return System.nanoTime() >= times.to;
  }

  /** Returns whether what happens counts. */
  boolean isTime() {
    long now = System.nanoTime();
    Times when = times;
    return now >= when.from && now < when.to;
  }

  /** The aggressor is at work. Whatever is counted says so too. */
  void begin() {
    begun.countDown();
  }

  /** Waits until the aggressor is at work, but no longer than it has patience. */
  void awaitBegin(long patienceNanos) {
    try {
      if (!begun.await(patienceNanos, TimeUnit.NANOSECONDS)) {
        begin(); // it hangs: what it is answered, nothing, will say so
      }
    } catch (InterruptedException e) {
      throw Clock.interrupted(e);
    }
  }

  /** So many operations were answered as they should. */
  void answered(long operations) {
    begin();
    if (operations > 0) {
      total.add(operations);
      if (isTime()) {
        answered.add(operations);
      }
    }
  }

  /** One met an error. */
  void failed(String text) {
    begin();
    if (!isTime()) {
      return;
    }
    if (isRefusal(text)) {
      refused.increment();
      return;
    }
    String kind = kind(text);
    String name = errors.size() < MOST_KINDS || errors.containsKey(kind) ? kind : "others";
    errors.computeIfAbsent(name, _ -> new LongAdder()).increment();
  }

  /** Says what peers without a key saw, in the time that counts. */
  void peers(Map<HostileDoor, KeylessSeen> seen) {
    peers = Map.copyOf(seen);
    long opened = seen.values().stream().mapToLong(KeylessSeen::opened).sum();
    answered.add(opened);
    total.add(opened);
    refused.add(seen.values().stream().mapToLong(KeylessSeen::refused).sum());
  }

  /** What is counted by now. */
  IsolationDone done() {
    SortedMap<String, Long> kinds = new TreeMap<>();
    errors.forEach((kind, count) -> kinds.put(kind, count.sum()));
    return new IsolationDone("", answered.sum(), total.sum(), refused.sum(), kinds, peers);
  }

  /** Whether an error says that a limit of the tenant is reached. */
  static boolean isRefusal(String text) {
    return REFUSAL.matcher(text).find();
  }

  /** Which error it is: its first words, without what differs from one to the next. */
  static String kind(String text) {
    String said = text;
    for (String before : new String[] {RespWire.REFUSED, RespWire.ANSWERED, "-"}) {
      said = said.startsWith(before) ? said.substring(before.length()) : said;
    }
    Matcher thrown = CLASS.matcher(said);
    if (thrown.find()) {
      return thrown.group(1);
    }
    if (said.matches("[A-Z]{3,} .*") && !said.startsWith("ERR ")) {
      return new RespReply.Failure(said).kind();
    }
    String plain = said.replaceAll("\\d+", "#");
    return plain.substring(0, Math.min(plain.length(), LONGEST_KIND));
  }
}
