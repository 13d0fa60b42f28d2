package io.keyvalueserve.engine;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.IntConsumer;

/**
 * Keeps the sources of scripts that tenants have loaded, where every member finds them. They stay
 * until their tenant flushes them.
 *
 * <p>Each tenant has its own: none can learn what another has loaded. Thread-safe. Nothing here
 * blocks; stages complete on any thread, and fail with an {@link EngineException}. Arrays are not
 * changed by anyone.
 */
public interface ScriptStore {
  /**
   * Finds a source.
   *
   * @param tenant the tenant's number
   * @param digest SHA-1 of the source in lower-case hexadecimal digits
   */
  CompletionStage<Optional<byte[]>> find(int tenant, String digest);

  /**
   * Keeps a source. Nothing changes if it is kept already.
   *
   * <p>Fails with {@link Outcome.Failure.Kind#QUOTA} if the tenant keeps as many as it may.
   */
  CompletionStage<Void> load(int tenant, String digest, byte[] source);

  /** Returns for each digest whether its source is kept. */
  CompletionStage<List<Boolean>> exist(int tenant, List<String> digests);

  /** Removes all sources of a tenant. */
  CompletionStage<Void> flush(int tenant);

  /**
   * Has a listener told the number of a tenant whose sources were removed on any member, soon
   * after. The listener must not block, and may be called on any thread.
   */
  void onFlush(IntConsumer listener);
}
