package io.keyvalueserve.bench;

import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.security.UsernamePasswordCredentials;
import java.nio.file.Path;
import java.util.List;

/** This product: {@code kvs serve} with one tenant, all of its policy on. */
final class OwnSubject implements Subject {
  private final OwnServer server;
  private final HazelcastInstance client;

  private OwnSubject(OwnServer server) {
    this.server = server;
    ClientConfig config = new ClientConfig().setClusterName(OwnServer.CLUSTER);
    config
        .getSecurityConfig()
        .setCredentials(new UsernamePasswordCredentials(OwnServer.TENANT, server.key()));
    this.client = Subject.connect(server.process(), config, server.clientPort());
  }

  /**
   * Starts it.
   *
   * @param heapBytes of Java heap
   * @param memory arguments of {@code kvs serve} that say which memory maps have
   */
  static OwnSubject start(Path folder, Collector collector, long heapBytes, List<String> memory) {
    OwnServer server = OwnServer.found(folder, Subject.jvm(folder, collector, heapBytes), memory);
    try {
      return new OwnSubject(server);
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
  }

  @Override
  public ServerProcess process() {
    return server.process();
  }

  @Override
  public IMap<String, byte[]> map() {
    return client.getMap("bench");
  }

  @Override
  public long nativeBytes() {
    return server.nativeBytes();
  }

  @Override
  public void close() {
    try {
      client.shutdown();
    } finally {
      server.close();
    }
  }
}
