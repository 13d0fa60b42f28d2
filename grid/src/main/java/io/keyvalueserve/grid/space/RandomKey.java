package io.keyvalueserve.grid.space;

import com.hazelcast.core.EntryView;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.util.Clock;
import com.hazelcast.map.impl.operation.MapOperation;
import com.hazelcast.map.impl.recordstore.Storage;
import com.hazelcast.spi.impl.operationservice.PartitionAwareOperation;
import com.hazelcast.spi.impl.operationservice.ReadonlyOperation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Picks a key of one partition at random, by the sampling that serves eviction; answers null if it
 * hits upon none that a byte string can name.
 */
final class RandomKey extends MapOperation implements PartitionAwareOperation, ReadonlyOperation {
  private static final int SAMPLES = 15;

  private byte @Nullable [] picked;

  /** Creates an empty operation for deserialization. */
  RandomKey() {
    createRecordStoreOnDemand = false;
  }

  RandomKey(String name) {
    super(name);
    createRecordStoreOnDemand = false;
  }

  @Override
  protected void runInternal() {
    picked = null;
    if (recordStore == null || recordStore.size() == 0) {
      return;
    }
    long nowMillis = Clock.currentTimeMillis();
    List<byte[]> keys = new ArrayList<>(SAMPLES);
    for (Data key : sample(recordStore.getStorage())) {
      byte[] bytes = KeyData.keyBytes(key);
      if (bytes != null && !recordStore.isExpired(key, nowMillis, false)) {
        keys.add(bytes);
      }
    }
    if (!keys.isEmpty()) {
      picked = keys.get(ThreadLocalRandom.current().nextInt(keys.size()));
    }
  }

  private static List<Data> sample(Storage<?, ?> storage) {
    List<Data> keys = new ArrayList<>(SAMPLES);
    for (Object view : storage.getRandomSamples(SAMPLES)) {
      keys.add(storage.extractDataKeyFromLazy((EntryView<?, ?>) view));
    }
    return keys;
  }

  @Override
  public @Nullable Object getResponse() {
    return picked;
  }

  @Override
  public int getFactoryId() {
    return SpaceSerialization.FACTORY_ID;
  }

  @Override
  public int getClassId() {
    return SpaceSerialization.RANDOM_KEY;
  }
}
