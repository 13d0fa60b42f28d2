package io.keyvalueserve.bench;

import java.util.Locale;

/**
 * The form of a load by real clients.
 *
 * @param members of the cluster
 * @param clients each with a connection of its own, to one member
 * @param threads of each client, each with one operation on its way
 * @param mix what they do
 */
record ClientShape(int members, int clients, int threads, Mix mix) {
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%d member%s, %d client%s%s, %s",
        members,
        members == 1 ? "" : "s",
        clients,
        clients == 1 ? "" : "s",
        threads == 1 ? "" : " of " + threads + " threads",
        mix.name());
  }
}
