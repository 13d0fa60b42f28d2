package io.keyvalueserve.billing.ledger;

import io.keyvalueserve.billing.metering.MalformedUsageException;
import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.UsageEventCodec;
import io.keyvalueserve.tenancy.TenantName;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.UUID;

/**
 * The binary form of a ledger entry: what is stored, and what is hashed. Numbers have their highest
 * byte first.
 *
 * <pre>
 * version        1 byte   1
 * kind           1 byte   1 usage, 2 correction
 * tenant number  4 bytes
 * number         8 bytes
 * previous       32 bytes
 * recorded at    8 bytes  milliseconds since 1970
 * usage:         the event, as {@link UsageEventCodec} writes it
 * correction:    id       16 bytes
 *                entry    8 bytes
 *                measures 8 bytes  bit c - 1 is set if the measure of code c is changed
 *                changes  8 bytes for each of them, by code
 *                reason   UTF-8, to the end
 * hash           32 bytes, SHA-256 of all the bytes before it
 * </pre>
 *
 * <p>Canonical: an entry has one form. The first entry's {@code previous} is the hash of {@code
 * "kvs ledger 1 "}, the tenant's number, a space and its name.
 */
public final class LedgerCodec {
  private static final int VERSION = 1;
  private static final int USAGE = 1;
  private static final int CORRECTION = 2;
  private static final int HEADER_BYTES = 1 + 1 + 4 + 8 + EntryHash.BYTES + 8;

  private LedgerCodec() {}

  /** The entry as bytes, with its hash at the end. */
  public static byte[] encode(LedgerEntry entry) {
    return encode(
        entry.tenantNumber(),
        entry.number(),
        entry.previous(),
        entry.recordedAt(),
        entry.posting(),
        entry.hash());
  }

  /** Makes an entry: computes its hash. */
  static LedgerEntry seal(
      int tenantNumber, long number, EntryHash previous, Instant recordedAt, Posting posting) {
    Instant at = Instant.ofEpochMilli(recordedAt.toEpochMilli());
    byte[] bytes = encode(tenantNumber, number, previous, at, posting, previous);
    EntryHash hash = EntryHash.ofContent(bytes, bytes.length - EntryHash.BYTES);
    return new LedgerEntry(tenantNumber, number, previous, at, posting, hash);
  }

  /** Returns the hash that the first entry of a tenant's ledger has as its previous one. */
  static EntryHash seed(TenantName tenant, int tenantNumber) {
    byte[] text = ("kvs ledger 1 " + tenantNumber + " " + tenant).getBytes(StandardCharsets.UTF_8);
    return EntryHash.ofContent(text, text.length);
  }

  private static byte[] encode(
      int tenantNumber,
      long number,
      EntryHash previous,
      Instant recordedAt,
      Posting posting,
      EntryHash hash) {
    byte[] said =
        switch (posting) {
          case Posting.Usage usage -> UsageEventCodec.encode(usage.event());
          case Posting.Correction correction -> encode(correction);
        };
    return ByteBuffer.allocate(HEADER_BYTES + said.length + EntryHash.BYTES)
        .put((byte) VERSION)
        .put((byte) (posting instanceof Posting.Usage ? USAGE : CORRECTION))
        .putInt(tenantNumber)
        .putLong(number)
        .put(previous.bytes())
        .putLong(recordedAt.toEpochMilli())
        .put(said)
        .put(hash.bytes())
        .array();
  }

  private static byte[] encode(Posting.Correction correction) {
    byte[] reason = correction.reason().getBytes(StandardCharsets.UTF_8);
    Map<Measure, Long> changes = correction.changes();
    ByteBuffer bytes = ByteBuffer.allocate(32 + 8 * changes.size() + reason.length);
    bytes.putLong(correction.id().getMostSignificantBits());
    bytes.putLong(correction.id().getLeastSignificantBits());
    bytes.putLong(correction.entry());
    long present = 0;
    for (Measure measure : changes.keySet()) {
      present |= 1L << measure.index();
    }
    bytes.putLong(present);
    changes.values().forEach(bytes::putLong);
    return bytes.put(reason).array();
  }

  /**
   * Reads an entry and checks its hash.
   *
   * @throws MalformedEntryException if the bytes are not exactly one, or the hash is another
   */
  public static LedgerEntry decode(byte[] bytes) throws MalformedEntryException {
    if (bytes.length < HEADER_BYTES + EntryHash.BYTES) {
      throw new MalformedEntryException("it has only " + bytes.length + " bytes");
    }
    int hashed = bytes.length - EntryHash.BYTES;
    EntryHash hash = EntryHash.of(Arrays.copyOfRange(bytes, hashed, bytes.length));
    EntryHash computed = EntryHash.ofContent(bytes, hashed);
    if (!computed.equals(hash)) {
      throw new MalformedEntryException("its hash is " + hash + ", and its bytes make " + computed);
    }
    LedgerEntry entry;
    try {
      entry = read(ByteBuffer.wrap(bytes, 0, hashed), hash);
    } catch (BufferUnderflowException e) {
      throw new MalformedEntryException("it ends too soon");
    } catch (MalformedUsageException | IllegalArgumentException e) {
      throw new MalformedEntryException(String.valueOf(e.getMessage()));
    }
    if (!Arrays.equals(encode(entry), bytes)) {
      throw new MalformedEntryException("it is not in its one form");
    }
    return entry;
  }

  private static LedgerEntry read(ByteBuffer bytes, EntryHash hash)
      throws MalformedEntryException, MalformedUsageException {
    int version = bytes.get();
    if (version != VERSION) {
      throw new MalformedEntryException(
          "it is of version " + version + ", this program reads " + VERSION);
    }
    int kind = bytes.get();
    int tenantNumber = bytes.getInt();
    long number = bytes.getLong();
    byte[] previous = new byte[EntryHash.BYTES];
    bytes.get(previous);
    Instant recordedAt = Instant.ofEpochMilli(bytes.getLong());
    Posting posting =
        switch (kind) {
          case USAGE -> new Posting.Usage(UsageEventCodec.decode(rest(bytes)));
          case CORRECTION -> readCorrection(bytes);
          default -> throw new MalformedEntryException("there is no kind " + kind);
        };
    return new LedgerEntry(tenantNumber, number, EntryHash.of(previous), recordedAt, posting, hash);
  }

  private static Posting readCorrection(ByteBuffer bytes) throws MalformedEntryException {
    UUID id = new UUID(bytes.getLong(), bytes.getLong());
    long entry = bytes.getLong();
    long present = bytes.getLong();
    if (present >>> Measure.COUNT != 0) {
      throw new MalformedEntryException("it changes measures that this program does not know");
    }
    EnumMap<Measure, Long> changes = new EnumMap<>(Measure.class);
    for (Measure measure : Measure.values()) {
      if ((present & 1L << measure.index()) != 0) {
        changes.put(measure, bytes.getLong());
      }
    }
    return new Posting.Correction(
        id, entry, changes, new String(rest(bytes), StandardCharsets.UTF_8));
  }

  private static byte[] rest(ByteBuffer bytes) {
    byte[] rest = new byte[bytes.remaining()];
    bytes.get(rest);
    return rest;
  }
}
