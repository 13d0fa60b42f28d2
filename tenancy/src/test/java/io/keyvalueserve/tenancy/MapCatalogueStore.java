package io.keyvalueserve.tenancy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A catalogue's store over a plain map. */
final class MapCatalogueStore implements CatalogueStore {
  private final ConcurrentHashMap<TenantName, Tenant> records = new ConcurrentHashMap<>();
  private final AtomicInteger numbers = new AtomicInteger();
  private final List<Consumer<Tenant>> listeners = new CopyOnWriteArrayList<>();

  @Override
  public Optional<Tenant> get(TenantName name) {
    return Optional.ofNullable(records.get(name));
  }

  @Override
  public Collection<Tenant> all() {
    return new ArrayList<>(records.values());
  }

  @Override
  public boolean replace(@Nullable Tenant expected, Tenant next) {
    boolean replaced =
        expected == null
            ? records.putIfAbsent(next.name(), next) == null
            : records.replace(next.name(), expected, next);
    if (replaced) {
      listeners.forEach(listener -> listener.accept(next));
    }
    return replaced;
  }

  @Override
  public int nextTenantNumber() {
    return numbers.incrementAndGet();
  }

  @Override
  public void subscribe(Consumer<Tenant> listener) {
    listeners.add(listener);
    records.values().forEach(listener);
  }
}
