package io.keyvalueserve.server;

import io.keyvalueserve.grid.catalogue.ExternalStore;
import io.keyvalueserve.grid.catalogue.InvalidStoreException;
import io.keyvalueserve.server.StoreAdministration.Password;
import io.keyvalueserve.server.StoreAdministration.Wanted;
import io.keyvalueserve.stores.Database;
import io.keyvalueserve.stores.DatabaseFacts;
import io.keyvalueserve.stores.StoreAddress;
import io.keyvalueserve.stores.StoreException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Looks at the addresses of external stores, and at the databases there. Stateless. */
final class StoreProbe {
  /** The longest that a check waits: less than whoever asks for it does. */
  private static final Duration MOST_PATIENCE = Duration.ofSeconds(20);

  private StoreProbe() {}

  /**
   * Returns how a store is to be, with the address as it is kept. A password in the address is the
   * store's from now on, and no longer in the address.
   *
   * @throws InvalidStoreException if it cannot be so
   */
  static Wanted possible(Wanted wanted) {
    String given = wanted.password() instanceof Password.Of(String text) ? text : null;
    StoreAddress address;
    try {
      address =
          new StoreAddress(
              wanted.jdbcUrl(), wanted.user(), given, wanted.poolSize(), wanted.timeout());
    } catch (IllegalArgumentException e) {
      String message = String.valueOf(e.getMessage());
      throw new InvalidStoreException(message.split(":", 2)[0], message);
    }
    String password = address.password();
    return new Wanted(
        address.jdbcUrl(),
        address.user(),
        password == null ? wanted.password() : new Password.Of(password),
        address.poolSize(),
        address.timeout());
  }

  /**
   * Connects to a database and asks it what it is.
   *
   * @throws StoreCheckException if it does not answer as it should
   */
  static StoreAdministration.Facts check(ExternalStore store, @Nullable String password) {
    Duration patience =
        store.timeout().compareTo(MOST_PATIENCE) < 0 ? store.timeout() : MOST_PATIENCE;
    try (Database database =
        new Database(new StoreAddress(store.jdbcUrl(), store.user(), password, 1, patience))) {
      DatabaseFacts facts = database.check();
      return new StoreAdministration.Facts(facts.product(), facts.version(), facts.millis());
    } catch (StoreException e) {
      throw new StoreCheckException(
          switch (e.kind()) {
            case UNAVAILABLE -> StoreCheckException.Kind.STORE_UNAVAILABLE;
            case REFUSED, MISCONFIGURED -> StoreCheckException.Kind.STORE_MISCONFIGURED;
          },
          e.getMessage());
    } catch (IllegalArgumentException e) {
      throw new StoreCheckException(StoreCheckException.Kind.STORE_MISCONFIGURED, e.getMessage());
    }
  }
}
