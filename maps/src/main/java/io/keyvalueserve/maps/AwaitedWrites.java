package io.keyvalueserve.maps;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.spi.impl.operationservice.impl.GuardedPartitions;
import io.keyvalueserve.maps.external.ExternalMap;
import io.keyvalueserve.maps.external.QueuedWrite;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The writes of one operation that an external store must have before the operation is answered.
 * Filled by who has the partition; then sent once.
 */
final class AwaitedWrites implements GuardedPartitions.Awaited {
  private final Map<Id, One> writes = new LinkedHashMap<>();
  private Runnable done = () -> {};

  /**
   * One write.
   *
   * @param replaced the write of the key that waited before; null if none did
   */
  record One(NativeRecordStore store, Data key, QueuedWrite write, @Nullable QueuedWrite replaced) {
    One replacing(@Nullable QueuedWrite before) {
      return new One(store, key, write, before);
    }
  }

  private record Id(String map, Data key) {
    static Id of(NativeRecordStore store, Data key) {
      return new Id(store.getName(), key);
    }
  }

  /** Adds a write; a later one of the same key counts. */
  void add(One write) {
    write.store().external().beginWriting();
    Id id = Id.of(write.store(), write.key());
    One before = writes.put(id, write);
    if (before != null) {
      before.store().external().endWriting();
      One _ = writes.put(id, write.replacing(before.replaced()));
    }
  }

  /**
   * Removes a write.
   *
   * @return whether none is left
   */
  boolean remove(NativeRecordStore store, Data key) {
    One removed = writes.remove(Id.of(store, key));
    if (removed != null) {
      removed.store().external().endWriting();
    }
    return writes.isEmpty();
  }

  /** Sets what is done when all have ended, before the operation is answered. */
  void whenDone(Runnable task) {
    done = task;
  }

  /** Returns the writes. */
  Collection<One> writes() {
    return writes.values();
  }

  @Override
  public void send(Consumer<Map<Data, RuntimeException>> whenWritten) {
    Map<Data, RuntimeException> failures = new HashMap<>();
    AtomicInteger open = new AtomicInteger(writes.size());
    for (One one : writes.values()) {
      Consumer<@Nullable RuntimeException> end =
          failure -> {
            one.store().external().endWriting();
            synchronized (failures) {
              if (failure != null) {
                failures.put(one.key(), failure);
              }
            }
            if (open.decrementAndGet() == 0) {
              done.run();
              whenWritten.accept(failures);
            }
          };
      ExternalMap external = one.store().container().external();
      if (external == null) {
        end.accept(null);
      } else {
        external.write(one.store().getPartitionId(), one.key(), one.write(), one.replaced(), end);
      }
    }
  }
}
