package io.keyvalueserve.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Hazelcast as it comes: maps have one backup, and a member is lost after a minute of silence. */
final class StockPeerCluster extends PeerProcesses {
  private static final int PORT = 5701;

  /** Two halves of a cluster look for each other after five minutes, and every two from then on. */
  private static final long WHOLE_SECONDS = 480;

  private final Path folder;
  private final SplittableRandom random;

  StockPeerCluster(Path folder, SplittableRandom random) {
    super(Children.JAVA, "hazelcast", PORT);
    this.folder = folder;
    this.random = random;
    try {
      launchAll();
      awaitWhole();
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  @Override
  public int victim() {
    return 1 + random.nextInt(SIZE);
  }

  @Override
  ServerProcess start(int member) {
    List<String> arguments =
        new ArrayList<>(List.of(network.address(member), Integer.toString(PORT)));
    for (int i = 1; i <= SIZE; i++) {
      arguments.add(network.address(i));
    }
    List<String> options = new ArrayList<>(JvmOptions.ofOthers());
    options.add("-Xmx256m");
    return ServerProcess.again(
        folder.resolve("member-" + member),
        network.inside(member),
        Children.java(options, StockMember.class.getName(), arguments));
  }

  @Override
  public void awaitWhole() {
    awaitWhole("Hazelcast", 1_000, WHOLE_SECONDS);
  }

  /** As each member tells a client that is new and knows no other one. */
  @Override
  boolean isWhole() {
    for (int i = 1; i <= SIZE; i++) {
      process(i).requireAlive();
      try (HazelcastFaultClient client =
          new HazelcastFaultClient(List.of(network.address(i) + ":" + PORT))) {
        if (client.members() < SIZE) {
          return false;
        }
      }
    }
    return true;
  }
}
