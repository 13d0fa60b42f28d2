package io.keyvalueserve.grid.door;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import io.keyvalueserve.grid.restart.Durability;
import io.keyvalueserve.grid.restart.RestartConfig;
import io.keyvalueserve.grid.restart.RestartPolicy;
import io.keyvalueserve.grid.restart.WhileLoading;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Members that come back together, each from what its disk was at some moment: a directory that is
 * copied while its member runs is what a crash would have left.
 */
final class RestartedClusterTest {
  private static final int KEYS = 400;

  @TempDir private Path root;

  private final List<Integer> ports = List.of(freePort(), freePort());

  /** A crash may leave the backup's disk with less than the owner's. */
  @Test
  void aBackupThatIsBehindItsOwnerIsMadeAnew() throws IOException {
    try (Cluster cluster = new Cluster("first", RestartPolicy.FULL)) {
      cluster.write("old");
      copy("first-1", "second-1");
      cluster.write("new");
      copy("first-0", "second-0");
    }
    List<Integer> renewed;
    try (Cluster cluster = new Cluster("second", RestartPolicy.FULL)) {
      renewed = cluster.keysWith("new"); // of those that the first member owns
      assertThat(renewed).hasSizeBetween(1, KEYS - 1);
      cluster.awaitSafe();
      copy("second-1", "third-1");
    }
    try (DoorMember alone = member(root.resolve("third-1"), 1, RestartPolicy.PARTIAL)) {
      assertThat(keysWith(alone, "new")).isEqualTo(renewed);
    }
  }

  private DoorMember member(Path directory, int number, RestartPolicy policy) {
    RestartConfig config =
        new RestartConfig(
            directory,
            Durability.ALWAYS,
            policy,
            Duration.ofSeconds(1),
            4 << 20,
            WhileLoading.WAIT,
            map -> false);
    List<String> join = ports.stream().map(port -> "127.0.0.1:" + port).toList();
    return new DoorMember(config, ports.get(number), join);
  }

  private static List<Integer> keysWith(DoorMember member, String value) {
    HazelcastInstance client = member.client("acme");
    try {
      IMap<Integer, String> map = client.getMap("orders");
      List<Integer> keys = new ArrayList<>();
      for (int key = 0; key < KEYS; key++) {
        if (Objects.equals(map.get(key), value)) {
          keys.add(key);
        }
      }
      return keys;
    } finally {
      client.shutdown();
    }
  }

  private void copy(String from, String to) throws IOException {
    Path source = root.resolve(from);
    try (Stream<Path> files = Files.walk(source)) {
      for (Path file : files.toList()) {
        Files.copy(file, root.resolve(to).resolve(source.relativize(file)));
      }
    }
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Two members, started at the same time. */
  private final class Cluster implements AutoCloseable {
    private final List<DoorMember> members;

    Cluster(String name, RestartPolicy policy) {
      CompletableFuture<DoorMember> other =
          CompletableFuture.supplyAsync(() -> member(root.resolve(name + "-1"), 1, policy));
      DoorMember first = member(root.resolve(name + "-0"), 0, policy);
      members = List.of(first, other.join());
      await().until(() -> first.member.members().size() == 2);
      awaitSafe();
    }

    void awaitSafe() {
      await().atMost(Duration.ofMinutes(1)).until(() -> members.getFirst().member.isSafe());
    }

    void write(String value) {
      HazelcastInstance client = members.getFirst().client("acme");
      IMap<Integer, String> map = client.getMap("orders");
      for (int key = 0; key < KEYS; key++) {
        map.set(key, value);
      }
      client.shutdown();
    }

    List<Integer> keysWith(String value) {
      return RestartedClusterTest.keysWith(members.getFirst(), value);
    }

    @Override
    public void close() {
      members.forEach(DoorMember::close);
    }
  }
}
