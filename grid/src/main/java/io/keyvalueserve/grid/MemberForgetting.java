package io.keyvalueserve.grid;

import com.hazelcast.cluster.Address;
import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.grid.question.Answerers;
import io.keyvalueserve.grid.question.Questioner;
import io.keyvalueserve.grid.quorum.Forgetting;
import io.keyvalueserve.grid.quorum.QuorumKeeper;
import io.keyvalueserve.grid.quorum.VoterSet;
import io.keyvalueserve.grid.restart.HotRestart;
import io.keyvalueserve.tenancy.HostPort;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Takes members off the cluster that never come back. The member that leads the cluster does it, as
 * it changes the voters; this one asks it. Thread-safe.
 */
final class MemberForgetting {
  private static final String TOPIC = "forget";
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final int PATIENCE_MILLIS = 8_000;
  private static final long STEP_MILLIS = 50;

  private final NodeEngine nodeEngine;
  private final QuorumKeeper quorum;
  private final Questioner questioner;
  private final @Nullable HotRestart restart;

  /** The members that were to be forgotten, by what they were called: some are known no more. */
  private final Map<String, UUID> asked = new ConcurrentHashMap<>();

  /**
   * @param restart null if members do not outlive their processes
   */
  MemberForgetting(
      NodeEngine nodeEngine,
      QuorumKeeper quorum,
      Questioner questioner,
      @Nullable HotRestart restart) {
    this.nodeEngine = nodeEngine;
    this.quorum = quorum;
    this.questioner = questioner;
    this.restart = restart;
  }

  /** Has this member forget others when it leads the cluster. */
  static void answer(Answerers answerers, QuorumKeeper quorum) {
    answerers.add(TOPIC, member -> forget(quorum, UUID.fromString(member)).name());
  }

  /** Blocks until it is done, cannot be done, or takes too long. */
  private static Forgetting forget(QuorumKeeper quorum, UUID member) {
    long start = System.nanoTime();
    while (true) {
      Forgetting reached = quorum.forget(member);
      if (reached != Forgetting.UNDER_WAY || System.nanoTime() - start > PATIENCE_NANOS) {
        return reached;
      }
      try {
        TimeUnit.MILLISECONDS.sleep(STEP_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return reached;
      }
    }
  }

  /**
   * Takes a member off the cluster. Blocks until a majority knows that.
   *
   * @param name its id, or its address as {@code HOST:PORT}
   */
  ForgetResult forget(String name) {
    Map<UUID, String> found = named(name);
    if (found.size() > 1) {
      return new ForgetResult.Refused(
          ForgetResult.Reason.AMBIGUOUS,
          "several members had the address "
              + name
              + ": name one by its id: "
              + found.keySet().stream().map(UUID::toString).collect(Collectors.joining(", ")));
    }
    if (found.isEmpty()) {
      return new ForgetResult.Refused(
          ForgetResult.Reason.UNKNOWN,
          "this member knows no member '"
              + name
              + "' that is lost; give the address or the id that a member's log names, or ask the"
              + " member that waits for it");
    }
    Map.Entry<UUID, String> member = found.entrySet().iterator().next();
    UUID _ = asked.put(name, member.getKey());
    return result(member.getKey(), member.getValue(), askLeader(member.getKey()));
  }

  /** The members of that id or address: those that are not in the cluster, if there are any. */
  private Map<UUID, String> named(String name) {
    Map<UUID, String> known = new TreeMap<>();
    if (restart != null) {
      known.putAll(restart.holders());
    }
    VoterSet voters = quorum.voters();
    if (voters != null) {
      known.putAll(voters.voters());
      voters.forgotten().forEach(id -> known.putIfAbsent(id, id.toString()));
    }
    Map<UUID, String> here = new TreeMap<>();
    for (Member member : nodeEngine.getClusterService().getMembers()) {
      Address address = member.getAddress();
      here.put(member.getUuid(), HostPort.of(address.getHost(), address.getPort()));
    }
    known.keySet().removeAll(here.keySet());
    Map<UUID, String> lost = matching(known, name);
    Map<UUID, String> found = lost.isEmpty() ? matching(here, name) : lost;
    UUID before = asked.get(name);
    return found.isEmpty()
            && before != null
            && voters != null
            && voters.forgotten().contains(before)
        ? Map.of(before, name) // it was done, though nobody could say so
        : found;
  }

  private static Map<UUID, String> matching(Map<UUID, String> members, String name) {
    Map<UUID, String> found = new TreeMap<>();
    members.forEach(
        (id, address) -> {
          if (id.toString().equalsIgnoreCase(name) || address.equals(name)) {
            found.put(id, address);
          }
        });
    return found;
  }

  /**
   * @return null if the leader gave no answer
   */
  private @Nullable Forgetting askLeader(UUID member) {
    Address leader = nodeEngine.getMasterAddress();
    if (leader == null) {
      return Forgetting.NO_MAJORITY;
    }
    if (leader.equals(nodeEngine.getThisAddress())) {
      return forget(quorum, member);
    }
    try {
      return Forgetting.valueOf(
          questioner
              .ask(TOPIC, member.toString(), leader, PATIENCE_MILLIS)
              .orTimeout(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
              .join());
    } catch (CompletionException | HazelcastException e) {
      return null;
    }
  }

  private static ForgetResult result(UUID member, String address, @Nullable Forgetting reached) {
    return switch (reached) {
      case DONE -> new ForgetResult.Forgotten(member, address);
      case ALIVE ->
          new ForgetResult.Refused(
              ForgetResult.Reason.ALIVE,
              "member "
                  + address
                  + " is alive: it is in the cluster, or was heard lately. Stop it for good first; a"
                  + " member that is stopped in order (SIGTERM) need not be forgotten");
      case NO_MAJORITY ->
          new ForgetResult.Refused(
              ForgetResult.Reason.NO_MAJORITY,
              "no majority of the voters is here, so nothing can be decided, and the member may"
                  + " serve elsewhere. Start members of the cluster until a majority is here. If they"
                  + " never come back, stop all members and start them with --restart-policy partial");
      case NOT_CONSISTENT ->
          new ForgetResult.Refused(
              ForgetResult.Reason.NOT_CONSISTENT,
              "no majority decides in this cluster (split: available), so the member may serve apart"
                  + " from the others, and no voter is waited for. If its data are waited for, start"
                  + " the waiting member with --restart-policy partial");
      case NOT_LEADING, UNDER_WAY ->
          inDoubt("the cluster is changing, or the voters did not answer in time");
      case null -> inDoubt("the member that leads the cluster did not answer");
    };
  }

  private static ForgetResult inDoubt(String why) {
    return new ForgetResult.Refused(
        ForgetResult.Reason.IN_DOUBT,
        why + ": it may be done or not; ask again, which does no harm if it is done");
  }
}
