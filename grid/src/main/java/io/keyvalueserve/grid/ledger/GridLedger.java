package io.keyvalueserve.grid.ledger;

import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import io.keyvalueserve.billing.ledger.BrokenLedgerException;
import io.keyvalueserve.billing.ledger.LedgerCodec;
import io.keyvalueserve.billing.ledger.LedgerEntry;
import io.keyvalueserve.billing.ledger.LedgerHead;
import io.keyvalueserve.billing.ledger.Posting;
import io.keyvalueserve.billing.ledger.TenantLedger;
import io.keyvalueserve.billing.metering.UsageEvent;
import io.keyvalueserve.billing.metering.UsageIdentity;
import io.keyvalueserve.tenancy.TenantName;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ledgers of all tenants as this member reaches them. Members append at the same time and wait
 * for nobody: each replaces the last segment of a ledger if it is the one that it has read, and
 * else reads it again. So a write that was lost on its way, was done twice, or comes when nobody
 * expects it any more, either is the next one or does nothing.
 *
 * <p>Blocks. Thread-safe.
 */
public final class GridLedger {
  private static final Logger LOG = LoggerFactory.getLogger(GridLedger.class);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int MOST_ATTEMPTS = 60;
  private static final int LONGEST_PAUSE_BITS = 6;
  private static final long MOST_ENTRIES_CACHED = 100_000;
  private static final int MOST_MERGED = 200;

  /** The most by which the clocks of members differ, as far as {@link #usageSince} cares. */
  private static final Duration CLOCKS_DIFFER = Duration.ofMinutes(5);

  private final SegmentStore segments;
  private final InstantSource clock;
  private final LedgerCache cache = new LedgerCache(MOST_ENTRIES_CACHED);

  /** The ledgers in the grid. */
  public GridLedger(HazelcastInstance instance) {
    this(new GridSegments(instance), InstantSource.system());
  }

  GridLedger(SegmentStore segments, InstantSource clock) {
    this.segments = segments;
    this.clock = clock;
  }

  /** Returns whether ledgers are in a map. */
  public static boolean isIn(String map) {
    return GridSegments.isIn(map);
  }

  /** Sets up the system map; before the member starts. */
  public static void configure(Config config) {
    GridSegments.configure(config);
  }

  /** The tenant that a ledger belongs to. */
  private record Payer(TenantName tenant, int number) {}

  /** The end of a ledger, and some events that it does not have. */
  private record Missing(LedgerHead head, List<UsageEvent> events) {}

  /** A segment, and what it was read from. */
  private record Stored(LedgerSegment segment, byte[] bytes) {}

  /**
   * The segment that the next entries go to.
   *
   * @param stored what is stored of it; null for nothing yet
   * @param end where the ledger ends
   */
  private record Last(LedgerSegment segment, byte @Nullable [] stored, LedgerSegment.End end) {}

  // ---- what was used

  /**
   * Appends what was used, each event once whoever tells it again. Intervals of one life of a
   * member have to be told in their order, and all that a tenant used in one of them at once: an
   * event of an interval up to the last that was posted is known.
   *
   * <p>Does not throw: what could not be done now is {@link Posted#left}. Begins nothing new after
   * 30 s.
   *
   * @param events of any tenants
   */
  public Posted post(List<UsageEvent> events) {
    List<Map.Entry<Payer, List<UsageEvent>>> all = new ArrayList<>(byPayer(events).entrySet());
    // Not always the same one first: one that cannot be reached would keep the others waiting.
    Collections.shuffle(all, ThreadLocalRandom.current());
    long end = System.nanoTime() + PATIENCE.toNanos();
    int taken = 0;
    Set<UsageEvent> failed = new HashSet<>();
    for (Map.Entry<Payer, List<UsageEvent>> one : all) {
      try {
        if (System.nanoTime() - end > 0) {
          throw new LedgerException("the grid is slow, and others came first", null);
        }
        taken += post(one.getKey(), one.getValue());
      } catch (RuntimeException e) {
        LOG.warn("what {} used is not in its ledger yet: {}", one.getKey().tenant(), e.toString());
        failed.addAll(one.getValue());
      }
    }
    List<UsageEvent> left = events.stream().filter(failed::contains).toList();
    return new Posted(taken, events.size() - taken - left.size(), left);
  }

  private static Map<Payer, List<UsageEvent>> byPayer(List<UsageEvent> events) {
    Map<Payer, List<UsageEvent>> byPayer = new LinkedHashMap<>();
    Set<UsageIdentity> seen = new HashSet<>();
    events.stream()
        .sorted(Comparator.comparingLong(event -> event.identity().interval()))
        .filter(event -> seen.add(event.identity()))
        .forEach(
            event ->
                byPayer
                    .computeIfAbsent(
                        new Payer(event.identity().tenant(), event.identity().tenantNumber()),
                        payer -> new ArrayList<>())
                    .add(event));
    return byPayer;
  }

  /** Returns how many were appended. */
  private int post(Payer payer, List<UsageEvent> events) {
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      Last last = last(payer);
      List<UsageEvent> fresh =
          events.stream().filter(event -> !last.end().marks().knows(event.identity())).toList();
      if (fresh.isEmpty() || store(last, sealed(last.end().head(), payer.number(), fresh))) {
        return fresh.size();
      }
      pause(attempt);
    }
    throw contended(payer);
  }

  private List<LedgerEntry> sealed(LedgerHead from, int tenantNumber, List<UsageEvent> events) {
    List<LedgerEntry> entries = new ArrayList<>();
    LedgerHead head = from;
    for (UsageEvent event : events) {
      LedgerEntry entry =
          LedgerEntry.after(head, tenantNumber, new Posting.Usage(event), clock.instant());
      entries.add(entry);
      head = entry.head();
    }
    return entries;
  }

  // ---- usage of another side of a split

  /**
   * Appends some of the usage that the ledger does not have. Compares events one by one, so that an
   * event of an earlier interval than those that were posted is appended, too.
   *
   * @param theirs events of the owner, from another ledger
   * @return what was appended; empty if nothing is missing
   * @throws BrokenLedgerException if the ledger is not what was written
   * @throws LedgerException if it cannot be reached now
   */
  List<UsageEvent> mergeSome(LedgerOwner owner, List<UsageEvent> theirs)
      throws BrokenLedgerException {
    Payer payer = new Payer(owner.tenant(), owner.number());
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      Last last = last(payer);
      Missing missing =
          read(
              owner.tenant(),
              owner.number(),
              ledger ->
                  new Missing(
                      ledger.head(),
                      theirs.stream()
                          .filter(event -> !ledger.has(event.identity()))
                          .distinct()
                          .limit(MOST_MERGED)
                          .toList()));
      if (missing.head().equals(last.end().head())
          && (missing.events().isEmpty()
              || store(last, sealed(missing.head(), owner.number(), missing.events())))) {
        return missing.events();
      }
      pause(attempt);
    }
    throw contended(payer);
  }

  /**
   * Returns those of some corrections that the ledger does not have.
   *
   * @throws BrokenLedgerException if the ledger is not what was written
   * @throws LedgerException if it cannot be reached now
   */
  List<Posting.Correction> missing(LedgerOwner owner, List<Posting.Correction> corrections)
      throws BrokenLedgerException {
    return corrections.isEmpty()
        ? List.of()
        : read(
            owner.tenant(),
            owner.number(),
            ledger -> corrections.stream().filter(each -> !ledger.has(each)).toList());
  }

  /** Forgets what was read of ledgers: this member may have joined a side that has others. */
  void forgetRead() {
    cache.clear();
  }

  // ---- corrections

  /**
   * Appends a correction, once.
   *
   * @return as {@link TenantLedger#correct}
   * @throws BrokenLedgerException if the ledger is not what was written
   * @throws LedgerException if it cannot be reached now; the correction may be there or not, and
   *     can be made again under its id
   */
  public TenantLedger.Result correct(
      TenantName tenant, int tenantNumber, Posting.Correction correction)
      throws BrokenLedgerException {
    Payer payer = new Payer(tenant, tenantNumber);
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      Last last = last(payer);
      TenantLedger ledger = TenantLedger.open(tenant, tenantNumber, entries(tenantNumber, 0));
      boolean isCurrent = ledger.head().equals(last.end().head());
      TenantLedger.Result result = ledger.correct(correction, clock.instant());
      if (result instanceof TenantLedger.Result.Known known && attempt > 0) {
        return new TenantLedger.Result.Appended(known.entry()); // by an attempt that seemed vain
      }
      if (!(result instanceof TenantLedger.Result.Appended appended)
          || (isCurrent && store(last, List.of(appended.entry())))) {
        return result;
      }
      pause(attempt);
    }
    throw contended(payer);
  }

  // ---- reading

  /**
   * Reads a ledger, all of which was checked. A member keeps ledgers of up to {@value
   * #MOST_ENTRIES_CACHED} entries together, and checks of those only what is new.
   *
   * @param question is given the ledger, and must not keep it
   * @throws BrokenLedgerException if it is not what was written
   * @throws LedgerException if it cannot be reached now
   */
  public <T> T read(TenantName tenant, int tenantNumber, Function<TenantLedger, T> question)
      throws BrokenLedgerException {
    long generation = cache.generation();
    TenantLedger kept = cache.take(tenantNumber);
    TenantLedger ledger = kept == null ? new TenantLedger(tenant, tenantNumber) : kept;
    ledger.extend(entries(tenantNumber, ledger.entries().size()));
    try {
      return question.apply(ledger);
    } finally {
      cache.put(ledger, generation);
    }
  }

  /**
   * The stored bytes of a ledger's entries, as {@link LedgerCodec} wrote them, or whatever became
   * of them.
   *
   * @param from the number of the first one: 0 or more
   * @throws LedgerException if they cannot be reached now
   */
  public List<byte[]> entries(int tenantNumber, long from) {
    Stored last = lastStored(tenantNumber);
    if (last == null) {
      return List.of();
    }
    Deque<List<byte[]>> parts = new ArrayDeque<>();
    LedgerSegment segment = last.segment();
    for (int number = segment.number(); ; segment = segment(tenantNumber, number)) {
      if (segment != null) { // whoever checks the chain says what is missing
        parts.addFirst(segment.entriesFrom(from));
      }
      if (--number < 0 || (segment != null && segment.before().entries() <= from)) {
        return parts.stream().flatMap(List::stream).toList();
      }
    }
  }

  /**
   * Visits the usage that was recorded since a time, and some before it, in no order. Reads only
   * the segments that have some of it, one at a time. Does not check the chain, and leaves
   * corrections out: for plots, not for bills.
   *
   * @throws LedgerException if it cannot be reached now, or an entry is damaged
   */
  public void usageSince(int tenantNumber, Instant since, Consumer<UsageEvent> visitor) {
    Instant begin = since.minus(CLOCKS_DIFFER);
    Stored last = lastStored(tenantNumber);
    if (last == null) {
      return;
    }
    LedgerSegment segment = last.segment();
    for (int number = segment.number(); ; segment = segment(tenantNumber, number)) {
      if (segment != null) { // whoever checks the chain says what is missing
        List<LedgerEntry> entries = segment.decodedEntries();
        entries.forEach(entry -> entry.usage().ifPresent(visitor));
        if (!entries.isEmpty() && entries.getFirst().recordedAt().isBefore(begin)) {
          return;
        }
      }
      if (--number < 0) {
        return;
      }
    }
  }

  /**
   * Returns the place where a ledger ends now.
   *
   * @throws LedgerException if it cannot be reached now
   */
  public LedgerHead head(TenantName tenant, int tenantNumber) {
    return last(new Payer(tenant, tenantNumber)).end().head();
  }

  /**
   * Returns the owners of all ledgers, sorted by number, also those of tenants that were deleted.
   * Looks at every ledger.
   *
   * @throws LedgerException if they cannot be reached now
   */
  public List<LedgerOwner> owners() {
    List<LedgerOwner> owners = new ArrayList<>();
    segments.tenantNumbers().stream()
        .sorted()
        .forEach(number -> owner(number).ifPresent(owners::add));
    return owners;
  }

  /**
   * Returns the owner of the ledger with a number; empty if there is none.
   *
   * @throws LedgerException if it cannot be reached now
   */
  public Optional<LedgerOwner> owner(int tenantNumber) {
    LedgerSegment first = segment(tenantNumber, 0);
    return first == null
        ? Optional.empty()
        : Optional.of(new LedgerOwner(first.tenant(), tenantNumber));
  }

  // ---- segments

  /** The segment that the next entries go to. */
  private Last last(Payer payer) {
    Stored found = lastStored(payer.number());
    if (found == null) {
      LedgerSegment first = LedgerSegment.first(payer.tenant(), payer.number());
      return new Last(first, null, first.end());
    }
    LedgerSegment segment = found.segment();
    if (!segment.tenant().equals(payer.tenant())) {
      throw new LedgerException(
          "the ledger with the number " + payer.number() + " is that of " + segment.tenant(), null);
    }
    LedgerSegment.End end = segment.end();
    return segment.isFull()
        ? new Last(segment.next(end), null, end)
        : new Last(segment, found.bytes(), end);
  }

  /** The last segment that is there; null if there is none. */
  private @Nullable Stored lastStored(int tenantNumber) {
    int noted = segments.lastSegment(tenantNumber);
    Stored last = stored(tenantNumber, noted);
    if (last == null && noted > 0) {
      throw new LedgerException(
          "segment " + noted + " of the ledger with the number " + tenantNumber + " is lost", null);
    }
    int number = noted;
    for (Stored next = last; next != null; ) {
      last = next;
      next = last.segment().isFull() ? stored(tenantNumber, ++number) : null;
    }
    if (last != null && last.segment().number() > noted) {
      segments.noteLastSegment(tenantNumber, last.segment().number());
    }
    return last;
  }

  private @Nullable Stored stored(int tenantNumber, int number) {
    byte[] bytes = segments.get(tenantNumber, number);
    return bytes == null ? null : new Stored(LedgerSegment.decode(bytes), bytes);
  }

  private @Nullable LedgerSegment segment(int tenantNumber, int number) {
    Stored stored = stored(tenantNumber, number);
    return stored == null ? null : stored.segment();
  }

  private boolean store(Last last, List<LedgerEntry> entries) {
    LedgerSegment next = last.segment().with(entries);
    return segments.replace(next.tenantNumber(), next.number(), last.stored(), next.encode());
  }

  /** Lets others come first, for longer the more often that was in vain. */
  private static void pause(int attempt) {
    long most = 1L << Math.min(attempt + 1, LONGEST_PAUSE_BITS);
    try {
      TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextLong(most));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LedgerException("interrupted", e);
    }
  }

  private static LedgerException contended(Payer payer) {
    return new LedgerException(
        "too many write to the ledger of " + payer.tenant() + " at the same time; try again", null);
  }
}
