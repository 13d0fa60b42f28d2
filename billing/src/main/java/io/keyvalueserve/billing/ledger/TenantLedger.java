package io.keyvalueserve.billing.ledger;

import io.keyvalueserve.billing.metering.UsageEvent;
import io.keyvalueserve.billing.metering.UsageIdentity;
import io.keyvalueserve.tenancy.TenantName;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The ledger of one tenant: entries that are appended and never changed, each with the hash of the
 * one before. A usage event is appended once, however often it is told.
 *
 * <p>A chain of hashes as in S. Haber and W. Stornetta, "How to time-stamp a digital document"
 * (Journal of Cryptology 3, 1991, section 5.1): who keeps the head can tell whether anything before
 * it was changed.
 *
 * <p>Holds all entries in memory. For one thread at a time; whoever wires it stores what was
 * appended before it says that an event was taken.
 */
public final class TenantLedger {
  private final TenantName tenant;
  private final int tenantNumber;
  private final Map<UsageIdentity, LedgerEntry> byEvent = new HashMap<>();
  private final Map<UUID, LedgerEntry> byCorrection = new HashMap<>();
  private final Chain chain;

  /** The result of a posting. */
  public sealed interface Result {
    /** The posting was appended: keep the entry. */
    record Appended(LedgerEntry entry) implements Result {}

    /** The posting is there already, in this entry. Nothing was done. */
    record Known(LedgerEntry entry) implements Result {}

    /** The entry has the same identity and says something else. Nothing was done. */
    record Conflicting(LedgerEntry entry) implements Result {}

    /** The posting is not possible. Nothing was done. */
    record Refused(String why) implements Result {}
  }

  /**
   * Begins a ledger.
   *
   * @param tenant whose it is
   * @param tenantNumber its number: 1 or more, unique for all time
   */
  public TenantLedger(TenantName tenant, int tenantNumber) {
    if (tenantNumber < 1) {
      throw new IllegalArgumentException("tenantNumber is 1 or more: " + tenantNumber);
    }
    this.tenant = tenant;
    this.tenantNumber = tenantNumber;
    chain = new Chain(tenant, tenantNumber);
  }

  /**
   * Goes on with a ledger that was stored, and checks all of it.
   *
   * @param stored the entries as {@link LedgerCodec} wrote them
   * @throws BrokenLedgerException if an entry is not what was written
   */
  public static TenantLedger open(TenantName tenant, int tenantNumber, List<byte[]> stored)
      throws BrokenLedgerException {
    TenantLedger ledger = new TenantLedger(tenant, tenantNumber);
    ledger.extend(stored);
    return ledger;
  }

  /**
   * Takes in what was stored behind the entries that it has, and checks it.
   *
   * @param stored the entries as {@link LedgerCodec} wrote them; none for nothing new
   * @throws BrokenLedgerException if an entry is not what was written; the ledger must not be used
   *     any more then
   */
  public void extend(List<byte[]> stored) throws BrokenLedgerException {
    int known = chain.entries().size();
    chain.extend(stored);
    for (LedgerEntry entry : chain.entries().subList(known, chain.entries().size())) {
      LedgerEntry before = index(entry);
      if (before != null) {
        throw new BrokenLedgerException(
            new Difference.EventTwice(
                entry.usage().orElseThrow().identity(), before.number(), entry.number()));
      }
    }
  }

  /**
   * Appends what was used, unless that was done.
   *
   * @param now when; kept to the millisecond
   * @return {@code Appended}, {@code Known}, {@code Conflicting}, or {@code Refused} for an event
   *     of another tenant
   */
  public Result post(UsageEvent event, Instant now) {
    UsageIdentity identity = event.identity();
    if (identity.tenantNumber() != tenantNumber || !identity.tenant().equals(tenant)) {
      return new Result.Refused(
          "this is the ledger of "
              + tenant
              + ", number "
              + tenantNumber
              + ", and the event is "
              + identity.text());
    }
    LedgerEntry known = byEvent.get(identity);
    if (known != null) {
      return known.usage().equals(Optional.of(event))
          ? new Result.Known(known)
          : new Result.Conflicting(known);
    }
    return append(new Posting.Usage(event), now);
  }

  /**
   * Appends a correction, unless that was done.
   *
   * @param now when; kept to the millisecond
   * @return {@code Appended}, {@code Known}, {@code Conflicting}, or {@code Refused} for one of no
   *     entry of usage, or that would leave less than nothing
   */
  public Result correct(Posting.Correction correction, Instant now) {
    LedgerEntry known = byCorrection.get(correction.id());
    if (known != null) {
      return known.posting().equals(correction)
          ? new Result.Known(known)
          : new Result.Conflicting(known);
    }
    Optional<String> refusal = chain.corrections().admit(correction, chain.entries());
    return refusal.isPresent() ? new Result.Refused(refusal.get()) : append(correction, now);
  }

  private Result append(Posting posting, Instant now) {
    LedgerEntry entry = LedgerEntry.after(head(), tenantNumber, posting, now);
    chain.add(entry);
    index(entry);
    return new Result.Appended(entry);
  }

  /** Returns the entry that says the same, if there is one. */
  private @Nullable LedgerEntry index(LedgerEntry entry) {
    return switch (entry.posting()) {
      case Posting.Usage usage -> byEvent.putIfAbsent(usage.event().identity(), entry);
      case Posting.Correction correction -> byCorrection.putIfAbsent(correction.id(), entry);
    };
  }

  /** Returns whether an entry tells of this event. */
  public boolean has(UsageIdentity event) {
    return byEvent.containsKey(event);
  }

  /** Returns whether a correction with the id of this one was made. */
  public boolean has(Posting.Correction correction) {
    return byCorrection.containsKey(correction.id());
  }

  /** Returns the present head of the ledger. */
  public LedgerHead head() {
    return chain.head();
  }

  /** All entries, by number. A view: it grows. */
  public List<LedgerEntry> entries() {
    return Collections.unmodifiableList(chain.entries());
  }

  /**
   * The entries that say what was used in a time, and those that correct them.
   *
   * @param from the first minute, since 1970
   * @param to the first that is not meant any more
   */
  public List<LedgerEntry> entries(long from, long to) {
    return entries().stream()
        .filter(
            entry -> {
              long minute = used(entry).identity().minute();
              return minute >= from && minute < to;
            })
        .toList();
  }

  /** The event that one of its entries tells, or corrects. */
  UsageEvent used(LedgerEntry entry) {
    return switch (entry.posting()) {
      case Posting.Usage usage -> usage.event();
      case Posting.Correction correction ->
          entries().get((int) correction.entry()).usage().orElseThrow();
    };
  }

  /** Returns the tenant of this ledger. */
  public TenantName tenant() {
    return tenant;
  }

  /** The tenant's number. */
  public int tenantNumber() {
    return tenantNumber;
  }
}
