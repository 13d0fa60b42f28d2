package io.keyvalueserve.server.config;

/**
 * The settings of the door for PostgreSQL clients.
 *
 * @param port where it listens; 0 for any that is free, {@link #OFF} if it is closed
 * @param maxClients the most connections
 */
public record PostgresSettings(int port, int maxClients) {
  /** The port of a door that is closed. */
  public static final int OFF = -1;

  /** Returns whether the door is to be opened. */
  public boolean isOpen() {
    return port != OFF;
  }
}
