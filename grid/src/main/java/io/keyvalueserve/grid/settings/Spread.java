package io.keyvalueserve.grid.settings;

import com.hazelcast.cluster.Address;
import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.grid.settings.MapSettingsException.Kind;
import java.time.Duration;
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
 * Has settings carried out on every member: tells each of them until it says that it is through.
 */
final class Spread {
  private static final Logger LOG = LoggerFactory.getLogger(Spread.class);
  private static final Duration PATIENCE = Duration.ofSeconds(50);
  private static final long ANSWER_MILLIS = 3_000;
  private static final Duration PAUSE = Duration.ofMillis(20);

  private final NodeEngine nodeEngine;
  private final MemberSettings local;

  Spread(NodeEngine nodeEngine, MemberSettings local) {
    this.nodeEngine = nodeEngine;
    this.local = local;
  }

  /**
   * Returns when the settings hold on all members. Blocks.
   *
   * @throws MapSettingsException if a member cannot carry them out, or takes too long
   */
  void to(MapSettings settings) {
    String text = MapSettingsCodec.encode(settings);
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    Set<UUID> through = new HashSet<>();
    while (true) {
      List<String> waiting = new ArrayList<>();
      for (Member member : nodeEngine.getClusterService().getMembers()) {
        if (!through.contains(member.getUuid())) {
          Progress progress = member.localMember() ? local.of(settings) : ask(member, text);
          switch (progress.state()) {
            case DONE -> {
              boolean _ = through.add(member.getUuid());
            }
            case UNDER_WAY -> waiting.add(name(member));
            case FAILED ->
                throw new MapSettingsException(
                    Kind.NOT_CARRIED_OUT,
                    "durability: member "
                        + name(member)
                        + " could not change it, so it stays as it was: "
                        + progress.why());
          }
        }
      }
      if (waiting.isEmpty()) {
        return;
      }
      if (System.nanoTime() - deadline > 0) {
        throw new MapSettingsException(
            Kind.UNDER_WAY,
            "durability: the change is under way, but not yet through on "
                + waiting
                + ": ask again for the same to wait for it, and see the members' logs");
      }
      pause();
    }
  }

  private Progress ask(Member member, String text) {
    try {
      return Progress.ofText(invoke(nodeEngine, new MapSettingsNotice(text), member.getAddress()));
    } catch (CompletionException | HazelcastException e) {
      LOG.debug("member {} did not answer to settings of a map", name(member), e);
      return Progress.UNDER_WAY;
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
    return member.getAddress().getHost() + ":" + member.getAddress().getPort();
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MapSettingsException(
          Kind.UNDER_WAY, "durability: interrupted while the change was under way");
    }
  }
}
