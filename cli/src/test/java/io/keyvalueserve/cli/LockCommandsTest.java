package io.keyvalueserve.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Locks and transactions as people see them. */
class LockCommandsTest {
  private static final String LOCKS =
      """
      {"locks":[
        {"key":"user:1","holder":"acme","client":"hazelcast","purpose":"lock",
         "transactional":false,"since":"2026-11-01T00:00:00Z","remainingMillis":5000,
         "session":"127.0.0.1:1 (app)"},
        {"key":"user:2","holder":"acme","client":"member","purpose":"multi","transactional":true,
         "since":"2026-11-01T00:00:01Z","transaction":"id/7","end":"aborted"}],
       "silent":[]}
      """;

  private static TestRun run(String answer, String... words) throws IOException {
    try (TestServer server = new TestServer(exchange -> new TestServer.Answer(200, answer))) {
      String[] all = Arrays.copyOf(words, words.length + 2);
      all[words.length] = "--url";
      all[words.length + 1] = server.url();
      return TestRun.of(all);
    }
  }

  @Test
  void saysWhoHoldsEachLockAndWhatFor() throws IOException {
    TestRun ran = run(LOCKS, "map", "locks", "acme/orders");
    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.out().lines().map(line -> line.strip().replaceAll(" {2,}", " | ")))
        .containsExactly(
            "KEY | HOLDER | FOR | SINCE | ENDS | BY",
            "user:1 | acme | lock of a client | 2026-11-01T00:00:00Z | in 5000 ms |"
                + " 127.0.0.1:1 (app)",
            "user:2 | acme | MULTI | 2026-11-01T00:00:01Z | with the transaction | id/7");
  }

  @Test
  void saysWhatBecameOfTheTransaction() throws IOException {
    String one = LOCKS.replaceFirst("(?s)\\{\"key\":\"user:1\".*?\\},", "");
    TestRun ran = run(one, "map", "unlock", "acme/orders", "user:2");
    assertThat(ran.out().strip())
        .isEqualTo(
            "key user:2 of acme/orders is unlocked; it was held by MULTI of acme, transaction id/7,"
                + " which was aborted");
    TestRun done =
        run(one.replace("aborted", "committed"), "map", "unlock", "acme/orders", "user:2");
    assertThat(done.out()).contains("which was decided already and is carried out");
  }

  @Test
  void runsTransactionsFromFiles(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("t.json"), "{\"operations\":[]}");
    String answer =
        "{\"committed\":true,\"results\":[{\"status\":204},{\"status\":200,\"value\":\"98\"}]}";
    TestRun ran = run(answer, "transaction", "run", "acme", file.toString());
    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.out().lines().map(line -> line.strip().replaceAll(" {2,}", " | ")))
        .contains("0 | 204", "1 | 200 | 98");
  }
}
