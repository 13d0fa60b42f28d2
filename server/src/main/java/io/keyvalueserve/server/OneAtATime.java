package io.keyvalueserve.server;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Runs one task at a time for each key, and refuses others meanwhile. Thread-safe.
 *
 * @param <K> the keys
 */
final class OneAtATime<K> {
  private final Set<K> running = ConcurrentHashMap.newKeySet();

  /**
   * Runs a task.
   *
   * @param refusal is thrown if another task of the key runs
   */
  void run(K key, Runnable task, Supplier<? extends RuntimeException> refusal) {
    if (!running.add(key)) {
      throw refusal.get();
    }
    try {
      task.run();
    } finally {
      boolean _ = running.remove(key);
    }
  }
}
