package io.keyvalueserve.bench;

/** Draws inputs for a door: valid messages of its protocol, most of them changed. Thread-safe. */
interface HostileGrammar {
  /** Returns the door that the inputs are for. */
  HostileDoor door();

  /** Returns the bytes by which a tenant logs in on a new connection; empty if there are none. */
  default byte[] login() {
    return new byte[0];
  }

  /**
   * Draws an input.
   *
   * @param known whether the peer has a tenant's key and shows it
   */
  HostileInput draw(HostileDice dice, boolean known);
}
