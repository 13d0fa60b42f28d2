package io.keyvalueserve.server;

import io.keyvalueserve.grid.GridMember;
import io.keyvalueserve.grid.external.LetterNumber;
import io.keyvalueserve.grid.external.MapStoreStatus;
import io.keyvalueserve.grid.external.StoreQuestions;
import io.keyvalueserve.grid.external.StoreQuestions.DeadLetters;
import io.keyvalueserve.grid.external.StoreQuestions.Ended;
import io.keyvalueserve.grid.settings.MapStoreSettings;
import io.keyvalueserve.tenancy.Catalogue;
import io.keyvalueserve.tenancy.CatalogueException;
import io.keyvalueserve.tenancy.CatalogueException.Kind;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.audit.Actor;
import io.keyvalueserve.tenancy.audit.Occurrence;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The figures of maps with external stores, and the writes that the stores have refused. Asks all
 * members; blocks. Thread-safe.
 */
public final class MapStores {
  private static final Logger LOG = LoggerFactory.getLogger(MapStores.class);
  private static final int MOST_NAMED = 5;

  private final Catalogue tenants;
  private final GridMember grid;
  private final AuditTrails audit;

  MapStores(Catalogue tenants, GridMember grid, AuditTrails audit) {
    this.tenants = tenants;
    this.grid = grid;
    this.audit = audit;
  }

  /**
   * A map with an external store.
   *
   * @param status of all members together
   * @param silent the addresses of members that gave no answer
   */
  public record View(
      QualifiedName map, MapStoreSettings settings, MapStoreStatus status, List<String> silent) {
    public View {
      silent = List.copyOf(silent);
    }
  }

  /**
   * Returns what is between a map and its store.
   *
   * @throws CatalogueException {@code NO_SUCH_TENANT}, {@code NO_SUCH_STORE}
   */
  public View status(QualifiedName map) {
    MapStoreSettings settings = behind(map);
    StoreQuestions.Statuses answers = grid.storeQuestions().status(map.toString());
    MapStoreStatus status = answers.maps().getOrDefault(map.toString(), MapStoreStatus.NONE);
    return new View(map, settings, status, answers.silent());
  }

  private MapStoreSettings behind(QualifiedName map) {
    Tenant _ = tenants.get(map.tenant());
    MapStoreSettings behind = grid.mapSettings().of(map).store();
    if (behind == null) {
      throw new CatalogueException(
          Kind.NO_SUCH_STORE,
          "no external store is behind map "
              + map
              + "; an operator puts one there with kvs map configure "
              + map
              + " --store STORE --table TABLE");
    }
    return behind;
  }

  /** Returns what is between maps and their stores on this member, by the grid's names of maps. */
  public Map<String, MapStoreStatus> here() {
    return grid.externalStores().status();
  }

  /**
   * Returns the oldest writes of a map that its store has refused for good.
   *
   * @param most how many at most: 1 or more
   * @throws CatalogueException {@code NO_SUCH_TENANT}
   */
  public DeadLetters deadLetters(QualifiedName map, int most) {
    Tenant _ = tenants.get(map.tenant());
    return grid.storeQuestions().deadLetters(map.toString(), most);
  }

  /**
   * Has such writes tried once more, soon.
   *
   * @param numbers those of them; null for all
   * @throws CatalogueException {@code NO_SUCH_TENANT}, {@code NO_SUCH_STORE}
   */
  public Ended retry(QualifiedName map, @Nullable Set<LetterNumber> numbers, Actor by) {
    MapStoreSettings _ = behind(map);
    Ended ended = grid.storeQuestions().retry(map.toString(), numbers);
    note(map, "retried", ended, numbers, by);
    return ended;
  }

  /**
   * Discards such writes: what the store has holds.
   *
   * @param numbers those of them; null for all
   * @throws CatalogueException {@code NO_SUCH_TENANT}
   */
  public Ended discard(QualifiedName map, @Nullable Set<LetterNumber> numbers, Actor by) {
    Tenant _ = tenants.get(map.tenant());
    Ended ended = grid.storeQuestions().discard(map.toString(), numbers);
    note(map, "discarded", ended, numbers, by);
    return ended;
  }

  private void note(
      QualifiedName map, String what, Ended ended, @Nullable Set<LetterNumber> numbers, Actor by) {
    if (ended.count() == 0 && ended.silent().isEmpty()) {
      return;
    }
    String words =
        what
            + " "
            + ended.count()
            + " of "
            + inWords(numbers)
            + (ended.silent().isEmpty() ? "" : "; no answer from " + ended.silent());
    LOG.info("ended writes that the external store of map {} has refused: {}", map, words);
    audit.changed(Occurrence.lettersEnded(by, map.tenant(), map.toString(), words));
  }

  private static String inWords(@Nullable Set<LetterNumber> numbers) {
    if (numbers == null) {
      return "all";
    }
    String some =
        numbers.stream()
            .map(LetterNumber::toString)
            .sorted()
            .limit(MOST_NAMED)
            .collect(Collectors.joining(", "));
    return numbers.size() + ": " + some + (numbers.size() > MOST_NAMED ? ", ..." : "");
  }
}
