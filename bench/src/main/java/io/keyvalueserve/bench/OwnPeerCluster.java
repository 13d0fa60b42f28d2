package io.keyvalueserve.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** This product with its defaults: {@code --data} and {@code everysec}. */
final class OwnPeerCluster implements PeerCluster {
  private final NemesisCluster cluster;
  private final SplittableRandom random;

  OwnPeerCluster(Path folder, SplittableRandom random) throws IOException {
    this.random = random;
    cluster = new NemesisCluster(folder, SIZE, Durability.EVERYSEC, false, random.split());
  }

  @Override
  public MemberNetwork network() {
    return cluster.network();
  }

  @Override
  public int victim() {
    return 1 + random.nextInt(SIZE);
  }

  @Override
  public List<String> client(int member) {
    List<String> words = new ArrayList<>(List.of("resp", OwnServer.TENANT, cluster.key()));
    for (int i = 0; i < SIZE; i++) {
      OwnCrashServer server = cluster.member(1 + (member - 1 + i) % SIZE);
      words.add(server.host() + ":" + server.port());
    }
    return words;
  }

  @Override
  public ServerProcess process(int member) {
    return cluster.member(member).process();
  }

  @Override
  public void kill(int member) {
    cluster.member(member).kill();
  }

  @Override
  public void launch(int member) {
    cluster.member(member).launch();
  }

  @Override
  public void awaitWhole() {
    cluster.awaitServing();
    cluster.awaitSafe();
  }

  @Override
  public void close() {
    cluster.close();
  }
}
