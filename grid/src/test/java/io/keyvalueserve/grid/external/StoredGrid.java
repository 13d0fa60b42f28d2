package io.keyvalueserve.grid.external;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.grid.catalogue.ExternalStore;
import io.keyvalueserve.grid.catalogue.SecretSeal;
import io.keyvalueserve.grid.question.Questioner;
import io.keyvalueserve.grid.settings.MapStoreSettings;
import io.keyvalueserve.grid.settings.StoreFormat;
import io.keyvalueserve.grid.settings.StoreMode;
import io.keyvalueserve.grid.space.TestGrid;
import io.keyvalueserve.stores.EmbeddedDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A cluster whose maps have tables of a PostgreSQL server behind them. */
final class StoredGrid implements AutoCloseable {
  static final String TENANT = "acme";
  private static final String STORE = "shop";
  private static final int PARTITIONS = 31;

  private final EmbeddedDatabase database;
  private final TestGrid grid;
  private final List<ExternalStores> stores = new ArrayList<>();
  private final List<StoreQuestions> questions = new ArrayList<>();
  private long revision;

  StoredGrid(int members, EmbeddedDatabase database) {
    this.database = database;
    this.grid = new TestGrid(members, PARTITIONS, ExternalSerialization::register);
    for (int i = 0; i < members; i++) {
      NodeEngine nodeEngine = TestGrid.nodeEngine(grid.member(i));
      ExternalStores own =
          new ExternalStores(
              SecretSeal.of(new byte[32], SecretSeal.Purpose.STORE_PASSWORD),
              grid.maps(i),
              nodeEngine);
      stores.add(own);
      questions.add(
          new StoreQuestions(
              new Questioner(nodeEngine),
              TestGrid.answerers(grid.member(i)),
              own,
              grid.maps(i),
              nodeEngine));
    }
    point(database);
  }

  /** Has the store be a server, with a short timeout. */
  void point(EmbeddedDatabase next) {
    revision++;
    ExternalStore store =
        new ExternalStore(
            STORE, revision, false, next.jdbcUrl(), next.user(), null, 8, Duration.ofMillis(1_500));
    stores.forEach(each -> each.changed(store));
  }

  /** Makes a table {@code (id text primary key, value text)} and puts it behind a map. */
  void table(String map, StoreMode mode, Duration delay) {
    database.execute(
        "DROP TABLE IF EXISTS " + map,
        "CREATE TABLE " + map + " (id text PRIMARY KEY, value text CHECK (value <> 'evil'))");
    behind(map, settings(map, mode, delay));
  }

  static MapStoreSettings settings(String table, StoreMode mode, Duration delay) {
    return new Settings(table, mode, delay).made();
  }

  static MapStoreSettings json(String table, StoreMode mode) {
    Settings settings = new Settings(table, mode, Duration.ZERO);
    settings.columns = List.of();
    settings.format = StoreFormat.JSON;
    return settings.made();
  }

  static MapStoreSettings eager(String table) {
    Settings settings = new Settings(table, StoreMode.READ_THROUGH, Duration.ZERO);
    settings.eager = true;
    return settings.made();
  }

  static MapStoreSettings kept(String table, Duration kept) {
    return refreshed(table, kept, 0);
  }

  static MapStoreSettings refreshed(String table, Duration kept, int percent) {
    Settings settings = new Settings(table, StoreMode.READ_THROUGH, Duration.ZERO);
    settings.kept = kept;
    settings.refreshAhead = percent;
    return settings.made();
  }

  static MapStoreSettings withRate(String table, int rate) {
    Settings settings = new Settings(table, StoreMode.WRITE_BEHIND, Duration.ZERO);
    settings.batch = 10;
    settings.mostRate = rate;
    return settings.made();
  }

  static MapStoreSettings bounded(String table, int mostWaiting) {
    Settings settings = new Settings(table, StoreMode.WRITE_BEHIND, Duration.ofHours(1));
    settings.mostWaiting = mostWaiting;
    return settings.made();
  }

  /** The settings of a table, as they are made of a few that differ. */
  private static final class Settings {
    private final String table;
    private final StoreMode mode;
    private final Duration delay;
    private List<String> columns = List.of("value");
    private StoreFormat format = StoreFormat.VALUE;
    private int batch = 500;
    private @Nullable Duration kept;
    private boolean eager;
    private int mostWaiting = 100_000;
    private int mostRate;
    private int refreshAhead;

    Settings(String table, StoreMode mode, Duration delay) {
      this.table = table;
      this.mode = mode;
      this.delay = delay;
    }

    MapStoreSettings made() {
      return new MapStoreSettings(
          STORE,
          table,
          mode,
          "id",
          columns,
          format,
          batch,
          delay,
          Duration.ofSeconds(5),
          kept,
          eager,
          mostWaiting,
          mostRate,
          refreshAhead,
          false);
    }
  }

  void behind(String map, @Nullable MapStoreSettings settings) {
    stores.forEach(each -> each.behind(name(map), settings));
  }

  static String name(String map) {
    return TENANT + "/" + map;
  }

  TestGrid grid() {
    return grid;
  }

  ExternalStores stores(int member) {
    return stores.get(member);
  }

  /** Asks all members, by one of them. */
  StoreQuestions questions(int member) {
    return questions.get(member);
  }

  /** Kills a member. */
  void kill(int member) {
    grid.terminate(member);
    stores.remove(member).close();
    questions.remove(member);
  }

  HazelcastInstance member(int index) {
    return grid.member(index);
  }

  IMap<Object, Object> imap(int member, String map) {
    return grid.member(member).getMap(name(map));
  }

  KeyMap map(int member, String map) {
    return grid.map(member, TENANT, map);
  }

  /** Carries out a command by a member. */
  Outcome run(int member, String map, KeyCommand command) {
    return run(member, map, List.of(command)).getFirst();
  }

  List<Outcome> run(int member, String map, List<KeyCommand> commands) {
    List<CompletableFuture<Outcome>> outcomes = new ArrayList<>();
    commands.forEach(each -> outcomes.add(new CompletableFuture<>()));
    map(member, map).submit(commands, (index, outcome) -> outcomes.get(index).complete(outcome));
    return outcomes.stream().map(each -> each.orTimeout(30, TimeUnit.SECONDS).join()).toList();
  }

  @Nullable String get(int member, String map, String key) {
    Outcome outcome = run(member, map, new KeyCommand.Read(bytes(key)));
    return switch (outcome) {
      case Outcome.Entry entry ->
          new String(entry.value(), java.nio.charset.StandardCharsets.UTF_8);
      case Outcome.Missing _ -> null;
      default -> throw new AssertionError(outcome);
    };
  }

  Outcome set(int member, String map, String key, String value) {
    return run(member, map, KeyCommand.Write.of(bytes(key), bytes(value)));
  }

  Outcome remove(int member, String map, String key) {
    return run(member, map, new KeyCommand.Remove(bytes(key), false));
  }

  static byte[] bytes(String text) {
    return text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
  }

  /** Returns the value that the table behind a map has. */
  @Nullable String row(String map, String key) {
    return database.value("SELECT value FROM " + map + " WHERE id = '" + key + "'");
  }

  long rows(String map) {
    return Long.parseLong(String.valueOf(database.value("SELECT count(*) FROM " + map)));
  }

  void insert(String map, String key, String value) {
    database.execute(
        String.format(Locale.ROOT, "INSERT INTO %s VALUES ('%s', '%s')", map, key, value));
  }

  MapStoreStatus status(String map) {
    return stores.stream()
        .map(each -> each.status().getOrDefault(name(map), MapStoreStatus.NONE))
        .reduce(MapStoreStatus.NONE, MapStoreStatus::plus);
  }

  @Override
  public void close() {
    stores.forEach(ExternalStores::close);
    grid.close();
  }
}
