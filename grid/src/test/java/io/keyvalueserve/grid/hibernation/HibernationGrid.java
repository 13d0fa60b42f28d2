package io.keyvalueserve.grid.hibernation;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.grid.catalogue.GridCatalogueStore;
import io.keyvalueserve.grid.catalogue.GridHibernations;
import io.keyvalueserve.grid.catalogue.GridSnapshotPlans;
import io.keyvalueserve.grid.catalogue.GridTenantKeys;
import io.keyvalueserve.grid.catalogue.SecretSeal;
import io.keyvalueserve.grid.question.Questioner;
import io.keyvalueserve.grid.settings.GridMapSettings;
import io.keyvalueserve.grid.settings.IndexKeeper;
import io.keyvalueserve.grid.settings.OverMemorySink;
import io.keyvalueserve.grid.snapshot.Repositories;
import io.keyvalueserve.grid.snapshot.Snapshots;
import io.keyvalueserve.grid.space.TestGrid;
import io.keyvalueserve.maps.OverMemory;
import io.keyvalueserve.tenancy.TenantName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A cluster whose tenants leave memory, into a directory. */
final class HibernationGrid implements AutoCloseable {
  static final TenantName ACME = new TenantName("acme");

  private final TestGrid grid;
  private final String address;
  private final List<Parts> parts = new ArrayList<>();

  /** The parts of a member that serve hibernation. */
  private record Parts(
      GridHibernations records,
      SleepingTenants sleeping,
      GridSnapshotPlans plans,
      GridMapSettings settings,
      IndexKeeper indexes,
      Snapshots snapshots,
      Hibernator hibernator)
      implements AutoCloseable {
    @Override
    public void close() {
      hibernator.close();
      snapshots.close();
      indexes.close();
      settings.close();
      sleeping.close();
    }
  }

  HibernationGrid(int members, int partitions, Path directory) {
    this.address = directory.toString();
    this.grid =
        new TestGrid(
            members,
            partitions,
            config -> {
              GridCatalogueStore.configure(config);
              GridTenantKeys.configure(config);
              GridSnapshotPlans.configure(config);
              GridHibernations.configure(config);
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

  private void add(int index) {
    HazelcastInstance member = grid.member(index);
    NodeEngine nodeEngine = TestGrid.nodeEngine(member);
    GridTenantKeys keys =
        new GridTenantKeys(
            member, nodeEngine, SecretSeal.of(new byte[32], SecretSeal.Purpose.TENANT_KEY));
    GridMapSettings settings =
        new GridMapSettings(
            member, nodeEngine, null, new NoSink(), (map, next) -> {}, (map, next) -> {});
    settings.load();
    IndexKeeper indexes = new IndexKeeper(settings, nodeEngine, grid.maps(index));
    grid.maps(index).onIndexes(indexes);
    GridSnapshotPlans plans = new GridSnapshotPlans(member, nodeEngine);
    GridHibernations records = new GridHibernations(member, nodeEngine);
    SleepingTenants sleeping = new SleepingTenants(nodeEngine, grid.maps(index));
    records.subscribe(sleeping::apply);
    Questioner questioner = new Questioner(nodeEngine);
    Snapshots snapshots =
        new Snapshots(
            nodeEngine,
            grid.maps(index),
            questioner,
            TestGrid.answerers(member),
            keys,
            plans,
            settings,
            new Repositories(null),
            "test",
            "0");
    parts.add(
        new Parts(
            records,
            sleeping,
            plans,
            settings,
            indexes,
            snapshots,
            new Hibernator(
                nodeEngine,
                grid.maps(index),
                questioner,
                TestGrid.answerers(member),
                records,
                sleeping,
                plans,
                indexes,
                snapshots.images(),
                address,
                Duration.ZERO)));
  }

  TestGrid grid() {
    return grid;
  }

  Hibernator hibernator(int member) {
    return parts.get(member).hibernator();
  }

  SleepingTenants sleeping(int member) {
    return parts.get(member).sleeping();
  }

  GridSnapshotPlans plans() {
    return parts.getFirst().plans();
  }

  int members() {
    return parts.size();
  }

  KeyMap map(int member, String map) {
    return grid.map(member, ACME.value(), map);
  }

  /** Returns the bytes that maps of the tenant take at all members, and their containers. */
  long bytes() {
    long bytes = 0;
    for (int i = 0; i < parts.size(); i++) {
      List<String> names = grid.maps(i).tenantMaps().names(ACME.value());
      bytes +=
          names.size()
              + grid.maps(i).usageOf(names).stream().mapToLong(usage -> usage.bytes()).sum();
    }
    return bytes;
  }

  /** Kills a member. */
  void terminate(int member) {
    Parts gone = parts.remove(member);
    grid.terminate(member);
    gone.close();
  }

  @Override
  public void close() {
    parts.forEach(Parts::close);
    grid.close();
  }
}
