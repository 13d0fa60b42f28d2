package io.keyvalueserve.server;

import io.keyvalueserve.grid.Role;
import io.keyvalueserve.server.config.ServerConfig;
import java.net.InetSocketAddress;
import java.util.List;

/** A member that a process runs: a server with all its doors, or a witness. */
public sealed interface ServedMember extends AutoCloseable permits Server, Witness {
  /**
   * Starts a member in the role that it is configured for. Blocks until it is ready.
   *
   * @throws StartException if it cannot start; nothing stays open
   */
  static ServedMember start(ServerConfig config) {
    return config.role() == Role.WITNESS ? Witness.start(config) : Server.start(config);
  }

  /** Returns the member's addresses and setup, in lines for a person. */
  List<String> describe();

  /** Returns the settings of this member with the ports that it has. */
  ServerConfig configWithPorts();

  /**
   * Has somebody told, once, when the member has to be closed, and started again with {@link
   * #configWithPorts}: its cluster goes on without it.
   *
   * @param task does not block
   */
  void whenOutcast(Runnable task);

  /**
   * Returns the addresses of the members of which this one had heard nothing for too long when it
   * left its cluster; empty if there were none.
   */
  List<InetSocketAddress> unheard();

  /** Ends the member in order. Calling it twice does nothing more. */
  @Override
  void close();
}
