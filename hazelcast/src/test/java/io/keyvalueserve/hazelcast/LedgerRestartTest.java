package io.keyvalueserve.hazelcast;

import static io.keyvalueserve.grid.ledger.LedgerUse.ACME;
import static io.keyvalueserve.grid.ledger.LedgerUse.ACMES;
import static io.keyvalueserve.grid.ledger.LedgerUse.checked;
import static io.keyvalueserve.grid.ledger.LedgerUse.flush;
import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.HazelcastInstance;
import io.keyvalueserve.billing.metering.UsageEvent;
import io.keyvalueserve.grid.restart.Durability;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ledgers of a member that comes back from its own disk. */
final class LedgerRestartTest {
  @TempDir private Path directory;

  @Test
  void whatWasPostedIsThereAgainAndIsKnown() throws Exception {
    List<UsageEvent> all = new ArrayList<>();
    for (int life = 0; life < 3; life++) {
      try (DoorMember member = new DoorMember(Restarts.in(directory, Durability.NONE))) {
        assertThat(checked(member.member.ledger(), ACME, ACMES))
            .containsExactlyInAnyOrderElementsOf(acmes(all));
        assertThat(member.member.ledger().post(all).taken()).isZero();
        for (int interval = 0; interval < 60; interval++) {
          List<UsageEvent> events = flush(1, life, interval, 3);
          assertThat(member.member.ledger().post(events).taken()).isEqualTo(6);
          all.addAll(events);
        }
      }
    }
  }

  /** What was told before the crash is there; the rest is told again, and is there once. */
  @Test
  void aCrashLosesNothingThatWasToldAndDoublesNothing() throws Exception {
    Path first = directory.resolve("first");
    Path crashed = directory.resolve("crashed");
    List<UsageEvent> before = new ArrayList<>();
    List<UsageEvent> all = new ArrayList<>();
    try (DoorMember member = new DoorMember(Restarts.in(first, Durability.NONE))) {
      for (int interval = 0; interval < 150; interval++) {
        List<UsageEvent> events = flush(1, 0, interval, 3);
        assertThat(member.member.ledger().post(events).isComplete()).isTrue();
        all.addAll(events);
        if (interval == 100) {
          before.addAll(all);
          Restarts.copy(first, crashed);
        }
      }
    }
    try (DoorMember member = new DoorMember(Restarts.in(crashed, Durability.NONE))) {
      assertThat(checked(member.member.ledger(), ACME, ACMES)).isEqualTo(acmes(before));
      assertThat(member.member.ledger().post(all).taken()).isEqualTo(all.size() - before.size());
      assertThat(checked(member.member.ledger(), ACME, ACMES)).isEqualTo(acmes(all));
    }
  }

  private static List<UsageEvent> acmes(List<UsageEvent> all) {
    return all.stream().filter(event -> event.identity().tenant().equals(ACME)).toList();
  }

  @Test
  void isClosedToTenants() {
    try (DoorMember member = new DoorMember()) {
      assertThat(member.member.ledger().post(flush(1, 0, 0, 1)).taken()).isEqualTo(2);
      HazelcastInstance client = member.client("acme");
      assertThat(client.getMap("__kvs.ledger").size()).isZero();
      assertThat(client.getDistributedObjects())
          .noneMatch(object -> object.getName().equals("7/last"));
      client.shutdown();
    }
  }
}
