package io.keyvalueserve.server;

import io.keyvalueserve.grid.catalogue.GridSettings;
import io.keyvalueserve.tenancy.OperatorKey;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The keys of operators, for the whole cluster: each member brings the one in its own file, and
 * takes those of all. Only hashes are shared. Looking a hash up by itself tells no time apart that
 * would help anybody: a hash cannot be steered towards another. Thread-safe; blocks the first time
 * it sees a key.
 */
final class OperatorKeys {
  private static final String PREFIX = "operator-key.";
  private static final int LONGEST_KEY = 200;

  private final GridSettings settings;
  private final Set<String> known = ConcurrentHashMap.newKeySet();

  OperatorKeys(GridSettings settings) {
    this.settings = settings;
  }

  void add(String key) {
    String hash = OperatorKey.hash(key);
    settings.putIfAbsent(PREFIX + hash, "1");
    known.add(hash);
  }

  boolean accepts(String key) {
    if (key.length() > LONGEST_KEY) {
      return false;
    }
    String hash = OperatorKey.hash(key);
    if (known.contains(hash)) {
      return true;
    }
    boolean accepted = settings.get(PREFIX + hash).isPresent();
    if (accepted) {
      known.add(hash);
    }
    return accepted;
  }
}
