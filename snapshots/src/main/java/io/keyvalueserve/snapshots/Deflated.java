package io.keyvalueserve.snapshots;

import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * The compressed form of bytes, or the bytes themselves if compression makes them no smaller.
 *
 * <pre>
 *   0 | bytes
 *   1 | raw length (varint) | deflated bytes, without a header
 * </pre>
 */
final class Deflated {
  private static final int STORED = 0;
  private static final int DEFLATED = 1;
  private static final int LEVEL = 1;

  /** The factor that deflate never exceeds, rounded up. */
  private static final int BEST = 1040;

  /** The least size of which a sample is tried first. */
  private static final int SAMPLED = 64 << 10;

  private static final int SAMPLES = 3;
  private static final int SAMPLE = 8 << 10;

  private Deflated() {}

  static byte[] pack(byte[] raw) {
    if (raw.length >= SAMPLED && isIncompressible(raw)) {
      return stored(new byte[raw.length + 1], raw);
    }
    // Nothing is gained by an output that is longer than the input.
    byte[] packed = new byte[raw.length + 1];
    ByteWriter head = new ByteWriter(11);
    head.writeByte(DEFLATED);
    head.writeUnsigned(raw.length);
    if (head.size() < packed.length) {
      System.arraycopy(head.array(), 0, packed, 0, head.size());
      Deflater deflater = new Deflater(LEVEL, true);
      try {
        deflater.setInput(raw);
        deflater.finish();
        int length = deflater.deflate(packed, head.size(), packed.length - head.size());
        if (deflater.finished()) {
          return Arrays.copyOf(packed, head.size() + length);
        }
      } finally {
        deflater.end();
      }
    }
    return stored(packed, raw);
  }

  private static byte[] stored(byte[] packed, byte[] raw) {
    packed[0] = STORED;
    System.arraycopy(raw, 0, packed, 1, raw.length);
    return packed;
  }

  /** Tries a few places: to deflate noise takes longer than all else together. */
  private static boolean isIncompressible(byte[] raw) {
    byte[] deflated = new byte[SAMPLES * SAMPLE];
    Deflater deflater = new Deflater(LEVEL, true);
    try {
      long size = 0;
      for (int i = 0; i < SAMPLES; i++) {
        deflater.reset();
        int from = (int) ((long) (raw.length - SAMPLE) * i / (SAMPLES - 1));
        deflater.setInput(raw, from, SAMPLE);
        deflater.finish();
        size += deflater.deflate(deflated);
      }
      return size > SAMPLES * SAMPLE * 15L / 16;
    } finally {
      deflater.end();
    }
  }

  /**
   * Returns the raw bytes.
   *
   * @param most the most bytes that they may be
   * @throws SnapshotException of kind {@code DAMAGED} if they are not in this form
   */
  static byte[] unpack(String subject, byte[] packed, int most) {
    ByteReader reader = new ByteReader(subject, packed, 0, packed.length);
    int form = reader.readByte();
    if (form == STORED) {
      if (packed.length - 1 > most) {
        throw reader.damaged("is too long");
      }
      return Arrays.copyOfRange(packed, 1, packed.length);
    }
    if (form != DEFLATED) {
      throw reader.damaged("is compressed in an unknown way");
    }
    int length = reader.readCount(most);
    if (length > (long) reader.remaining() * BEST) {
      throw reader.damaged("has a length that cannot be");
    }
    return inflate(reader, packed, length);
  }

  /** Inflates into an array that grows with what is there, for the length may be a lie. */
  private static byte[] inflate(ByteReader reader, byte[] packed, int length) {
    byte[] raw = new byte[(int) Math.min(length, 16L * reader.remaining() + 64)];
    Inflater inflater = new Inflater(true);
    try {
      inflater.setInput(packed, reader.position(), reader.remaining());
      int size = 0;
      while (true) {
        size += inflater.inflate(raw, size, raw.length - size);
        if (inflater.finished()) {
          break;
        }
        if (size < raw.length) {
          throw reader.damaged("is cut off");
        }
        if (size == length) {
          checkFinished(reader, inflater);
          break;
        }
        raw = Arrays.copyOf(raw, (int) Math.min(length, 4L * size));
      }
      if (size != length || inflater.getRemaining() != 0) {
        throw reader.damaged("has another length than it says");
      }
      return raw;
    } catch (DataFormatException e) {
      throw reader.damaged("cannot be inflated");
    } finally {
      inflater.end();
    }
  }

  private static void checkFinished(ByteReader reader, Inflater inflater)
      throws DataFormatException {
    if (inflater.inflate(new byte[1]) != 0 || !inflater.finished()) {
      throw reader.damaged("is longer than it says");
    }
  }
}
