package io.keyvalueserve.grid.catalogue;

import com.hazelcast.cluster.Member;
import com.hazelcast.config.Config;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.MapConfig;
import com.hazelcast.core.EntryEvent;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.map.listener.EntryAddedListener;
import com.hazelcast.map.listener.EntryUpdatedListener;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.operationservice.OperationService;
import io.keyvalueserve.tenancy.CatalogueCodec;
import io.keyvalueserve.tenancy.CatalogueStore;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The catalogue in a system map of the grid, each tenant's record under its name, with two backups.
 *
 * <p>A change reaches the members by two ways: a {@link CatalogueNotice} that each of them answers,
 * and the map's own events, which also reach a member that could not answer in time. Taking a
 * record in twice, or an old one late, does no harm: the higher revision wins.
 */
public final class GridCatalogueStore implements CatalogueStore {
  private static final Logger LOG = LoggerFactory.getLogger(GridCatalogueStore.class);
  private static final String TENANTS = "__kvs.tenants";
  private static final String NUMBER = "next-tenant-number";
  private static final int BACKUPS = 2;
  private static final long NOTICE_PATIENCE_MILLIS = 3_000;

  private final IMap<String, String> tenants;
  private final GridSettings settings;
  private final NodeEngine nodeEngine;
  private final List<Consumer<Tenant>> listeners = new CopyOnWriteArrayList<>();

  /** The catalogue as this member reaches it. */
  public GridCatalogueStore(
      HazelcastInstance instance, NodeEngine nodeEngine, GridSettings settings) {
    this.tenants = instance.getMap(TENANTS);
    this.settings = settings;
    this.nodeEngine = nodeEngine;
    tenants.addEntryListener(
        (EntryAddedListener<String, String>) event -> take(record(event)), true);
    tenants.addEntryListener(
        (EntryUpdatedListener<String, String>) event -> take(record(event)), true);
  }

  /** Sets up the system map; before the member starts. */
  public static void configure(Config config) {
    config.addMapConfig(
        new MapConfig(TENANTS).setInMemoryFormat(InMemoryFormat.NATIVE).setBackupCount(BACKUPS));
    CatalogueNotice.register(config);
    GridSettings.configure(config, BACKUPS);
  }

  @Override
  public Optional<Tenant> get(TenantName name) {
    return Optional.ofNullable(tenants.get(name.value())).map(CatalogueCodec::decode);
  }

  @Override
  public Collection<Tenant> all() {
    List<Tenant> all = new ArrayList<>();
    for (String record : tenants.values()) {
      all.add(CatalogueCodec.decode(record));
    }
    return all;
  }

  @Override
  public boolean replace(@Nullable Tenant expected, Tenant next) {
    String name = next.name().value();
    String record = CatalogueCodec.encode(next);
    boolean replaced =
        expected == null
            ? tenants.putIfAbsent(name, record) == null
            : replaceRevision(name, expected, record);
    if (replaced) {
      take(record);
      notifyMembers(record);
    }
    return replaced;
  }

  /** The text may differ where the record does not: what is compared is the revision. */
  private boolean replaceRevision(String name, Tenant expected, String record) {
    String found = tenants.get(name);
    return found != null
        && CatalogueCodec.decode(found).revision() == expected.revision()
        && tenants.replace(name, found, record);
  }

  @Override
  public int nextTenantNumber() {
    return settings.increment(NUMBER);
  }

  @Override
  public void subscribe(Consumer<Tenant> listener) {
    listeners.add(listener);
    all().forEach(listener);
  }

  /** Takes in a record that this member was told of. Thread-safe; never throws. */
  public void take(String record) {
    Tenant tenant;
    try {
      tenant = CatalogueCodec.decode(record);
    } catch (IllegalArgumentException e) {
      LOG.error("a record of the catalogue cannot be read: {}", e.getMessage());
      return;
    }
    for (Consumer<Tenant> listener : listeners) {
      listener.accept(tenant);
    }
  }

  private static String record(EntryEvent<String, String> event) {
    return event.getValue();
  }

  private void notifyMembers(String record) {
    OperationService operations = nodeEngine.getOperationService();
    List<CompletableFuture<?>> answers = new ArrayList<>();
    for (Member member : nodeEngine.getClusterService().getMembers()) {
      if (!member.localMember()) {
        answers.add(
            operations
                .createInvocationBuilder(
                    "hz:impl:mapService", new CatalogueNotice(record), member.getAddress())
                .setCallTimeout(NOTICE_PATIENCE_MILLIS)
                .invoke()
                .toCompletableFuture());
      }
    }
    try {
      CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
          .get(NOTICE_PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn(
          "a member did not answer to a change of the catalogue in time; the map's event will tell it",
          e);
    }
  }
}
