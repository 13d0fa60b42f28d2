package io.keyvalueserve.engine.rdb;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** The checksum of the format: CRC-64 of Jones, reflected, from 0. */
public final class Crc64 {
  /** The polynomial 0xad93d23594c935a9 with its bits in reverse order. */
  private static final long POLYNOMIAL = 0x95ac9329ac4bc9b5L;

  private static final int SLICES = Long.BYTES;
  private static final int BYTE_VALUES = 256;
  private static final long[][] TABLES = tables();
  private static final VarHandle LITTLE =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private Crc64() {}

  private static long[][] tables() {
    long[][] tables = new long[SLICES][BYTE_VALUES];
    for (int i = 0; i < BYTE_VALUES; i++) {
      long crc = i;
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        crc = (crc & 1) == 0 ? crc >>> 1 : (crc >>> 1) ^ POLYNOMIAL;
      }
      tables[0][i] = crc;
    }
    for (int i = 0; i < BYTE_VALUES; i++) {
      for (int slice = 1; slice < SLICES; slice++) {
        long before = tables[slice - 1][i];
        tables[slice][i] = (before >>> Byte.SIZE) ^ tables[0][(int) before & 0xff];
      }
    }
    return tables;
  }

  /**
   * Returns the checksum of more bytes.
   *
   * @param crc of all bytes before; 0 at the beginning
   */
  public static long update(long crc, byte[] bytes, int from, int to) {
    long sum = crc;
    int at = from;
    for (; at + Long.BYTES <= to; at += Long.BYTES) {
      long word = sum ^ (long) LITTLE.get(bytes, at);
      sum = 0;
      for (int slice = 0; slice < SLICES; slice++) {
        sum ^= TABLES[SLICES - 1 - slice][(int) (word >>> (slice * Byte.SIZE)) & 0xff];
      }
    }
    for (; at < to; at++) {
      sum = (sum >>> Byte.SIZE) ^ TABLES[0][((int) sum ^ bytes[at]) & 0xff];
    }
    return sum;
  }
}
