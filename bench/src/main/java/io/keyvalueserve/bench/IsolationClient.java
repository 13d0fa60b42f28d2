package io.keyvalueserve.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** What a Hazelcast client can do: one client and several threads. */
final class IsolationClient implements IsolationAttack {
  private static final String CALLS_END = "hazelcast.client.invocation.timeout.seconds";
  private static final String HUGE_KEY = "huge";

  private final IsolationOrder order;
  private final IsolationTarget target;
  private final IsolationThreads threads = new IsolationThreads();
  private final AtomicLong nextKey = new AtomicLong();

  /** The keys that each thread has locked, the oldest first. */
  private final List<Deque<String>> held = new ArrayList<>();

  private Set<String> keys = Set.of();
  private byte[] value = {};
  private @Nullable HazelcastInstance client;

  /**
   * @param order what it is told to prepare
   * @param target the map
   */
  IsolationClient(IsolationOrder order, IsolationTarget target) {
    this.order = order;
    this.target = order.kind().writes() ? target.beside() : target;
    for (int i = 0; i < order.force().connections(); i++) {
      held.add(new ArrayDeque<>());
    }
  }

  @Override
  public void prepare() {
    ClientConfig config = target.login().config();
    config.setProperty(CALLS_END, "10");
    HazelcastInstance made = HazelcastClient.newHazelcastClient(config);
    client = made;
    SplittableRandom random = new SplittableRandom(order.seed());
    if (order.kind() == IsolationAggression.MGET) {
      keys = new HashSet<>();
      for (int i = 0; i < order.force().depth(); i++) {
        keys.add(Load.key(random.nextInt(target.entries())));
      }
    }
    value = Load.text(order.force().bytes()).getBytes(ISO_8859_1);
    made.getMap(target.map()); // makes it, if nobody has
  }

  @Override
  public void run(IsolationOrder running, IsolationTally tally) {
    HazelcastInstance open = client;
    if (open == null) {
      throw new IllegalStateException("not prepared");
    }
    IMap<String, byte[]> map = open.getMap(target.map());
    threads.run(running, tally, thread -> tally.answered(once(map, thread)));
  }

  /** Returns how many operations that were. */
  private int once(IMap<String, byte[]> map, int thread) {
    switch (order.kind()) {
      case HUGE_VALUES -> {
        map.set(HUGE_KEY, value);
        map.get(HUGE_KEY);
        return 2;
      }
      case MGET -> require(map.getAll(keys).size() == keys.size());
      case SCANS -> require(!map.keySet().isEmpty());
      case FLOOD -> {
        Map<String, byte[]> batch = HashMap.newHashMap(order.force().depth());
        long first = nextKey.getAndAdd(order.force().depth());
        for (int i = 0; i < order.force().depth(); i++) {
          batch.put("flood:" + (first + i), value);
        }
        map.putAll(batch);
        return batch.size();
      }
      default -> lock(map, thread);
    }
    return 1;
  }

  private static void require(boolean isAllThere) {
    if (!isAllThere) {
      throw new BenchException(TolerantWire.MISSING);
    }
  }

  /** Lets go the oldest lock if there are too many, and takes one more. */
  private void lock(IMap<String, byte[]> map, int thread) {
    Deque<String> own = held.get(thread);
    if (own.size() >= order.force().depth()) {
      try {
        map.unlock(own.getFirst());
      } catch (IllegalMonitorStateException e) {
        // it had ended by itself, as locks on others' keys do
      }
      own.removeFirst();
    }
    String key = "hoard:" + order.seed() + ":" + nextKey.getAndIncrement();
    map.lock(key);
    own.addLast(key);
  }

  @Override
  public void clean() {
    HazelcastInstance open = client;
    if (open == null) {
      return;
    }
    client = null;
    try {
      if (order.kind() == IsolationAggression.LOCKS) {
        release(open.getMap(target.map()));
      }
      if (order.kind().writes()) {
        open.getMap(target.map()).clear();
      }
    } finally {
      open.shutdown();
    }
  }

  /** A stock member keeps the locks of a client that is gone for a while; here they go with it. */
  private void release(IMap<String, byte[]> map) {
    try {
      held.forEach(own -> own.forEach(map::forceUnlock));
    } catch (SecurityException e) {
      // not granted: the member takes them off when the client is gone
    }
  }

  @Override
  public void stop() {
    threads.stop();
    HazelcastInstance open = client;
    if (open != null) {
      open.getLifecycleService().terminate();
    }
  }
}
