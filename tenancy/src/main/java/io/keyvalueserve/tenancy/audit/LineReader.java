package io.keyvalueserve.tenancy.audit;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * The lines of a stream, one after the other, in bounded memory: of a line that is too long only
 * the beginning is kept.
 */
final class LineReader implements Closeable {
  private final InputStream in;
  private final byte[] block = new byte[1 << 16];
  private int at;
  private int end;
  private long unread;

  private final byte[] line = new byte[AuditCodec.MOST_LINE_BYTES];
  private long lineBytes;
  private long number;
  private boolean whole;

  /**
   * @param in closed with this reader
   * @param bytes how many of its bytes are read at most
   */
  LineReader(InputStream in, long bytes) {
    this.in = in;
    this.unread = bytes;
  }

  /** Goes to the next line; false if there is none. */
  boolean next() throws IOException {
    lineBytes = 0;
    whole = false;
    while (!whole && (at < end || fill())) {
      byte next = block[at++];
      whole = next == '\n';
      if (lineBytes < line.length) {
        line[(int) lineBytes] = next;
      }
      lineBytes++;
    }
    if (lineBytes > 0) {
      number++;
    }
    return lineBytes > 0;
  }

  /** The line's number, 1 for the first. */
  long number() {
    return number;
  }

  /** Bytes of the line, its end included. */
  long lineBytes() {
    return lineBytes;
  }

  /** Returns whether the line has its end. */
  boolean isWhole() {
    return whole;
  }

  /**
   * The line's event.
   *
   * @throws DamagedLineException if it holds none
   */
  AuditEvent event() throws DamagedLineException {
    if (!whole) {
      throw new DamagedLineException("the line has no end");
    }
    if (lineBytes > line.length) {
      throw new DamagedLineException("the line is too long: bytes=" + lineBytes);
    }
    return AuditCodec.decode(Arrays.copyOf(line, (int) lineBytes));
  }

  private boolean fill() throws IOException {
    int read = unread == 0 ? -1 : in.read(block, 0, (int) Math.min(block.length, unread));
    at = 0;
    end = Math.max(read, 0);
    unread -= end;
    return end > 0;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
