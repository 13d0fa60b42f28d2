package io.keyvalueserve.server;

import io.keyvalueserve.grid.catalogue.GridSettings;
import io.keyvalueserve.tenancy.OperatorKey;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * The keys of one role, such as operators, for the whole cluster: each member brings the one in its
 * own file, and takes those of all. Only hashes are shared. Looking a hash up by itself tells no
 * time apart that would help anybody: a hash cannot be steered towards another. Thread-safe; blocks
 * the first time it sees a key.
 */
final class OperatorKeys {
  private static final String OPERATOR = "operator-key.";
  private static final String SCRAPER = "scrape-key.";
  private static final int LONGEST_KEY = 200;

  private final GridSettings settings;
  private final String prefix;
  private final Set<String> known = ConcurrentHashMap.newKeySet();

  OperatorKeys(GridSettings settings) {
    this(settings, OPERATOR);
  }

  private OperatorKeys(GridSettings settings, String prefix) {
    this.settings = settings;
    this.prefix = prefix;
  }

  /** The keys of those who read metrics and nothing else. */
  static OperatorKeys ofScrapers(GridSettings settings) {
    return new OperatorKeys(settings, SCRAPER);
  }

  void add(String key) {
    String hash = OperatorKey.hash(key);
    settings.putIfAbsent(prefix + hash, "1");
    known.add(hash);
  }

  /** Takes a key that other members do not learn of. */
  void addHere(String key) {
    known.add(OperatorKey.hash(key));
  }

  boolean accepts(String key) {
    return accepts(key, name -> settings.get(name).isPresent());
  }

  /**
   * Does the same as {@link #accepts(String)}, but refuses a key that no other member confirms in
   * time.
   */
  boolean accepts(String key, Duration patience) {
    return accepts(key, name -> settings.get(name, patience).isPresent());
  }

  private boolean accepts(String key, Predicate<String> isSet) {
    if (key.length() > LONGEST_KEY) {
      return false;
    }
    String hash = OperatorKey.hash(key);
    if (known.contains(hash)) {
      return true;
    }
    boolean accepted = isSet.test(prefix + hash);
    if (accepted) {
      known.add(hash);
    }
    return accepted;
  }
}
