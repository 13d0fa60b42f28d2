package io.keyvalueserve.bench;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.partition.Partition;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A cluster that Hazelcast clients can reach. What enters it enters at one member. */
interface Grid extends AutoCloseable {
  /** What the results call it. */
  String name();

  /** How clients reach the member that they enter at. */
  Login login();

  /** The process of that member. */
  ServerProcess entry();

  /** The processes of the other members. */
  List<ServerProcess> companions();

  @Override
  void close();

  /** As the raw load reaches it. */
  default Contender raw(int entries, int valueBytes) {
    return new Contender(
        name(),
        entry(),
        companions(),
        login().port(),
        new HazelcastWire(login(), entries, valueBytes),
        this::close);
  }

  /** Waits until all members are there and each has its share of the partitions. */
  default void awaitFormed(int size) {
    entry().requireAlive();
    HazelcastInstance client = HazelcastClient.newHazelcastClient(login().config());
    try {
      entry()
          .await(
              () -> isFormed(client, size),
              100,
              120,
              name() + " did not become a cluster of " + size);
    } finally {
      client.shutdown();
    }
  }

  private static boolean isFormed(HazelcastInstance client, int size) {
    var partitions = client.getPartitionService().getPartitions();
    Map<Object, Long> owned =
        partitions.stream()
            .filter(partition -> partition.getOwner() != null)
            .collect(Collectors.groupingBy(Partition::getOwner, Collectors.counting()));
    long least = partitions.size() / size;
    return client.getCluster().getMembers().size() == size
        && owned.size() == size
        && owned.values().stream().allMatch(count -> count >= least);
  }
}
