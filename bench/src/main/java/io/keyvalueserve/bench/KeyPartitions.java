package io.keyvalueserve.bench;

import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.hazelcast.internal.util.HashUtil;
import io.keyvalueserve.server.config.ConfigReader;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/** The partitions of this product's cluster that keys of a crash test are in. Immutable. */
final class KeyPartitions {
  private KeyPartitions() {}

  /** The partition of a key, by the key's number, below a count. */
  static IntUnaryOperator of(int keys) {
    int count = ConfigReader.read(null, Map.of("dev", "true")).partitionCount();
    int[] partitions = new int[keys];
    InternalSerializationService serialization = new DefaultSerializationServiceBuilder().build();
    for (int i = 0; i < keys; i++) {
      int hash = serialization.toData(KeyHistory.name(i)).getPartitionHash();
      partitions[i] = HashUtil.hashToIndex(hash, count);
    }
    serialization.dispose();
    return key -> partitions[key];
  }
}
