package io.keyvalueserve.bench;

import java.util.Locale;

/**
 * The form of a storm of connections.
 *
 * @param protocol that they speak
 * @param connections opened all at once
 * @param perSecond the requests of each, once all are open
 * @param mix what they do
 */
record StormShape(String protocol, int connections, double perSecond, Mix mix) {
  /**
   * The time from a connection's request to its next one, in nanoseconds: a multiple of the gap.
   */
  long periodNanos() {
    return gapNanos() * connections;
  }

  /** The time from any request to the next one, of whichever connection, in nanoseconds. */
  long gapNanos() {
    return Math.max(1, Math.round(1e9 / perSecond / connections));
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%s, %,d connections, %s/s each, %s",
        protocol,
        connections,
        perSecond == Math.rint(perSecond) ? Long.toString((long) perSecond) : "" + perSecond,
        mix.name());
  }
}
