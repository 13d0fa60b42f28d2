package io.keyvalueserve.billing.metering;

import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.Persistence;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The binary form of a usage event: what members send, and what the ledger hashes.
 *
 * <pre>
 * version       1 byte   1, or 2 with a persistence
 * member        16 bytes
 * incarnation   n        a number of 7 bits a byte, low ones first, the top bit for "more follows"
 * interval      n
 * tenant number n
 * tenant        2 bytes for its length, and its name
 * has map       1 byte   0 or 1
 *   owner       2 bytes for its length, and its name
 *   map         likewise, in the JDK's modified UTF-8, which takes any name
 * sharing       1 byte   its code
 * persistence   1 byte   in version 2: its code, not that of the default
 * minute        n
 * measures      n        bit c - 1 is set if the measure of code c is not 0
 *   quantity    n        for each of them, by code
 * </pre>
 *
 * <p>Canonical: an event has one form and no other bytes are read as it. Bytes that a later version
 * would append are refused, so that what was hashed is what was read.
 */
public final class UsageEventCodec {
  private static final int VERSION = 1;
  private static final int VERSION_WITH_PERSISTENCE = 2;

  private UsageEventCodec() {}

  /** The event as bytes, some 60 to 900 of them. */
  public static byte[] encode(UsageEvent event) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(128);
    try {
      write(event, new DataOutputStream(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory does not fail
    }
    return bytes.toByteArray();
  }

  /**
   * Reads an event.
   *
   * @throws MalformedUsageException if the bytes are not exactly one
   */
  public static UsageEvent decode(byte[] bytes) throws MalformedUsageException {
    UsageEvent event;
    try {
      event = read(new DataInputStream(new ByteArrayInputStream(bytes)));
    } catch (EOFException e) {
      throw new MalformedUsageException("it ends too soon, after " + bytes.length + " bytes");
    } catch (IOException e) {
      throw new MalformedUsageException("a name is not text");
    } catch (IllegalArgumentException e) {
      throw new MalformedUsageException(String.valueOf(e.getMessage()));
    }
    if (!Arrays.equals(encode(event), bytes)) {
      throw new MalformedUsageException("it is not in its one form, or more follows it");
    }
    return event;
  }

  private static void write(UsageEvent event, DataOutputStream out) throws IOException {
    UsageIdentity identity = event.identity();
    boolean isDefault = identity.persistence() == Persistence.DEFAULT;
    out.writeByte(isDefault ? VERSION : VERSION_WITH_PERSISTENCE);
    out.writeLong(identity.member().getMostSignificantBits());
    out.writeLong(identity.member().getLeastSignificantBits());
    writeNumber(identity.incarnation(), out);
    writeNumber(identity.interval(), out);
    writeNumber(identity.tenantNumber(), out);
    out.writeUTF(identity.tenant().value());
    QualifiedName map = identity.map();
    out.writeBoolean(map != null);
    if (map != null) {
      out.writeUTF(map.tenant().value());
      out.writeUTF(map.map().value());
    }
    out.writeByte(identity.sharing().code());
    if (!isDefault) {
      out.writeByte(identity.persistence().code());
    }
    writeNumber(identity.minute(), out);
    writeQuantities(event.quantities(), out);
  }

  private static void writeQuantities(UsageQuantities quantities, DataOutputStream out)
      throws IOException {
    long present = 0;
    for (Measure measure : Measure.values()) {
      present |= quantities.of(measure) == 0 ? 0 : 1L << measure.index();
    }
    writeNumber(present, out);
    for (Measure measure : Measure.values()) {
      if (quantities.of(measure) != 0) {
        writeNumber(quantities.of(measure), out);
      }
    }
  }

  private static UsageEvent read(DataInputStream in) throws IOException, MalformedUsageException {
    int version = in.readUnsignedByte();
    if (version != VERSION && version != VERSION_WITH_PERSISTENCE) {
      throw new MalformedUsageException(
          "it is of version "
              + version
              + ", this program reads "
              + VERSION
              + " and "
              + VERSION_WITH_PERSISTENCE);
    }
    UUID member = new UUID(in.readLong(), in.readLong());
    long incarnation = readNumber(in);
    long interval = readNumber(in);
    long tenantNumber = readNumber(in);
    if (tenantNumber > Integer.MAX_VALUE) {
      throw new MalformedUsageException("no tenant has the number " + tenantNumber);
    }
    TenantName tenant = new TenantName(in.readUTF());
    QualifiedName map = readMap(in);
    SharingLevel sharing = SharingLevel.ofCode(in.readUnsignedByte());
    Persistence persistence =
        version == VERSION ? Persistence.DEFAULT : Persistence.ofCode(in.readUnsignedByte());
    UsageIdentity identity =
        new UsageIdentity(
            member,
            incarnation,
            interval,
            tenant,
            (int) tenantNumber,
            map,
            sharing,
            persistence,
            readNumber(in));
    return new UsageEvent(identity, readQuantities(in));
  }

  private static @Nullable QualifiedName readMap(DataInputStream in) throws IOException {
    return in.readBoolean()
        ? new QualifiedName(new TenantName(in.readUTF()), new MapName(in.readUTF()))
        : null;
  }

  private static UsageQuantities readQuantities(DataInputStream in)
      throws IOException, MalformedUsageException {
    long present = readNumber(in);
    if (present >>> Measure.COUNT != 0) {
      throw new MalformedUsageException("it has measures that this program does not know");
    }
    long[] quantities = new long[Measure.COUNT];
    for (Measure measure : Measure.values()) {
      if ((present & 1L << measure.index()) != 0) {
        quantities[measure.index()] = readNumber(in);
      }
    }
    return UsageQuantities.of(quantities);
  }

  private static void writeNumber(long number, DataOutputStream out) throws IOException {
    long rest = number;
    while (rest > 0x7f) {
      out.writeByte((int) (rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    out.writeByte((int) rest);
  }

  /** Reads a number of 63 bits at most. */
  private static long readNumber(DataInputStream in) throws IOException, MalformedUsageException {
    long number = 0;
    for (int shift = 0; shift < 63; shift += 7) {
      int next = in.readUnsignedByte();
      number |= (long) (next & 0x7f) << shift;
      if (next < 0x80) {
        return number;
      }
    }
    throw new MalformedUsageException("a number has more than 63 bits");
  }
}
