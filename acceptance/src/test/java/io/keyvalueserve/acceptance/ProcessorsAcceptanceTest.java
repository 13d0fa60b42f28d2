package io.keyvalueserve.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

/**
 * Goal: event loops have the processors that an operator gives them to themselves. Method: what the
 * kernel says of every thread of a server that has answered.
 */
class ProcessorsAcceptanceTest {
  @Test
  void eventLoopsHaveTheirProcessorsToThemselves() throws IOException {
    assumeTrue(Runtime.getRuntime().availableProcessors() > 1);
    try (KvsProcess server = new KvsProcess("processors")) {
      server.launch("--resp-cpus", "0");
      server.awaitReady();
      Tenant tenant = server.admin().createTenant("acme");
      try (Jedis jedis = RedisDoor.jedis(server, tenant, "default")) {
        jedis.set("greeting", "hello");
        assertThat(jedis.get("greeting")).isEqualTo("hello");
      }
      // What an event loop begins is moved off at the next look.
      await().untilAsserted(() -> assertApart(threads(server)));
      assertThat(server.terminate()).as("exit code, see %s", server.tail()).isZero();
    }
  }

  private static void assertApart(List<String> threads) {
    assertThat(threads).filteredOn(line -> line.startsWith("resp-")).hasSize(1);
    assertThat(threads)
        .as("the JVM's own, too")
        .anyMatch(line -> line.startsWith("VM Thread"))
        .anyMatch(line -> line.startsWith("C1 Compiler"));
    for (String thread : threads) {
      boolean loop = thread.startsWith("resp-");
      assertThat(thread.endsWith(": 0")).as(thread).isEqualTo(loop);
      assertThat(thread.matches(".*: 0(,.*|-.*)?")).as(thread).isEqualTo(loop);
    }
  }

  @Test
  void saysWhatIsWrongAndWhatToDo() {
    try (KvsProcess server = new KvsProcess("processors-wrong")) {
      server.launch("--resp-cpus", "8000");
      assertThat(server.awaitExit()).isEqualTo(1);
      assertThat(server.tail())
          .contains("resp.cpus: processor 8000 is not there, or none that this process may use")
          .doesNotContain("at io.keyvalueserve");
    }
  }

  /** Each thread's name, a colon, and the processors that it may run on. */
  private static List<String> threads(KvsProcess server) throws IOException {
    try (Stream<Path> threads = Files.list(Path.of("/proc/" + server.pid() + "/task"))) {
      return threads
          .map(ProcessorsAcceptanceTest::describe)
          .filter(line -> !line.isEmpty())
          .toList();
    }
  }

  private static String describe(Path thread) {
    try {
      String name = Files.readString(thread.resolve("comm")).strip();
      return Files.readAllLines(thread.resolve("status")).stream()
          .filter(line -> line.startsWith("Cpus_allowed_list:"))
          .map(line -> name + ": " + line.split("\\s+", -1)[1])
          .findFirst()
          .orElse("");
    } catch (IOException e) {
      return ""; // it has ended
    }
  }
}
