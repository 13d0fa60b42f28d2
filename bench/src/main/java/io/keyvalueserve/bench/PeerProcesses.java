package io.keyvalueserve.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A peer's cluster whose servers are processes of one program, each in a network of its own. */
abstract class PeerProcesses implements PeerCluster {
  final MemberNetwork network = new MemberNetwork(SIZE);
  private final @Nullable ServerProcess[] servers = new ServerProcess[SIZE];
  private final Path program;
  private final String client;
  private final int clientPort;

  /**
   * @param program that the processes have to be
   * @param client the kind that {@link FaultClient#of} knows
   * @param clientPort where clients connect
   */
  PeerProcesses(Path program, String client, int clientPort) {
    this.program = program;
    this.client = client;
    this.clientPort = clientPort;
  }

  /** Starts a server's process, for the first time or anew. */
  abstract ServerProcess start(int member);

  /** Whether all servers are one cluster. */
  abstract boolean isWhole() throws IOException;

  /**
   * Waits until they are.
   *
   * @param name of the product
   */
  void awaitWhole(String name, long stepMillis, long seconds) {
    Clock.await(
        () -> {
          try {
            return isWhole();
          } catch (IOException notYet) {
            return false;
          }
        },
        stepMillis,
        seconds,
        name + " was not whole");
  }

  void launchAll() {
    for (int i = 1; i <= SIZE; i++) {
      launch(i);
    }
  }

  @Override
  public MemberNetwork network() {
    return network;
  }

  @Override
  public List<String> client(int member) {
    List<String> words = new ArrayList<>(List.of(client));
    for (int i = 0; i < SIZE; i++) {
      words.add(network.address(1 + (member - 1 + i) % SIZE) + ":" + clientPort);
    }
    return words;
  }

  @Override
  public ServerProcess process(int member) {
    ServerProcess process = servers[member - 1];
    if (process == null) {
      throw new IllegalStateException("the server does not run");
    }
    return process;
  }

  @Override
  public void kill(int member) {
    process(member).kill(program);
    servers[member - 1] = null;
  }

  @Override
  public void launch(int member) {
    servers[member - 1] = start(member);
  }

  @Override
  public void close() {
    for (ServerProcess each : servers) {
      if (each != null) {
        each.close();
      }
    }
    network.close();
  }
}
