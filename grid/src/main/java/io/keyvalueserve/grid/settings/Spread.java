package io.keyvalueserve.grid.settings;

import com.hazelcast.cluster.Address;
import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.grid.member.DataMembers;
import io.keyvalueserve.grid.settings.MapSettingsException.Kind;
import io.keyvalueserve.tenancy.HostPort;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has settings carried out on every member that holds data: tells each of them until it says that
 * it is through.
 */
final class Spread {
  private static final Logger LOG = LoggerFactory.getLogger(Spread.class);
  private static final long ANSWER_MILLIS = 3_000;
  private static final long FIRST_PAUSE_MILLIS = 20;
  private static final long LAST_PAUSE_MILLIS = 500;

  private final NodeEngine nodeEngine;
  private final MemberSettings local;

  Spread(NodeEngine nodeEngine, MemberSettings local) {
    this.nodeEngine = nodeEngine;
    this.local = local;
  }

  /**
   * Returns when the settings hold on all members, however long that takes. Blocks.
   *
   * @throws MapSettingsException if a member cannot carry them out
   * @throws InterruptedException if the thread was interrupted
   */
  void to(MapSettings settings) throws InterruptedException {
    Set<UUID> through = new HashSet<>();
    long pause = FIRST_PAUSE_MILLIS;
    while (true) {
      List<Pending> pending = look(settings, through);
      for (Pending each : pending) {
        if (each.hasFailed()) {
          throw new MapSettingsException(
              Kind.NOT_CARRIED_OUT,
              "durability",
              "member " + each.member() + " could not carry it out: " + each.why());
        }
      }
      if (pending.isEmpty() && isAll(through)) {
        return;
      }
      Thread.sleep(pause);
      pause = Math.min(2 * pause, LAST_PAUSE_MILLIS);
    }
  }

  /** The members on which the settings do not hold yet. Tells them; blocks. */
  List<Pending> pending(MapSettings settings) {
    return look(settings, new HashSet<>());
  }

  private List<Pending> look(MapSettings settings, Set<UUID> through) {
    String text = MapSettingsCodec.encode(settings);
    List<Pending> pending = new ArrayList<>();
    for (Member member : DataMembers.of(nodeEngine)) {
      if (!through.contains(member.getUuid())) {
        SettingsProgress progress = member.localMember() ? local.of(settings) : ask(member, text);
        switch (progress.state()) {
          case DONE -> {
            boolean _ = through.add(member.getUuid());
          }
          case UNDER_WAY, FAILED -> pending.add(new Pending(name(member), progress.why()));
        }
      }
    }
    return pending;
  }

  /**
   * Returns whether all members were told. A member that has joined meanwhile may have learned the
   * settings from one that was not told yet.
   */
  private boolean isAll(Set<UUID> through) {
    return DataMembers.of(nodeEngine).stream().map(Member::getUuid).allMatch(through::contains);
  }

  private SettingsProgress ask(Member member, String text) {
    try {
      return SettingsProgress.ofText(
          invoke(nodeEngine, new MapSettingsNotice(text), member.getAddress()));
    } catch (CompletionException | HazelcastException e) {
      LOG.debug("member {} did not answer to settings of a map", name(member), e);
      return SettingsProgress.UNDER_WAY;
    }
  }

  /** All that a member knows; empty if it does not say. */
  static String everything(NodeEngine nodeEngine, Address of) {
    try {
      return invoke(nodeEngine, new MapSettingsNotice(), of);
    } catch (CompletionException | HazelcastException e) {
      LOG.warn("member {} does not tell the settings of maps: {}", of, e.getMessage());
      return "";
    }
  }

  private static String invoke(NodeEngine nodeEngine, MapSettingsNotice notice, Address to) {
    return nodeEngine
        .getOperationService()
        .createInvocationBuilder(MapService.SERVICE_NAME, notice, to)
        .setCallTimeout(ANSWER_MILLIS)
        .<String>invoke()
        .toCompletableFuture()
        .orTimeout(ANSWER_MILLIS, TimeUnit.MILLISECONDS)
        .join();
  }

  private static String name(Member member) {
    return HostPort.of(member.getAddress().getHost(), member.getAddress().getPort());
  }
}
