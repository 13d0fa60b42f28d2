package io.keyvalueserve.bench;

import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import java.nio.file.Path;
import java.util.List;

/** Hazelcast as it comes: one member, maps on the Java heap. */
final class StockSubject implements Subject {
  private final ServerProcess process;
  private final HazelcastInstance client;

  private StockSubject(ServerProcess process, HazelcastInstance client) {
    this.process = process;
    this.client = client;
  }

  static Subject start(Path folder, Collector collector, long heapBytes) {
    int port = Ports.free();
    ServerProcess process =
        ServerProcess.java(
            folder,
            Subject.jvm(folder, collector, heapBytes),
            StockMember.class.getName(),
            List.of(Integer.toString(port)));
    try {
      ClientConfig config = new ClientConfig().setClusterName(StockMember.CLUSTER);
      return new StockSubject(process, Subject.connect(process, config, port));
    } catch (RuntimeException e) {
      process.close();
      throw e;
    }
  }

  @Override
  public ServerProcess process() {
    return process;
  }

  @Override
  public IMap<String, byte[]> map() {
    return client.getMap("bench");
  }

  @Override
  public long nativeBytes() {
    return 0;
  }

  @Override
  public void close() {
    try {
      client.shutdown();
    } finally {
      process.close();
    }
  }
}
