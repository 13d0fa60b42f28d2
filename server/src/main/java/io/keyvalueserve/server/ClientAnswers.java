package io.keyvalueserve.server;

import io.keyvalueserve.tenancy.ConnectedClient;
import java.util.List;

/**
 * The answers of all members about the clients of a tenant.
 *
 * @param clients some of those that are connected, the ones that have been for longest first
 * @param total how many are connected to the members that gave an answer
 * @param silent the addresses of members that gave no answer
 */
public record ClientAnswers(List<Connected> clients, int total, List<String> silent) {
  public ClientAnswers {
    clients = List.copyOf(clients);
    silent = List.copyOf(silent);
  }

  /**
   * A client and where it is connected.
   *
   * @param member the member port of the member that it is connected to, {@code HOST:PORT}
   */
  public record Connected(String member, ConnectedClient client) {}
}
