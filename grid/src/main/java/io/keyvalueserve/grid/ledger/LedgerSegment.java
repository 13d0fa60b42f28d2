package io.keyvalueserve.grid.ledger;

import io.keyvalueserve.billing.ledger.EntryHash;
import io.keyvalueserve.billing.ledger.LedgerCodec;
import io.keyvalueserve.billing.ledger.LedgerEntry;
import io.keyvalueserve.billing.ledger.LedgerHead;
import io.keyvalueserve.billing.ledger.MalformedEntryException;
import io.keyvalueserve.tenancy.TenantName;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A piece of a tenant's ledger, as it is stored: some entries that follow each other, and what was
 * before them.
 *
 * <pre>
 * version        1 byte   1
 * number         4 bytes
 * tenant number  4 bytes
 * tenant         2 bytes for its length, and its name
 * before         8 bytes for the number of entries, 2 for a length and the last one's hash in hex
 * marks          as {@link PostedMarks} writes them, of all entries before
 * entries        to the end: 4 bytes for the length and an entry as {@link LedgerCodec} writes it
 * </pre>
 *
 * <p>Whether it is {@linkplain #isFull full} follows from its entries alone, and what is full never
 * changes again: so nobody begins the next one while another still appends to this one.
 *
 * @param tenant whose ledger
 * @param tenantNumber its number
 * @param number which segment: 0 for the first
 * @param before where the ledger ended before it
 * @param marks what was posted before it; never changed
 * @param entries the bytes of entries, which nobody has checked
 */
record LedgerSegment(
    TenantName tenant,
    int tenantNumber,
    int number,
    LedgerHead before,
    PostedMarks marks,
    List<byte[]> entries) {
  /** Bytes of entries with which a segment is full: each append writes up to that many anew. */
  static final int FULL_BYTES = 32 << 10;

  private static final int VERSION = 1;

  LedgerSegment {
    entries = List.copyOf(entries);
  }

  /**
   * The end of a segment, after its entries were checked.
   *
   * @param head where the ledger ends
   * @param marks what was posted by then; whoever asked may change them
   */
  record End(LedgerHead head, PostedMarks marks) {}

  /** The first one, without entries. */
  static LedgerSegment first(TenantName tenant, int tenantNumber) {
    return new LedgerSegment(
        tenant,
        tenantNumber,
        0,
        LedgerHead.beginning(tenant, tenantNumber),
        new PostedMarks(),
        List.of());
  }

  /** Returns whether the segment is full, so that entries go to the next one. */
  boolean isFull() {
    return entries.stream().mapToInt(entry -> entry.length).sum() >= FULL_BYTES;
  }

  /** The one that follows, without entries. */
  LedgerSegment next(End end) {
    return new LedgerSegment(
        tenant, tenantNumber, number + 1, end.head(), end.marks().copy(), List.of());
  }

  /** The same with more entries behind its own. */
  LedgerSegment with(List<LedgerEntry> more) {
    List<byte[]> all = new ArrayList<>(entries);
    more.forEach(entry -> all.add(LedgerCodec.encode(entry)));
    return new LedgerSegment(tenant, tenantNumber, number, before, marks, all);
  }

  /** Those of its entries whose numbers are this or more. */
  List<byte[]> entriesFrom(long entry) {
    int skip = (int) Math.clamp(entry - before.entries(), 0, (long) entries.size());
    return entries.subList(skip, entries.size());
  }

  /**
   * Checks its entries.
   *
   * @throws LedgerException if one is not what was written, or does not follow that before it
   */
  End end() {
    LedgerHead head = before;
    PostedMarks posted = marks.copy();
    for (byte[] bytes : entries) {
      LedgerEntry entry = decoded(bytes, head);
      entry.usage().ifPresent(event -> posted.add(event.identity()));
      head = entry.head();
    }
    return new End(head, posted);
  }

  private LedgerEntry decoded(byte[] bytes, LedgerHead head) {
    LedgerEntry entry = decoded(bytes, head.entries());
    if (entry.number() == head.entries() && entry.previous().equals(head.hash())) {
      return entry;
    }
    throw new LedgerException(
        "%s: entry %d does not follow entry %d"
            .formatted(name(), entry.number(), head.entries() - 1),
        null);
  }

  private LedgerEntry decoded(byte[] bytes, long entry) {
    try {
      return LedgerCodec.decode(bytes);
    } catch (MalformedEntryException e) {
      throw new LedgerException(name() + ": entry " + entry + " is damaged: " + e.getMessage(), e);
    }
  }

  /**
   * Returns its entries, which are not checked against each other.
   *
   * @throws LedgerException if one is damaged
   */
  List<LedgerEntry> decodedEntries() {
    List<LedgerEntry> decoded = new ArrayList<>(entries.size());
    for (byte[] bytes : entries) {
      decoded.add(decoded(bytes, before.entries() + decoded.size()));
    }
    return decoded;
  }

  private String name() {
    return "segment " + number + " of the ledger of tenant " + tenant;
  }

  /** Its stored form. */
  byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(FULL_BYTES);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      out.writeInt(number);
      out.writeInt(tenantNumber);
      out.writeUTF(tenant.value());
      out.writeLong(before.entries());
      out.writeUTF(before.hash().hex());
      marks.write(out);
      for (byte[] entry : entries) {
        out.writeInt(entry.length);
        out.write(entry);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory does not fail
    }
    return bytes.toByteArray();
  }

  /**
   * Reads the stored form. Entries are not looked into.
   *
   * @throws LedgerException if it is none
   */
  static LedgerSegment decode(byte[] stored) {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(stored));
    try {
      int version = in.readUnsignedByte();
      if (version != VERSION) {
        throw new LedgerException(
            "a segment of a ledger is of version " + version + ", this program reads " + VERSION,
            null);
      }
      int number = in.readInt();
      int tenantNumber = in.readInt();
      TenantName tenant = new TenantName(in.readUTF());
      LedgerHead before = new LedgerHead(in.readLong(), new EntryHash(in.readUTF()));
      PostedMarks marks = PostedMarks.read(in);
      List<byte[]> entries = new ArrayList<>();
      while (in.available() > 0) {
        entries.add(in.readNBytes(in.readInt()));
      }
      return new LedgerSegment(tenant, tenantNumber, number, before, marks, entries);
    } catch (IOException | IllegalArgumentException e) {
      throw new LedgerException("a segment of a ledger is damaged: " + e.getMessage(), e);
    }
  }
}
