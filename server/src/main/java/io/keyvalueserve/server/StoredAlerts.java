package io.keyvalueserve.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyvalueserve.grid.catalogue.GridAlerts;
import io.keyvalueserve.server.AlertAnswers.Noted;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Alerts as the cluster keeps them, so that they survive the member that noted them, and a restart
 * of members with data. Blocks. Methods throw what the grid throws if it cannot be reached.
 */
final class StoredAlerts {
  /** The most that are kept, give or take those of some looks. Those that ended first go first. */
  static final int MOST = 1_000;

  private static final Logger LOG = LoggerFactory.getLogger(StoredAlerts.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String MEMBER = "member";

  private final GridAlerts grid;

  /** The difference to what the cluster has. Of one thread. */
  private final AlertChanges changes = new AlertChanges();

  StoredAlerts(GridAlerts grid) {
    this.grid = grid;
  }

  /** Returns all by their keys. */
  Map<String, Noted> all() {
    Map<String, Noted> all = new HashMap<>();
    grid.all()
        .forEach(
            (key, text) -> {
              try {
                JsonNode body = JSON.readTree(text);
                all.put(key, new Noted(body.path(MEMBER).asText(), Alert.decode(body)));
              } catch (JsonProcessingException | RuntimeException e) {
                LOG.debug("an alert of another version is left out: {}", key, e);
              }
            });
    return all;
  }

  /** Takes over alerts that the cluster has, and that this member answers for from now on. */
  void adopt(Collection<Alert> alerts) {
    changes.adopt(alerts);
  }

  /**
   * Writes what is new of a member's alerts; see {@link AlertChanges#next}.
   *
   * @param member who noted them
   */
  void keep(List<Alert> alerts, String member, Instant at) {
    Map<String, Alert> changed = changes.next(alerts, at);
    if (!changed.isEmpty()) {
      grid.put(
          changed.values().stream()
              .collect(
                  Collectors.toMap(
                      Alert::key, alert -> alert.encode().put(MEMBER, member).toString())));
      changes.wrote(changed);
    }
  }

  /** Forgets the oldest if there are too many. One member of the cluster does this. */
  void trim() {
    if (grid.size() <= MOST) {
      return;
    }
    Map<String, Noted> all = all();
    Set<String> excess =
        all.entrySet().stream()
            .sorted(Comparator.comparing(each -> age(each.getValue().alert())))
            .limit(Math.max(0, all.size() - MOST))
            .map(Map.Entry::getKey)
            .collect(Collectors.toSet());
    grid.remove(excess);
  }

  private static Instant age(Alert alert) {
    Instant until = alert.until();
    return until == null ? Instant.MAX : until;
  }
}
