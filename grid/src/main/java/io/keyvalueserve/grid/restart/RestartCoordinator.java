package io.keyvalueserve.grid.restart;

import com.hazelcast.cluster.Address;
import com.hazelcast.internal.partition.PartitionReplica;
import io.keyvalueserve.tenancy.HostPort;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides how a cluster begins: with which members, and who has which partition.
 *
 * <p>Each partition goes to those that had it in the newest version of its row that any member has
 * kept ({@link Holdings}). What other members have of it is older, and given up.
 *
 * <p>A witness holds nothing, but keeps rows as the others do: if the only member that had the
 * newest data is missing, the rows of a witness say so. Witnesses alone decide nothing.
 *
 * <p>Damage of a sealed chunk is not met at the start, as only its index is read. If any log is
 * known to be damaged, all members that hold data read theirs whole first. Then a copy is not given
 * up for one that lacks what it has.
 *
 * <p>The decision is made once, by the master, when all who hold data have loaded them, and is then
 * known to every member that began by it, so that each can tell it to those who still ask when the
 * master is gone. Thread-safe.
 */
final class RestartCoordinator {
  private final RestartPolicy policy;
  private final long patienceNanos;
  private final int backups;
  private final Map<UUID, RestartClaim> claims = new TreeMap<>();
  private RestartAnswer.@Nullable Begin decision;
  private Set<UUID> attempts = Set.of();
  private String waitsFor = "the members that are here to say what they have";
  private Set<UUID> lastHere = Set.of();
  private long lastArrivalNanos = Long.MIN_VALUE;
  private @Nullable String hopeless;

  /** True if members have to read their logs whole before anything is decided. */
  private boolean checks;

  /**
   * A coordinator that has decided nothing.
   *
   * @param patienceNanos how long it waits for members once those that are here are ready
   * @param backups how many backups a map has at least
   */
  RestartCoordinator(RestartPolicy policy, long patienceNanos, int backups) {
    this.policy = policy;
    this.backups = backups;
    this.patienceNanos = patienceNanos;
  }

  /** Takes a claim, and says what is known; null if nothing has been decided for it. */
  synchronized RestartAnswer claim(RestartClaim claim) {
    RestartAnswer.Begin decided = decision;
    if (decided != null && attempts.contains(claim.attempt())) {
      return decided;
    }
    claims.put(claim.member(), claim);
    String refusal = refusal(claim);
    if (refusal != null) {
      return new RestartAnswer.Refused(refusal);
    }
    if (hopeless != null) {
      return new RestartAnswer.Refused(hopeless);
    }
    return checks && claim.isUnchecked()
        ? new RestartAnswer.Check()
        : new RestartAnswer.Wait(waitsFor);
  }

  /** Returns whether the answer to a claim is a decision that has been made. */
  synchronized boolean hasDecided(UUID attempt) {
    return decision != null && attempts.contains(attempt);
  }

  /** Takes over a decision that was made elsewhere, and the starts that it is for. */
  synchronized void learn(RestartAnswer.Begin begin, Set<UUID> forAttempts) {
    decision = begin;
    attempts = Set.copyOf(forAttempts);
  }

  /** The attempts that the decision is for. */
  synchronized Set<UUID> attempts() {
    return attempts;
  }

  /** Returns what the start waits for, in words for people. */
  synchronized String waitsFor() {
    return waitsFor;
  }

  /**
   * Decides if it is time to; by the master.
   *
   * @param here the members that have joined
   */
  synchronized void decide(Collection<UUID> here, long nowNanos) {
    if (decision != null) {
      return;
    }
    Set<UUID> present = new HashSet<>(here);
    claims.keySet().retainAll(present);
    if (!present.equals(lastHere)) {
      lastHere = present;
      lastArrivalNanos = nowNanos;
    }
    if (!claims.keySet().containsAll(present)) {
      waitsFor = "members that have joined to say what they have";
      return;
    }
    if (claims.values().stream().allMatch(RestartClaim::witness)) {
      waitsFor = "a member that holds data";
      lastArrivalNanos = nowNanos;
      return;
    }
    UUID history = history();
    if (history == null) {
      begin(new RestartAnswer.Begin(UUID.randomUUID(), null));
      return;
    }
    List<RestartClaim> holders =
        claims.values().stream().filter(claim -> history.equals(claim.history())).toList();
    if (!holders.stream().allMatch(RestartClaim::isLoaded)) {
      waitsFor = "members to load their data";
      lastArrivalNanos = nowNanos;
      return;
    }
    // A damaged copy is given up for another one, which must not turn out damaged afterwards.
    checks =
        holders.stream().anyMatch(holder -> holder.log() == LogState.DAMAGED)
            && holders.stream().anyMatch(RestartClaim::isUnchecked);
    if (checks) {
      waitsFor = "members to read their logs whole, as the log of one is damaged";
      lastArrivalNanos = nowNanos;
      return;
    }
    decide(history, new Holdings(holders, backups), nowNanos);
  }

  private void decide(UUID history, Holdings holdings, long nowNanos) {
    Set<PartitionReplica> missing = holdings.missing();
    int lost = holdings.withoutCopy(holder -> true).cardinality();
    if (!missing.isEmpty() || lost > 0) {
      waitsFor = "members that held data: " + text(missing);
      boolean mayCome =
          missing.isEmpty() || missing.stream().anyMatch(replica -> !isReplaced(replica.address()));
      if (mayCome && !goesOnWithout(lost) && nowNanos - lastArrivalNanos < patienceNanos) {
        return;
      }
      if (policy == RestartPolicy.FULL || (policy == RestartPolicy.COMPLETE && lost > 0)) {
        hopeless =
            ("members that held data are missing: %s; %s. Start them, or give"
                    + " --restart-policy %s to go on without them")
                .formatted(
                    text(missing),
                    lost == 0
                        ? "every partition has a copy here"
                        : lost + " partitions have no whole copy here",
                    lost == 0 ? "complete" : "partial");
        return;
      }
    }
    begin(new RestartAnswer.Begin(history, holdings.assigned()));
  }

  /** Members that have served until now, without those that are missing, do not wait for them. */
  private boolean goesOnWithout(int lost) {
    Set<UUID> served =
        claims.values().stream()
            .flatMap(claim -> claim.together().stream())
            .collect(Collectors.toSet());
    return lost == 0
        && policy != RestartPolicy.FULL
        && !served.isEmpty()
        && claims.keySet().containsAll(served);
  }

  private void begin(RestartAnswer.Begin begin) {
    decision = begin;
    attempts = claims.values().stream().map(RestartClaim::attempt).collect(Collectors.toSet());
  }

  // ---- who has what

  /**
   * Returns the cluster that most of those who hold data are of, or else that of most witnesses;
   * null if nobody has been in one.
   */
  private @Nullable UUID history() {
    UUID ofData = history(claim -> !claim.witness());
    return ofData == null ? history(RestartClaim::witness) : ofData;
  }

  private @Nullable UUID history(Predicate<RestartClaim> counts) {
    Map<UUID, Long> found =
        claims.values().stream()
            .filter(counts)
            .filter(claim -> claim.table() != null)
            .map(RestartClaim::history)
            .filter(Objects::nonNull)
            .collect(
                Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
    return found.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElse(null);
  }

  private @Nullable String refusal(RestartClaim claim) {
    UUID history = history();
    return history == null || claim.table() == null || history.equals(claim.history())
        ? null
        : ("its data are of another cluster (%s) than those of the members here (%s): start it"
                + " alone, or with an empty data directory")
            .formatted(claim.history(), history);
  }

  /**
   * Returns whether a starting member has the address of a former one, but not its data. Then the
   * former one does not come back.
   */
  private boolean isReplaced(Address address) {
    return claims.values().stream().anyMatch(claim -> claim.address().equals(address));
  }

  static String text(Set<PartitionReplica> replicas) {
    List<String> names = new ArrayList<>();
    replicas.forEach(
        replica ->
            names.add(HostPort.of(replica.address().getHost(), replica.address().getPort())));
    return names.isEmpty()
        ? "others than those that are here"
        : names.stream().distinct().sorted().collect(Collectors.joining(", "));
  }
}
