package io.keyvalueserve.bench;

import java.util.Locale;

/**
 * The form of a raw load.
 *
 * @param members of the cluster, if the server is a member of one
 * @param connections how many
 * @param pipeline requests that a connection sends at once, before it waits for their replies
 * @param mix what they do
 * @param operationsPerSecond the rate that is kept whatever the server does; 0 for as many as come
 */
record Shape(int members, int connections, int pipeline, Mix mix, long operationsPerSecond) {
  /** The same at another rate; 0 for as many as come. */
  Shape at(long rate) {
    return new Shape(members, connections, pipeline, mix, rate);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%s%d connection%s, pipeline %d, %s%s",
        members == 1 ? "" : members + " members, ",
        connections,
        connections == 1 ? "" : "s",
        pipeline,
        mix.name(),
        operationsPerSecond == 0
            ? ""
            : String.format(Locale.ROOT, ", %,d ops/s offered", operationsPerSecond));
  }
}
