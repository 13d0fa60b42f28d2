package io.keyvalueserve.server;

import io.keyvalueserve.grid.catalogue.ExternalStore;
import io.keyvalueserve.grid.catalogue.GridStoreCatalogue;
import io.keyvalueserve.grid.catalogue.InvalidStoreException;
import io.keyvalueserve.grid.catalogue.SecretSeal;
import io.keyvalueserve.grid.catalogue.SecretSeal.SealException;
import io.keyvalueserve.grid.external.MapStoreStatus;
import io.keyvalueserve.grid.external.StoreQuestions;
import io.keyvalueserve.grid.settings.GridMapSettings;
import io.keyvalueserve.grid.settings.MapSettings;
import io.keyvalueserve.grid.settings.MapSettingsException;
import io.keyvalueserve.grid.settings.MapStoreSettings;
import io.keyvalueserve.grid.settings.StoreMode;
import io.keyvalueserve.server.config.Durations;
import io.keyvalueserve.server.config.Likeness;
import io.keyvalueserve.tenancy.Catalogue;
import io.keyvalueserve.tenancy.CatalogueException;
import io.keyvalueserve.tenancy.CatalogueException.Kind;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.audit.Actor;
import io.keyvalueserve.tenancy.audit.Occurrence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The actions of operators on external stores, and on what is behind maps. A change holds on every
 * member when the call returns.
 *
 * <p>Stores and the settings of maps are in different records. Who puts a store behind a map looks
 * for the store before and afterwards; who deletes a store looks for maps before and afterwards. So
 * of two that do it at the same time at least one sees the other, and takes back what it did.
 *
 * <p>Blocks; thread-safe.
 */
public final class StoreAdministration {
  private static final Logger LOG = LoggerFactory.getLogger(StoreAdministration.class);
  private static final int MOST_SHOWN_MAPS = 3;

  private final Catalogue tenants;
  private final GridStoreCatalogue stores;
  private final SecretSeal seal;
  private final GridMapSettings settings;
  private final StoreQuestions questions;
  private final AuditTrails audit;

  StoreAdministration(
      Catalogue tenants,
      GridStoreCatalogue stores,
      SecretSeal seal,
      GridMapSettings settings,
      StoreQuestions questions,
      AuditTrails audit) {
    this.tenants = tenants;
    this.stores = stores;
    this.seal = seal;
    this.settings = settings;
    this.questions = questions;
    this.audit = audit;
  }

  /**
   * A store.
   *
   * @param maps the maps that it is behind, by name
   */
  public record View(ExternalStore store, List<String> maps) {}

  /** The password that a store is to have. */
  public sealed interface Password {
    /** The one that it has. */
    Password KEEP = new Keep();

    /** None. */
    Password NONE = new None();

    /** The one that it has. */
    record Keep() implements Password {}

    /** None. */
    record None() implements Password {}

    /** Another one. */
    record Of(String text) implements Password {
      /** Shows nothing. */
      @Override
      public String toString() {
        return "Of[]";
      }
    }
  }

  /** The state that a store is to have; see {@link ExternalStore}. */
  public record Wanted(
      String jdbcUrl, @Nullable String user, Password password, int poolSize, Duration timeout) {}

  /**
   * Facts about a database that answers.
   *
   * @param product its name, as PostgreSQL
   * @param version its version, as it says it
   * @param millis how long it took to connect and to ask
   */
  public record Facts(String product, String version, long millis) {}

  /** All of them, by name. */
  public List<View> list() {
    Map<String, List<String>> maps = maps();
    return stores.all().stream()
        .filter(store -> !store.deleted())
        .sorted(Comparator.comparing(ExternalStore::name))
        .map(store -> new View(store, maps.getOrDefault(store.name(), List.of())))
        .toList();
  }

  /**
   * Returns a store.
   *
   * @throws CatalogueException {@code NO_SUCH_STORE}
   */
  public View get(String name) {
    return view(existing(name));
  }

  /**
   * Creates a store, or has it be otherwise. If it is so already, nothing changes.
   *
   * @throws io.keyvalueserve.tenancy.InvalidNameException if that is no name
   * @throws InvalidStoreException if it cannot be so
   */
  public View set(String name, Wanted asked, Actor by) {
    ExternalStore.requireName(name);
    Wanted wanted = StoreProbe.possible(asked);
    while (true) {
      ExternalStore before = stores.get(name).orElse(null);
      requirePasswordForNewAddress(wanted, before);
      long revision = before == null ? 1 : before.revision() + 1;
      ExternalStore next =
          new ExternalStore(
              name,
              revision,
              false,
              wanted.jdbcUrl(),
              wanted.user(),
              sealed(name, wanted.password(), before),
              wanted.poolSize(),
              wanted.timeout());
      if (before != null && next.revised(before.revision()).equals(before)) {
        return view(before);
      }
      if (stores.replace(before, next)) {
        LOG.info("set external store {}", next);
        audit.changed(Occurrence.storeSet(by, name, inWords(next, wanted.password())));
        return view(next);
      }
    }
  }

  /** Refuses to send the password of one database to another address. */
  private static void requirePasswordForNewAddress(Wanted wanted, @Nullable ExternalStore before) {
    if (before != null
        && !before.deleted()
        && before.sealedPassword() != null
        && wanted.password() instanceof Password.Keep
        && !before.jdbcUrl().equals(wanted.jdbcUrl())) {
      throw new InvalidStoreException(
          "password",
          "password: the address changed; give the password again, or null to remove it");
    }
  }

  /** Returns the text that is stored; the one that is there if that is the same password. */
  private @Nullable String sealed(String name, Password password, @Nullable ExternalStore before) {
    String known = before == null || before.deleted() ? null : before.sealedPassword();
    return switch (password) {
      case Password.Keep() -> known;
      case Password.None() -> null;
      case Password.Of(String text) ->
          known != null && text.equals(opened(name, known)) ? known : seal.seal(name, text);
    };
  }

  private @Nullable String opened(String name, String sealed) {
    try {
      return seal.open(name, sealed);
    } catch (SealException e) {
      LOG.debug("the password that was there cannot be read: {}", name, e);
      return null;
    }
  }

  private static String inWords(ExternalStore store, Password password) {
    return store.jdbcUrl().split("[?;]", 2)[0]
        + (store.user() == null ? "" : " user=" + store.user())
        + switch (password) {
          case Password.Keep() -> "";
          case Password.None() -> " without password";
          case Password.Of(String _) -> " with another password";
        }
        + " pool="
        + store.poolSize()
        + " timeout="
        + Durations.text(store.timeout());
  }

  /**
   * Deletes a store that is behind no map.
   *
   * @throws CatalogueException {@code NO_SUCH_STORE}, {@code STORE_IN_USE}
   */
  public void delete(String name, Actor by) {
    while (true) {
      ExternalStore found = existing(name);
      requireUnused(name);
      ExternalStore gone = found.gone();
      if (stores.replace(found, gone)) {
        try {
          requireUnused(name); // or somebody put it behind a map meanwhile, and saw it there
        } catch (CatalogueException e) {
          boolean _ = stores.replace(gone, found.revised(gone.revision() + 1));
          throw e;
        }
        LOG.info("deleted external store {}", name);
        audit.changed(Occurrence.storeDeleted(by, name));
        return;
      }
    }
  }

  private void requireUnused(String name) {
    List<String> maps = maps().getOrDefault(name, List.of());
    if (!maps.isEmpty()) {
      List<String> shown = maps.subList(0, Math.min(MOST_SHOWN_MAPS, maps.size()));
      throw new CatalogueException(
          Kind.STORE_IN_USE,
          "store "
              + name
              + " is behind "
              + (maps.size() == 1 ? "a map" : maps.size() + " maps")
              + ": "
              + String.join(", ", shown)
              + (maps.size() > shown.size() ? ", ..." : "")
              + "; take it off with kvs map configure "
              + shown.getFirst()
              + " --store none");
    }
  }

  /**
   * Connects to a database and asks it what it is, from this member.
   *
   * @throws CatalogueException {@code NO_SUCH_STORE}
   * @throws StoreCheckException if it does not answer as it should
   */
  public Facts check(String name) {
    ExternalStore store = existing(name);
    String sealed = store.sealedPassword();
    String password;
    try {
      password = sealed == null ? null : seal.open(name, sealed);
    } catch (SealException e) {
      throw new StoreCheckException(StoreCheckException.Kind.STORE_MISCONFIGURED, e.getMessage());
    }
    return StoreProbe.check(store, password);
  }

  /**
   * Puts a table behind a map, in the place of what was there.
   *
   * @param next null for nothing
   * @param patience how long to wait until it holds; the change goes on afterwards
   * @throws CatalogueException {@code NO_SUCH_TENANT}; {@code STORE_IN_USE} if writes wait for the
   *     table that was there
   * @throws InvalidStoreException if there is no such store
   * @throws MapSettingsException if a member cannot carry it out; it is as it was before
   */
  public void setBehind(
      QualifiedName map, @Nullable MapStoreSettings next, Duration patience, Actor by) {
    Tenant _ = tenants.get(map.tenant());
    MapStoreSettings before = settings.of(map).store();
    requireStoreOf(next);
    requireNothingWaits(map, before, next);
    MapSettings _ = settings.setStore(map, next, patience);
    try {
      requireStoreOf(next); // or somebody deleted it meanwhile, and saw no map
    } catch (InvalidStoreException e) {
      MapSettings _ = settings.setStore(map, null, patience);
      throw e;
    }
    if (!Objects.equals(before, next)) {
      String words = inWords(next);
      LOG.info("configured map {}: store={}", map, words);
      audit.changed(Occurrence.mapStoreSet(by, map.tenant(), map.toString(), words));
    }
  }

  /** Refuses to leave writes behind, which the next table would get. */
  private void requireNothingWaits(
      QualifiedName map, @Nullable MapStoreSettings before, @Nullable MapStoreSettings next) {
    if (before == null || isWrittenTo(before, next) || before.mode() == StoreMode.READ_THROUGH) {
      return;
    }
    StoreQuestions.Statuses answers = questions.status(map.toString());
    if (!answers.silent().isEmpty()) {
      throw new CatalogueException(
          Kind.STORE_IN_USE,
          "writes of map %s may wait for its table at %s, without an answer: try again"
              .formatted(map, answers.silent()));
    }
    MapStoreStatus status = answers.maps().getOrDefault(map.toString(), MapStoreStatus.NONE);
    if (status.waiting() > 0) {
      throw new CatalogueException(
          Kind.STORE_IN_USE,
          ("%d writes of map %s wait for its table, %d of them dead letters: wait until 'kvs store"
                  + " status %s' shows none, and discard dead letters")
              .formatted(status.waiting(), map, status.dead(), map));
    }
  }

  private static boolean isWrittenTo(MapStoreSettings before, @Nullable MapStoreSettings next) {
    return next != null
        && next.mode() != StoreMode.READ_THROUGH
        && next.store().equals(before.store())
        && next.table().equals(before.table())
        && next.keyColumn().equals(before.keyColumn())
        && next.valueColumns().equals(before.valueColumns())
        && next.format() == before.format();
  }

  private static String inWords(@Nullable MapStoreSettings behind) {
    return behind == null
        ? "none"
        : "table %s of %s, %s".formatted(behind.table(), behind.store(), behind.mode().text());
  }

  private void requireStoreOf(@Nullable MapStoreSettings behind) {
    if (behind != null && found(behind.store()).isEmpty()) {
      throw new InvalidStoreException(
          "store",
          "store: there is no external store '" + behind.store() + "'" + remedy(behind.store()));
    }
  }

  private String remedy(String name) {
    List<String> known =
        stores.all().stream()
            .filter(store -> !store.deleted())
            .map(ExternalStore::name)
            .sorted()
            .toList();
    String suggestion = Likeness.suggestion(name, known);
    return suggestion.isEmpty() ? "; create it with kvs store create " + name : suggestion;
  }

  private Optional<ExternalStore> found(String name) {
    return stores.get(name).filter(store -> !store.deleted());
  }

  private ExternalStore existing(String name) {
    return found(name)
        .orElseThrow(
            () ->
                new CatalogueException(
                    Kind.NO_SUCH_STORE,
                    "there is no external store '" + name + "'" + remedy(name)));
  }

  private View view(ExternalStore store) {
    return new View(store, maps().getOrDefault(store.name(), List.of()));
  }

  /** Returns the maps that stores are behind, by the names of the stores. */
  private Map<String, List<String>> maps() {
    Map<String, List<String>> maps = new TreeMap<>();
    settings.forEach(
        map -> {
          MapStoreSettings behind = map.store();
          if (behind != null) {
            maps.computeIfAbsent(behind.store(), name -> new ArrayList<>()).add(map.map());
          }
        });
    maps.values().forEach(names -> names.sort(Comparator.naturalOrder()));
    return maps;
  }
}
