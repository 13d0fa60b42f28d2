package io.keyvalueserve.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Hazelcast as it comes: maps have one backup, and a member is lost after a minute of silence. */
final class StockPeerCluster implements PeerCluster {
  private static final String PORT = "5701";
  private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

  /** Two halves of a cluster look for each other after five minutes, and every two from then on. */
  private static final long WHOLE_SECONDS = 480;

  private final MemberNetwork network = new MemberNetwork(SIZE);
  private final @Nullable ServerProcess[] members = new ServerProcess[SIZE];
  private final Path folder;
  private final SplittableRandom random;

  StockPeerCluster(Path folder, SplittableRandom random) {
    this.folder = folder;
    this.random = random;
    try {
      for (int i = 1; i <= SIZE; i++) {
        launch(i);
      }
      awaitWhole();
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  @Override
  public MemberNetwork network() {
    return network;
  }

  @Override
  public int victim() {
    return 1 + random.nextInt(SIZE);
  }

  @Override
  public List<String> client(int member) {
    List<String> words = new ArrayList<>(List.of("hazelcast"));
    for (int i = 0; i < SIZE; i++) {
      words.add(network.address(1 + (member - 1 + i) % SIZE) + ":" + PORT);
    }
    return words;
  }

  @Override
  public ServerProcess process(int member) {
    ServerProcess process = members[member - 1];
    if (process == null) {
      throw new IllegalStateException("the server does not run");
    }
    return process;
  }

  @Override
  public void kill(int member) {
    process(member).kill(JAVA);
    members[member - 1] = null;
  }

  @Override
  public void launch(int member) {
    List<String> arguments = new ArrayList<>(List.of(network.address(member), PORT));
    for (int i = 1; i <= SIZE; i++) {
      arguments.add(network.address(i));
    }
    List<String> options = new ArrayList<>(JvmOptions.ofOthers());
    options.add("-Xmx256m");
    members[member - 1] =
        ServerProcess.again(
            folder.resolve("member-" + member),
            network.inside(member),
            Children.java(options, StockFaultMember.class.getName(), arguments));
  }

  @Override
  public void awaitWhole() {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(WHOLE_SECONDS);
    while (!isWhole()) {
      if (System.nanoTime() > deadline) {
        throw new BenchException("Hazelcast was not whole within " + WHOLE_SECONDS + " s");
      }
      Clock.sleepMillis(1_000);
    }
  }

  /** As each member tells a client that is new and knows no other one. */
  private boolean isWhole() {
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

  @Override
  public void close() {
    for (ServerProcess each : members) {
      if (each != null) {
        each.close();
      }
    }
    network.close();
  }
}
