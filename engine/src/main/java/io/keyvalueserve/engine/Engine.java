package io.keyvalueserve.engine;

import io.keyvalueserve.engine.channel.ChannelBus;
import io.keyvalueserve.tenancy.Identity;
import java.util.concurrent.Executor;

/** A key-value engine that serves many tenants. Thread-safe. */
public interface Engine {
  /**
   * The key space of one tenant. Cheap; a session asks once and keeps it.
   *
   * @param identity from an authenticator; the space reaches what this identity may reach and no
   *     more
   */
  TenantSpace space(Identity identity);

  /**
   * Does the same as {@link #space(Identity)} for a thread that does the work of many sessions in
   * turns.
   *
   * @param endOfTurn runs a task when the thread is through with what it is at now: so that what
   *     several sessions ask for in the same turn can leave together
   */
  default TenantSpace space(Identity identity, Executor endOfTurn) {
    return space(identity);
  }

  /** Returns the way of published messages to the other members; always the same. */
  default ChannelBus channelBus() {
    return ChannelBus.ALONE;
  }

  /** Returns the events of keys that tenants are told of; always the same. */
  default NoticeStore notices() {
    return NoticeStore.ALONE;
  }

  /** Returns the uncertain changes of a thread that waits for them, see {@link KeyMap#direct}. */
  default Uncertain uncertain() {
    return Uncertain.NONE;
  }
}
