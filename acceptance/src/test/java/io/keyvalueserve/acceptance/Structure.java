package io.keyvalueserve.acceptance;

import com.hazelcast.collection.IList;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.crdt.pncounter.PNCounter;
import com.hazelcast.ringbuffer.Ringbuffer;
import com.hazelcast.transaction.TransactionContext;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The structures of the Java client that hold data, each with a way to fill and to read it. */
enum Structure {
  MAP("hz:impl:mapService") {
    @Override
    void fill(HazelcastInstance client, String name, String marker) {
      client.<String, String>getMap(name).putAll(Map.of("a", marker + "-1", "b", marker + "-2"));
    }

    @Override
    List<String> content(HazelcastInstance client, String name) {
      return pairs(client.<String, String>getMap(name).entrySet());
    }
  },
  QUEUE("hz:impl:queueService") {
    @Override
    void fill(HazelcastInstance client, String name, String marker) {
      client.<String>getQueue(name).addAll(List.of(marker + "-1", marker + "-2"));
    }

    @Override
    List<String> content(HazelcastInstance client, String name) {
      return sorted(client.<String>getQueue(name));
    }
  },
  SET("hz:impl:setService") {
    @Override
    void fill(HazelcastInstance client, String name, String marker) {
      client.<String>getSet(name).addAll(List.of(marker + "-1", marker + "-2"));
    }

    @Override
    List<String> content(HazelcastInstance client, String name) {
      return sorted(client.<String>getSet(name));
    }
  },
  LIST("hz:impl:listService") {
    @Override
    void fill(HazelcastInstance client, String name, String marker) {
      IList<String> list = client.getList(name);
      list.add(marker + "-1");
      list.add(marker + "-2");
    }

    @Override
    List<String> content(HazelcastInstance client, String name) {
      return sorted(client.<String>getList(name));
    }
  },
  MULTIMAP("hz:impl:multiMapService") {
    @Override
    void fill(HazelcastInstance client, String name, String marker) {
      client.<String, String>getMultiMap(name).put("a", marker + "-1");
      client.<String, String>getMultiMap(name).put("a", marker + "-2");
    }

    @Override
    List<String> content(HazelcastInstance client, String name) {
      return pairs(client.<String, String>getMultiMap(name).entrySet());
    }
  },
  RINGBUFFER("hz:impl:ringbufferService") {
    @Override
    void fill(HazelcastInstance client, String name, String marker) {
      client.<String>getRingbuffer(name).add(marker + "-1");
      client.<String>getRingbuffer(name).add(marker + "-2");
    }

    @Override
    List<String> content(HazelcastInstance client, String name) {
      Ringbuffer<String> ring = client.getRingbuffer(name);
      List<String> found = new ArrayList<>();
      for (long sequence = ring.headSequence(); sequence <= ring.tailSequence(); sequence++) {
        found.add(read(ring, sequence));
      }
      return found;
    }
  },
  REPLICATED_MAP("hz:impl:replicatedMapService") {
    @Override
    void fill(HazelcastInstance client, String name, String marker) {
      client.<String, String>getReplicatedMap(name).put("a", marker + "-1");
      client.<String, String>getReplicatedMap(name).put("b", marker + "-2");
    }

    @Override
    List<String> content(HazelcastInstance client, String name) {
      return pairs(client.<String, String>getReplicatedMap(name).entrySet());
    }
  },
  /** Holds a number: the marker's hash, so that another tenant's number would show. */
  PN_COUNTER("hz:impl:PNCounterService") {
    @Override
    void fill(HazelcastInstance client, String name, String marker) {
      client.getPNCounter(name).addAndGet(marker.hashCode());
    }

    @Override
    List<String> content(HazelcastInstance client, String name) {
      PNCounter counter = client.getPNCounter(name);
      return counter.get() == 0 ? List.of() : List.of(Long.toString(counter.get()));
    }

    @Override
    List<String> filled(String marker) {
      return List.of(Integer.toString(marker.hashCode()));
    }
  },
  /** Holds a count: as many distinct values as the marker has letters. */
  CARDINALITY_ESTIMATOR("hz:impl:cardinalityEstimatorService") {
    @Override
    void fill(HazelcastInstance client, String name, String marker) {
      for (int i = 0; i < marker.length(); i++) {
        client.getCardinalityEstimator(name).add(marker + i);
      }
    }

    @Override
    List<String> content(HazelcastInstance client, String name) {
      long estimate = client.getCardinalityEstimator(name).estimate();
      return estimate == 0 ? List.of() : List.of(Long.toString(estimate));
    }

    @Override
    List<String> filled(String marker) {
      return List.of(Integer.toString(marker.length()));
    }
  },
  /** A map and a queue that are filled in one transaction. */
  TRANSACTION("hz:impl:mapService") {
    @Override
    void fill(HazelcastInstance client, String name, String marker) {
      TransactionContext transaction = client.newTransactionContext();
      transaction.beginTransaction();
      transaction.<String, String>getMap(name + ".map").put("a", marker + "-1");
      if (!transaction.<String>getQueue(name + ".queue").offer(marker + "-2")) {
        throw new AssertionError("the queue is full");
      }
      transaction.commitTransaction();
    }

    @Override
    List<String> content(HazelcastInstance client, String name) {
      List<String> found = new ArrayList<>(client.<String, String>getMap(name + ".map").values());
      found.addAll(client.<String>getQueue(name + ".queue"));
      return found;
    }
  };

  private final String serviceName;

  Structure(String serviceName) {
    this.serviceName = serviceName;
  }

  /** Fills the empty structure of that name with values that carry the marker. */
  abstract void fill(HazelcastInstance client, String name, String marker);

  /** What the client sees in the structure of that name. */
  abstract List<String> content(HazelcastInstance client, String name);

  /** What {@link #content} is after {@link #fill} with that marker. */
  List<String> filled(String marker) {
    return switch (this) {
      case MAP, REPLICATED_MAP -> List.of("a=" + marker + "-1", "b=" + marker + "-2");
      case MULTIMAP -> List.of("a=" + marker + "-1", "a=" + marker + "-2");
      default -> List.of(marker + "-1", marker + "-2");
    };
  }

  /** Hazelcast's name for the service behind the structure. */
  String serviceName() {
    return serviceName;
  }

  private static List<String> sorted(Collection<String> items) {
    return items.stream().sorted().toList();
  }

  private static List<String> pairs(Collection<Map.Entry<String, String>> entries) {
    return entries.stream()
        .map(entry -> entry.getKey() + "=" + entry.getValue())
        .sorted()
        .collect(Collectors.toList());
  }

  private static String read(Ringbuffer<String> ring, long sequence) {
    try {
      return ring.readOne(sequence);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while reading the ring buffer", e);
    }
  }
}
