package io.keyvalueserve.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import io.keyvalueserve.grid.restart.Durability;
import io.keyvalueserve.journal.FileDisk;
import io.keyvalueserve.journal.InspectionProgress;
import io.keyvalueserve.journal.Journal;
import io.keyvalueserve.journal.JournalContents.MapFigures;
import io.keyvalueserve.journal.JournalInspection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: what a map's entries write to the log is counted once, exactly, where they are owned.
 * Method: entries of one length, whose count is compared with what the log's own inspection finds.
 */
final class LoggedBytesTest {
  private static final int ENTRIES = 2_000;

  @TempDir private Path directory;

  private static void fill(IMap<String, String> map) {
    for (int i = 0; i < ENTRIES; i++) {
      map.set("key-%05d".formatted(i), "a value of a tenant");
    }
  }

  private static long logged(DoorMember... members) {
    return Stream.of(members)
        .mapToLong(member -> member.member.loggedBytes().getOrDefault("acme/orders", 0L))
        .sum();
  }

  /** What the log has of the map when no member uses it. */
  private static MapFigures inLog(Path of) throws IOException {
    return JournalInspection.verify(FileDisk.at(of.resolve("log")), InspectionProgress.NONE)
        .maps()
        .stream()
        .filter(map -> map.name().equals("acme/orders"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void whatIsCountedIsWhatWasAppended() throws IOException {
    long once;
    try (DoorMember member = new DoorMember(Restarts.in(directory, Durability.EVERYSEC))) {
      HazelcastInstance client = member.client("acme");
      IMap<String, String> orders = client.getMap("orders");
      fill(orders);
      once = logged(member);
      fill(orders);
      assertThat(logged(member)).as("written over").isEqualTo(2 * once);
      client.shutdown();
    }
    MapFigures found = inLog(directory);
    assertThat(found.records()).isEqualTo(ENTRIES);
    assertThat(found.payloadBytes() % ENTRIES).isZero();
    assertThat(once).isEqualTo(ENTRIES * Journal.bytesOf((int) (found.payloadBytes() / ENTRIES)));
  }

  @Test
  void removalsCountAndStartingAgainDoesNot() {
    try (DoorMember member = new DoorMember(Restarts.in(directory, Durability.EVERYSEC))) {
      HazelcastInstance client = member.client("acme");
      IMap<String, String> orders = client.getMap("orders");
      fill(orders);
      long before = logged(member);
      for (int i = 0; i < 100; i++) {
        orders.delete("key-%05d".formatted(i));
      }
      assertThat(logged(member) - before).isEqualTo(100 * Journal.bytesOf("key-00000".length()));
      client.shutdown();
    }
    try (DoorMember member = new DoorMember(Restarts.in(directory, Durability.EVERYSEC))) {
      HazelcastInstance client = member.client("acme");
      assertThat(client.getMap("orders").size()).isEqualTo(ENTRIES - 100);
      assertThat(logged(member)).isZero();
      client.shutdown();
    }
  }

  @Test
  void backupsAndMovedPartitionsDoNotCount() throws IOException {
    Path first = Files.createDirectory(directory.resolve("1"));
    Path second = Files.createDirectory(directory.resolve("2"));
    try (DoorMember one = new DoorMember(Restarts.in(first, Durability.EVERYSEC))) {
      HazelcastInstance client = one.client("acme");
      IMap<String, String> orders = client.getMap("orders");
      fill(orders);
      long once = logged(one);
      String address = "127.0.0.1:" + one.member.memberPort();
      try (DoorMember two =
          new DoorMember(Restarts.in(second, Durability.EVERYSEC), List.of(address))) {
        await().until(() -> one.member.members().size() == 2);
        await().until(() -> one.member.isSafe() && one.member.partitionsByOwner().size() == 2);
        assertThat(logged(one, two)).as("moved").isEqualTo(once);
        fill(orders);
        assertThat(logged(one, two)).as("with a backup each").isEqualTo(2 * once);
        assertThat(logged(two)).isPositive();
        client.shutdown();
      }
    }
  }
}
