package io.keyvalueserve.tenancy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A store of records over a plain map. */
public abstract class MapStore<N, R> implements RevisionedStore<N, R> {
  private final ConcurrentHashMap<N, R> records = new ConcurrentHashMap<>();
  private final List<Consumer<R>> listeners = new CopyOnWriteArrayList<>();
  private final Function<R, N> nameOf;

  protected MapStore(Function<R, N> nameOf) {
    this.nameOf = nameOf;
  }

  @Override
  public Optional<R> get(N name) {
    return Optional.ofNullable(records.get(name));
  }

  @Override
  public Collection<R> all() {
    return new ArrayList<>(records.values());
  }

  @Override
  public boolean replace(@Nullable R expected, R next) {
    boolean replaced =
        expected == null
            ? records.putIfAbsent(nameOf.apply(next), next) == null
            : records.replace(nameOf.apply(next), expected, next);
    if (replaced) {
      listeners.forEach(listener -> listener.accept(next));
    }
    return replaced;
  }

  @Override
  public void subscribe(Consumer<R> listener) {
    listeners.add(listener);
    records.values().forEach(listener);
  }
}
