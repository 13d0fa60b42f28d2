package io.keyvalueserve.grid.ledger;

import io.keyvalueserve.billing.ledger.BrokenLedgerException;
import io.keyvalueserve.billing.ledger.LedgerCodec;
import io.keyvalueserve.billing.ledger.MalformedEntryException;
import io.keyvalueserve.billing.ledger.Posting;
import io.keyvalueserve.billing.metering.UsageEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends usage that one side of a split had in its ledgers to the ledgers of the side that it has
 * joined. Each event is appended once. Two ledgers of one tenant are not put together: their
 * entries would be no chain. The ledger of the side that goes on grows, and what it had stays.
 *
 * <p>Thread-safe.
 */
public final class LedgerMerge {
  private static final Logger LOG = LoggerFactory.getLogger(LedgerMerge.class);
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final long RETRY_MILLIS = 500;

  private final GridLedger ledger;
  private final long patienceNanos;
  private final List<byte[]> segments = new ArrayList<>();

  /**
   * @param ledger the ledgers as this member reaches them
   */
  public LedgerMerge(GridLedger ledger) {
    this(ledger, PATIENCE);
  }

  LedgerMerge(GridLedger ledger, Duration patience) {
    this.ledger = ledger;
    patienceNanos = patience.toNanos();
  }

  /**
   * Takes segments that this member's side has changed. Does not block.
   *
   * @param stored their bytes, as they were in the grid
   */
  public void take(List<byte[]> stored) {
    synchronized (segments) {
      segments.addAll(stored);
    }
  }

  private List<byte[]> takeAll() {
    synchronized (segments) {
      List<byte[]> all = List.copyOf(segments);
      segments.clear();
      return all;
    }
  }

  /**
   * Merges the segments that were taken. Blocks; tries for up to two minutes to reach a ledger.
   *
   * @param listener hears of each tenant with usage that was merged or lost
   */
  public void run(Consumer<MergedUsage> listener) {
    ledger.forgetRead();
    long end = System.nanoTime() + patienceNanos;
    theirs(takeAll())
        .forEach(
            (owner, postings) -> {
              MergedUsage merged = merge(owner, postings, end);
              if (!merged.isNothing()) {
                tell(listener, merged);
              }
            });
  }

  private static void tell(Consumer<MergedUsage> listener, MergedUsage merged) {
    try {
      listener.accept(merged);
    } catch (RuntimeException e) { // the other ledgers are still to be merged
      LOG.error("the merge of a ledger could not be told: {}", merged.owner(), e);
    }
  }

  /** The postings of each ledger, in their order within a segment. */
  private static Map<LedgerOwner, List<Posting>> theirs(List<byte[]> segments) {
    Map<LedgerOwner, List<Posting>> theirs = new LinkedHashMap<>();
    for (byte[] bytes : segments) {
      if (bytes.length <= Integer.BYTES) {
        continue; // a number of a late segment
      }
      try {
        LedgerSegment segment = LedgerSegment.decode(bytes);
        List<Posting> postings =
            theirs.computeIfAbsent(
                new LedgerOwner(segment.tenant(), segment.tenantNumber()),
                owner -> new ArrayList<>());
        for (byte[] entry : segment.entries()) {
          postings.add(LedgerCodec.decode(entry).posting());
        }
      } catch (LedgerException | MalformedEntryException e) {
        LOG.error("usage of the other side of a split is lost: its ledger is damaged", e);
      }
    }
    return theirs;
  }

  private MergedUsage merge(LedgerOwner owner, List<Posting> theirs, long end) {
    List<UsageEvent> events =
        theirs.stream()
            .filter(Posting.Usage.class::isInstance)
            .map(posting -> ((Posting.Usage) posting).event())
            .toList();
    List<Posting.Correction> corrections =
        theirs.stream()
            .filter(Posting.Correction.class::isInstance)
            .map(Posting.Correction.class::cast)
            .toList();
    List<UsageEvent> taken = new ArrayList<>();
    while (true) {
      try {
        List<UsageEvent> some = ledger.mergeSome(owner, events);
        while (!some.isEmpty()) {
          taken.addAll(some);
          some = ledger.mergeSome(owner, events);
        }
        return new MergedUsage(owner, taken, List.of(), ledger.missing(owner, corrections));
      } catch (BrokenLedgerException | RuntimeException e) {
        if (System.nanoTime() - end > 0 || !pause()) {
          LOG.error("usage of {} is not in the merged ledger", owner.tenant(), e);
          Set<UsageEvent> lost = new LinkedHashSet<>(events);
          taken.forEach(lost::remove);
          return new MergedUsage(owner, taken, List.copyOf(lost), corrections);
        }
      }
    }
  }

  private static boolean pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
