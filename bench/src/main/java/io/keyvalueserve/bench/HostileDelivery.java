package io.keyvalueserve.bench;

import java.util.Locale;

/** How a hostile peer sends the bytes of an input. */
enum HostileDelivery {
  /** All at once; the answer is read. */
  WHOLE,
  /** In pieces of random lengths. */
  TORN,
  /** Byte by byte, with pauses, for a bounded time. */
  DRIPPED,
  /** Many times over; all answers are read. */
  PIPELINED,
  /** The beginning only; then the connection is closed. */
  TRUNCATED,
  /** The beginning only; the connection stays open. */
  HELD,
  /** Many times over; no answer is read. */
  UNREAD;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
