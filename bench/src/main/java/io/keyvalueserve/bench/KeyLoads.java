package io.keyvalueserve.bench;

import java.util.Locale;

/**
 * Loads that read and write keys.
 *
 * @param entries how many there are
 */
record KeyLoads(int entries) implements Loads {
  @Override
  public void fill(Contender server) {
    RawLoad.fill(server, entries);
  }

  @Override
  public Window once(Contender server, Shape shape, int seed, long leadNanos, long nanos) {
    return RawLoad.once(server, shape, entries, seed, leadNanos, nanos);
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%,d keys", entries);
  }
}
