package io.keyvalueserve.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import io.keyvalueserve.grid.restart.Durability;
import io.keyvalueserve.grid.settings.GridMapSettings;
import io.keyvalueserve.grid.settings.KeepingChange;
import io.keyvalueserve.grid.settings.MapSettingsException;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.Persistence;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a member that joins has maps as durable as they are set to be, whenever that changes.
 * Method: what it writes is looked for in its log.
 */
final class JoinerDurabilityTest {
  private static final String TENANT = "acme";
  private static final QualifiedName ORDERS =
      new QualifiedName(new TenantName(TENANT), new MapName("orders"));
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir private Path first;
  @TempDir private Path second;

  private static DoorMember start(Path directory, DoorMember... others) {
    return new DoorMember(
        Restarts.in(directory, Durability.NONE),
        Stream.of(others).map(other -> "127.0.0.1:" + other.member.memberPort()).toList());
  }

  private static void fill(DoorMember member, String value) {
    HazelcastInstance client = member.client(TENANT);
    IMap<String, String> map = client.getMap("orders");
    for (int i = 0; i < 1_000; i++) {
      map.set("key-" + i, value);
    }
    client.shutdown();
  }

  private static boolean logHas(Path directory, String text) throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve("log"))) {
      List<Path> all = files.filter(Files::isRegularFile).toList();
      for (Path file : all) {
        if (new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(text)) {
          return true;
        }
      }
      return false;
    }
  }

  /** Also for maps that come later, and for which nothing is set. */
  @Test
  void whoJoinsKeepsMapsByTheWordOfTheirTenant() throws Exception {
    try (DoorMember founder = start(first)) {
      var _ = founder.member.mapSettings().keepAll(ORDERS.tenant(), Persistence.DURABLE, PATIENCE);
      try (DoorMember joiner = start(second, founder)) {
        await().atMost(PATIENCE).until(founder.member::isSafe);
        fill(joiner, "written later");
        assertThat(logHas(first, "written later")).isTrue();
        assertThat(logHas(second, "written later")).isTrue();
        assertThat(joiner.member.mapSettings().keptAs(ORDERS)).isEqualTo(Persistence.DURABLE);
      }
    }
  }

  @Test
  void whatChangesWhileAMemberJoinsHoldsThereToo() throws Exception {
    try (DoorMember founder = start(first)) {
      fill(founder, "written before");
      GridMapSettings settings = founder.member.mapSettings();
      CompletableFuture<DoorMember> joining;
      try (HeldPartition _ = HeldPartition.of(founder)) {
        assertThatThrownBy(
                () ->
                    settings.keep(
                        ORDERS,
                        KeepingChange.NOTHING.durability(Durability.ALWAYS),
                        Duration.ofMillis(300)))
            .isInstanceOf(MapSettingsException.class);
        joining = CompletableFuture.supplyAsync(() -> start(second, founder));
        await().until(() -> founder.member.members().size() == 2 || joining.isDone());
      }
      try (DoorMember joiner = joining.join()) {
        var _ =
            settings.keep(ORDERS, KeepingChange.NOTHING.durability(Durability.ALWAYS), PATIENCE);
        for (DoorMember member : List.of(founder, joiner)) {
          GridMapSettings told = member.member.mapSettings();
          assertThat(told.of(ORDERS).durability()).isEqualTo(Durability.ALWAYS);
          assertThat(told.pending(told.of(ORDERS))).isEmpty();
        }
        await().atMost(PATIENCE).until(founder.member::isSafe);
        assertThat(logHas(first, "written before")).isTrue();
        assertThat(logHas(second, "written before")).isTrue();
        fill(joiner, "written behind");
        assertThat(logHas(second, "written behind")).isTrue();
      }
    }
  }

  @Test
  void whatIsSetAlreadyHoldsForWhoJoins() throws Exception {
    try (DoorMember founder = start(first)) {
      var _ =
          founder
              .member
              .mapSettings()
              .keep(ORDERS, KeepingChange.NOTHING.durability(Durability.ALWAYS), PATIENCE);
      fill(founder, "written before");
      try (DoorMember joiner = start(second, founder)) {
        await().atMost(PATIENCE).until(founder.member::isSafe);
        assertThat(logHas(second, "written before")).isTrue();
        fill(joiner, "written behind");
        assertThat(logHas(first, "written behind")).isTrue();
        assertThat(logHas(second, "written behind")).isTrue();
      }
    }
  }

  @Test
  void whatIsSetWhileAMemberIsDownHoldsWhenItIsBack() throws Exception {
    try (DoorMember founder = start(first)) {
      GridMapSettings settings = founder.member.mapSettings();
      try (DoorMember joiner = start(second, founder)) {
        var _ =
            settings.keep(ORDERS, KeepingChange.NOTHING.durability(Durability.ALWAYS), PATIENCE);
        fill(joiner, "written before");
        await().atMost(PATIENCE).until(founder.member::isSafe);
      }
      var _ = settings.keep(ORDERS, KeepingChange.NOTHING.durability(Durability.NONE), PATIENCE);
      try (DoorMember joiner = start(second, founder)) {
        GridMapSettings told = joiner.member.mapSettings();
        assertThat(told.of(ORDERS).durability()).isEqualTo(Durability.NONE);
        assertThat(told.pending(told.of(ORDERS))).isEmpty();
        await().atMost(PATIENCE).until(founder.member::isSafe);
        assertThat(logHas(second, "written before")).isFalse();
      }
    }
  }
}
