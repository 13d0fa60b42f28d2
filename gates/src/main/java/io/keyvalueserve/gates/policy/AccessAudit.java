package io.keyvalueserve.gates.policy;

import io.keyvalueserve.tenancy.Door;
import io.keyvalueserve.tenancy.Identity;
import java.net.SocketAddress;

/**
 * A record that every door tells who came in, who was not let in, what was refused, and whose locks
 * were taken. Thread-safe; never blocks and never throws, so an event loop may call it.
 */
public interface AccessAudit {
  /** The audit that keeps nothing. */
  AccessAudit NONE =
      new AccessAudit() {
        @Override
        public void loginAccepted(Identity identity, Door door, SocketAddress from) {}

        @Override
        public void loginRefused(String shown, Door door, SocketAddress from) {}

        @Override
        public void requestRefused(Identity identity, Door door, String object, String reason) {}

        @Override
        public void unlockForced(Identity identity, Door door, String object) {}
      };

  /** A client was let in. */
  void loginAccepted(Identity identity, Door door, SocketAddress from);

  /**
   * A client was not let in.
   *
   * @param shown the tenant's name as the client sent it, whatever it holds; empty if it sent none
   */
  void loginRefused(String shown, Door door, SocketAddress from);

  /**
   * A client asked for what its tenant may not.
   *
   * @param object the name of what it asked for, as far as the door knows it; may be empty
   * @param reason what it was told
   */
  void requestRefused(Identity identity, Door door, String object, String reason);

  /**
   * A client took off a lock that may be another's.
   *
   * @param object the map, by its qualified name, and the key if the door knows it
   */
  void unlockForced(Identity identity, Door door, String object);
}
