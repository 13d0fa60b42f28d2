package io.keyvalueserve.grid.snapshot;

import static io.keyvalueserve.engine.Batches.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.engine.Batches;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.grid.catalogue.GridCatalogueStore;
import io.keyvalueserve.grid.catalogue.GridSnapshotPlans;
import io.keyvalueserve.grid.catalogue.GridTenantKeys;
import io.keyvalueserve.grid.catalogue.SecretSeal;
import io.keyvalueserve.grid.question.Questioner;
import io.keyvalueserve.grid.settings.GridMapSettings;
import io.keyvalueserve.grid.settings.OverMemorySink;
import io.keyvalueserve.grid.space.TestGrid;
import io.keyvalueserve.maps.OverMemory;
import io.keyvalueserve.snapshots.Manifest;
import io.keyvalueserve.snapshots.TenantKey;
import io.keyvalueserve.tenancy.TenantName;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A cluster that takes snapshots of its tenants, into a directory. */
final class SnapshotGrid implements AutoCloseable {
  static final TenantName ACME = new TenantName("acme");
  static final TenantName COPY = new TenantName("copy");

  private final TestGrid grid;
  private final String address;
  private final List<GridTenantKeys> keys = new ArrayList<>();
  private final List<GridSnapshotPlans> plans = new ArrayList<>();
  private final List<GridMapSettings> settings = new ArrayList<>();
  private final List<Snapshots> snapshots = new ArrayList<>();

  SnapshotGrid(int members, int partitions, Path directory) {
    this.address = directory.toString();
    this.grid =
        new TestGrid(
            members,
            partitions,
            config -> {
              GridCatalogueStore.configure(config);
              GridTenantKeys.configure(config);
              GridSnapshotPlans.configure(config);
              GridMapSettings.configure(config);
            });
    for (int i = 0; i < members; i++) {
      add(i);
    }
  }

  /** Memory is never short. */
  private static final class NoSink implements OverMemorySink {
    @Override
    public void set(String map, @Nullable OverMemory next) {}

    @Override
    public void unset(String map) {}
  }

  /** Nobody is told what is done by plans. */
  private static final class NoListener implements PlanListener {
    @Override
    public void created(TenantName tenant, Manifest snapshot, String repository) {}

    @Override
    public void deleted(TenantName tenant, String snapshot, String repository) {}

    @Override
    public void failed(TenantName tenant, String why) {}
  }

  private void add(int index) {
    HazelcastInstance member = grid.member(index);
    NodeEngine nodeEngine = TestGrid.nodeEngine(member);
    GridTenantKeys own =
        new GridTenantKeys(
            member, nodeEngine, SecretSeal.of(new byte[32], SecretSeal.Purpose.TENANT_KEY));
    GridMapSettings mapSettings =
        new GridMapSettings(
            member, nodeEngine, null, new NoSink(), (map, next) -> {}, (map, next) -> {});
    mapSettings.load();
    keys.add(own);
    GridSnapshotPlans ownPlans = new GridSnapshotPlans(member, nodeEngine);
    plans.add(ownPlans);
    settings.add(mapSettings);
    snapshots.add(
        new Snapshots(
            nodeEngine,
            grid.maps(index),
            new Questioner(nodeEngine),
            TestGrid.answerers(member),
            own,
            ownPlans,
            mapSettings,
            new Repositories(null),
            "test",
            "0"));
    snapshots.getLast().onPlans(new NoListener());
  }

  Snapshots snapshots(int member) {
    return snapshots.get(member);
  }

  GridTenantKeys keys() {
    return keys.getFirst();
  }

  GridSnapshotPlans plans() {
    return plans.getFirst();
  }

  TestGrid grid() {
    return grid;
  }

  /** The key of the tenant's snapshots. */
  TenantKey key() {
    return keys().find(ACME).orElseThrow();
  }

  String address() {
    return address;
  }

  Manifest create() {
    var _ = keys().findOrCreate(ACME);
    return snapshots.getFirst().create(ACME, address, read -> {});
  }

  /** Puts a snapshot back as maps of another tenant, which loses those it had. */
  long restore(Manifest snapshot) {
    forgetCopy();
    return snapshots.getLast().restore(key(), address, snapshot.id(), COPY, put -> {});
  }

  /** Destroys the maps of the tenant that snapshots are put back as. */
  void forgetCopy() {
    grid.member(0).getDistributedObjects().stream()
        .filter(object -> object.getName().startsWith(COPY.value() + "/"))
        .forEach(object -> object.destroy());
  }

  KeyMap map(int member, TenantName tenant, String map) {
    return grid.map(member, tenant.value(), map);
  }

  static void set(KeyMap map, String key, String value) {
    assertThat(Batches.texts(map, KeyCommand.Write.of(utf8(key), utf8(value))))
        .containsExactly("Applied");
  }

  static @Nullable String get(KeyMap map, String key) {
    Outcome outcome = Batches.run(map, new KeyCommand.Read(utf8(key)));
    if (outcome instanceof Outcome.Missing) {
      return null;
    }
    String text = Batches.text(outcome);
    return text.substring(text.indexOf(' ') + 1);
  }

  void terminate(int member) {
    snapshots.remove(member).close();
    settings.remove(member).close();
    keys.remove(member);
    plans.remove(member);
    grid.terminate(member);
  }

  @Override
  public void close() {
    snapshots.forEach(Snapshots::close);
    settings.forEach(GridMapSettings::close);
    grid.close();
  }
}
