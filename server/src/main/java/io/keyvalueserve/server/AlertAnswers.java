package io.keyvalueserve.server;

import java.util.List;

/**
 * The answers of all members about alerts.
 *
 * @param alerts those that hold first, then those that ended last
 * @param silent the addresses of members that gave no answer
 */
public record AlertAnswers(List<Noted> alerts, List<String> silent) {
  public AlertAnswers {
    alerts = List.copyOf(alerts);
    silent = List.copyOf(silent);
  }

  /**
   * An alert and who noted it.
   *
   * @param member the member port of the member, {@code HOST:PORT}
   */
  public record Noted(String member, Alert alert) {}
}
