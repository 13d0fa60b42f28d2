package io.keyvalueserve.stores;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The place of a database, and how to connect to it.
 *
 * @param jdbcUrl {@code jdbc:postgresql:...} or {@code jdbc:h2:...}, with no parameters but those
 *     that are known to load no classes and to touch no files; a password in it moves to {@code
 *     password}
 * @param user the user's name; null if the URL has it, or the database needs none
 * @param password the password; null if the database needs none
 * @param poolSize the most connections at a time, from 1 to 100
 * @param timeout the longest that connecting, and each statement, may take: from 100 ms to 5 min
 */
public record StoreAddress(
    String jdbcUrl,
    @Nullable String user,
    @Nullable String password,
    int poolSize,
    Duration timeout) {
  private static final int LARGEST_POOL = 100;
  private static final Duration SHORTEST = Duration.ofMillis(100);
  private static final Duration LONGEST = Duration.ofMinutes(5);

  /**
   * Checks the fields.
   *
   * @throws IllegalArgumentException if one is wrong; the message names it and says the remedy,
   *     without the URL
   */
  public StoreAddress {
    JdbcUrl checked = JdbcUrl.parse(requireNonNull(jdbcUrl, "jdbcUrl"));
    String inUrl = checked.password();
    if (inUrl != null && password != null && !inUrl.equals(password)) {
      throw new IllegalArgumentException(
          "password: differs from the one in jdbcUrl: give it in one place");
    }
    jdbcUrl = checked.url();
    password = password == null ? inUrl : password;
    if (poolSize < 1 || poolSize > LARGEST_POOL) {
      throw new IllegalArgumentException("poolSize: is " + poolSize + ": give 1 to 100");
    }
    if (timeout.compareTo(SHORTEST) < 0 || timeout.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "timeout: is " + timeout + ": give 100 milliseconds to 5 minutes");
    }
  }

  /** Returns all but the password. */
  @Override
  public String toString() {
    return "StoreAddress[jdbcUrl="
        + jdbcUrl
        + ", user="
        + user
        + ", password="
        + (password == null ? "none" : "***")
        + ", poolSize="
        + poolSize
        + ", timeout="
        + timeout
        + "]";
  }

  /** Returns a text without the password, if it is long enough to be told from other words. */
  String withoutPassword(String text) {
    return password == null || password.length() < 3 ? text : text.replace(password, "***");
  }
}
