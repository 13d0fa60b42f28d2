package io.keyvalueserve.grid.catalogue;

import io.keyvalueserve.tenancy.InvalidNameException;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An external SQL database whose tables can be put behind maps.
 *
 * @param name 1 to 63 of {@code a-z}, {@code 0-9} and dashes, no dash first
 * @param revision greater with each change
 * @param deleted whether the store is gone; the record stays, so that members hear of it
 * @param jdbcUrl where the database is
 * @param user null if the database asks for none
 * @param sealedPassword as {@link SecretSeal} makes it; null if there is none
 * @param poolSize the most connections that each member opens
 * @param timeout how long a member waits for a connection or an answer
 */
public record ExternalStore(
    String name,
    long revision,
    boolean deleted,
    String jdbcUrl,
    @Nullable String user,
    @Nullable String sealedPassword,
    int poolSize,
    Duration timeout) {
  /** The connections of each member unless something else is said. */
  public static final int USUAL_POOL_SIZE = 10;

  /** The most connections of each member. */
  public static final int MOST_POOL_SIZE = 100;

  /** The patience with the database unless something else is said. */
  public static final Duration USUAL_TIMEOUT = Duration.ofSeconds(5);

  /** The least patience with the database. */
  public static final Duration LEAST_TIMEOUT = Duration.ofMillis(100);

  /** The most patience with the database. */
  public static final Duration MOST_TIMEOUT = Duration.ofMinutes(5);

  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");

  private static final int MOST_TEXT_CHARACTERS = 2_048;

  /**
   * @throws InvalidNameException if the name is none
   * @throws InvalidStoreException if something else is wrong
   */
  public ExternalStore {
    requireName(name);
    requireText("jdbcUrl", jdbcUrl, "give the address of the database, such as jdbc:postgresql://");
    if (user != null) {
      requireText("user", user, "leave it out if the database asks for none");
    }
    if (poolSize < 1 || poolSize > MOST_POOL_SIZE) {
      throw new InvalidStoreException(
          "poolSize",
          "poolSize: "
              + poolSize
              + " is not possible; use 1 to "
              + MOST_POOL_SIZE
              + " connections");
    }
    if (timeout.compareTo(LEAST_TIMEOUT) < 0 || timeout.compareTo(MOST_TIMEOUT) > 0) {
      throw new InvalidStoreException(
          "timeout", "timeout: " + timeout.toMillis() + "ms is not possible; use 100ms to 5m");
    }
  }

  /**
   * Checks the name of a store.
   *
   * @throws InvalidNameException if it is none
   */
  public static void requireName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new InvalidNameException(
          "store", name, "use 1 to 63 of a-z, 0-9 and dashes, and begin with a letter or digit");
    }
  }

  private static void requireText(String field, String value, String remedy) {
    if (value.isBlank()
        || value.length() > MOST_TEXT_CHARACTERS
        || value.chars().anyMatch(Character::isISOControl)) {
      throw new InvalidStoreException(
          field,
          field
              + ": it is empty, has control characters or more than "
              + MOST_TEXT_CHARACTERS
              + " characters; "
              + remedy);
    }
  }

  /** Returns the record that follows this one when the store is deleted. */
  public ExternalStore gone() {
    return new ExternalStore(name, revision + 1, true, jdbcUrl, user, null, poolSize, timeout);
  }

  /** Returns the same with another revision. */
  public ExternalStore revised(long next) {
    return new ExternalStore(name, next, deleted, jdbcUrl, user, sealedPassword, poolSize, timeout);
  }

  /** Shows the store without its password, and without what follows the path of the address. */
  @Override
  public String toString() {
    int end = jdbcUrl.split("[?;]", 2)[0].length();
    return "ExternalStore[name="
        + name
        + ", revision="
        + revision
        + ", deleted="
        + deleted
        + ", jdbcUrl="
        + jdbcUrl.substring(0, end)
        + ", user="
        + user
        + ", hasPassword="
        + (sealedPassword != null)
        + ", poolSize="
        + poolSize
        + ", timeout="
        + timeout
        + "]";
  }
}
