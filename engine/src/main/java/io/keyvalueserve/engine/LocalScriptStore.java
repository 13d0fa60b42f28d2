package io.keyvalueserve.engine;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntConsumer;

/** Keeps scripts in the memory of one member, for a member that is alone. Thread-safe. */
public final class LocalScriptStore implements ScriptStore {
  private final ConcurrentHashMap<Integer, Map<String, byte[]>> tenants = new ConcurrentHashMap<>();
  private final List<IntConsumer> listeners = new CopyOnWriteArrayList<>();

  @Override
  public CompletionStage<Optional<byte[]>> find(int tenant, String digest) {
    return CompletableFuture.completedFuture(Optional.ofNullable(of(tenant).get(digest)));
  }

  private Map<String, byte[]> of(int tenant) {
    return tenants.getOrDefault(tenant, Map.of());
  }

  @Override
  public CompletionStage<Void> load(int tenant, String digest, byte[] source) {
    try {
      Map<String, byte[]> _ =
          tenants.compute(
              tenant,
              (number, before) -> {
                Map<String, byte[]> next = before == null ? new HashMap<>() : new HashMap<>(before);
                ScriptRoom room = ScriptRoom.of(next.values());
                if (next.putIfAbsent(digest, source) == null) {
                  room.require(source.length);
                }
                return Map.copyOf(next);
              });
      return CompletableFuture.completedFuture(null);
    } catch (EngineException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public CompletionStage<List<Boolean>> exist(int tenant, List<String> digests) {
    Map<String, byte[]> own = of(tenant);
    return CompletableFuture.completedFuture(digests.stream().map(own::containsKey).toList());
  }

  @Override
  public CompletionStage<Void> flush(int tenant) {
    tenants.remove(tenant);
    listeners.forEach(listener -> listener.accept(tenant));
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public void onFlush(IntConsumer listener) {
    listeners.add(listener);
  }
}
