package io.keyvalueserve.billing.ledger;

import io.keyvalueserve.billing.metering.UsageEvent;
import java.time.Instant;
import java.util.Optional;

/**
 * One entry of a tenant's ledger. Never changed.
 *
 * @param tenantNumber whose ledger
 * @param number its place: 0 for the first
 * @param previous the hash of the entry before; for the first one the ledger's seed
 * @param recordedAt when it was appended, to the millisecond
 * @param posting what it says
 * @param hash of all of that
 */
public record LedgerEntry(
    int tenantNumber,
    long number,
    EntryHash previous,
    Instant recordedAt,
    Posting posting,
    EntryHash hash) {
  /**
   * Makes the entry that follows where a ledger ends.
   *
   * @param recordedAt when; kept to the millisecond
   */
  public static LedgerEntry after(
      LedgerHead head, int tenantNumber, Posting posting, Instant recordedAt) {
    return LedgerCodec.seal(tenantNumber, head.entries(), head.hash(), recordedAt, posting);
  }

  /** Returns the head of a ledger whose last entry this is. */
  public LedgerHead head() {
    return new LedgerHead(number + 1, hash);
  }

  /** Returns the usage event, if this entry records usage and not a correction. */
  public Optional<UsageEvent> usage() {
    return posting instanceof Posting.Usage usage ? Optional.of(usage.event()) : Optional.empty();
  }
}
