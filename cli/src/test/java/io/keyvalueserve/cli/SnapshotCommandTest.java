package io.keyvalueserve.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Snapshots of tenants, as people see them. */
class SnapshotCommandTest {
  private static final String ID = "s-20300131t120000-abc234";
  private static final String JOB =
      """
      {"id":"j-1","kind":"KIND","state":"STATE","tenant":"acme","snapshot":"s-20300131t120000-abc234",
       "target":"copy","repository":"file:/b","member":"127.0.0.1:5801",
       "progress":{"entries":3,"ofEntries":6,"chunks":0,"ofChunks":0},"askedAt":"2030-01-31T12:00:00Z",
       "result":{"entries":3,"bytes":2048,"storedBytes":100,"newBytes":50,
       "takenAt":"2030-01-31T12:00:00.123Z"}END}
      """;
  private static final String SNAPSHOT =
      """
      {"id":"s-20300131t120000-abc234","keyId":"0b9c6a0e-5c3d-4a83-9d0d-0d6f3a2f8f11","tenant":"acme",
       "cluster":"kvs","takenAt":"2030-01-31T12:00:00.123Z","entries":3,"bytes":2048,"storedBytes":100,
       "newBytes":50,"repository":"file:/b","clockDifferenceMillis":2,
       "maps":[{"map":"orders","entries":3,"bytes":2048}]}
      """;
  private static final String KEY = "{\"id\":\"x\",\"key\":\"c2VjcmV0\",\"tenant\":\"acme\"}";
  private static final ObjectMapper JSON = new ObjectMapper();

  /** A server with one job, which has ended in some way when it was asked for a second time. */
  private static final class Jobs implements AutoCloseable {
    private final AtomicInteger asked = new AtomicInteger();
    private final TestServer server;

    Jobs(String kind, String end) {
      server =
          new TestServer(
              exchange -> {
                String path = exchange.getRequestURI().getPath();
                if (path.endsWith("/snapshot-jobs")) {
                  return new TestServer.Answer(
                      200, "{\"jobs\":[" + job(kind, "running", "") + "],\"silent\":[\"m2\"]}");
                }
                if (path.endsWith("/snapshot-key")) {
                  return new TestServer.Answer(200, KEY);
                }
                if (path.contains("/snapshot-jobs/")) {
                  boolean isOver = asked.incrementAndGet() > 1;
                  String problem = ",\"problem\":\"no space: free some\"";
                  return new TestServer.Answer(
                      200,
                      job(
                          kind,
                          isOver ? end : "running",
                          isOver && end.equals("failed") ? problem : ""));
                }
                if (exchange.getRequestMethod().equals("POST")) {
                  String made =
                      path.endsWith("/restore") || path.endsWith("/clone")
                          ? ",\"keyId\":\"k\",\"key\":\"kvs_k_secret\""
                          : "";
                  return new TestServer.Answer(202, job(kind, "waiting", made));
                }
                return new TestServer.Answer(
                    200,
                    path.endsWith("/snapshots") ? "{\"snapshots\":[" + SNAPSHOT + "]}" : SNAPSHOT);
              });
    }

    private static String job(String kind, String state, String end) {
      return JOB.replace("KIND", kind).replace("STATE", state).replace("END", end);
    }

    TestRun run(String... words) {
      List<String> all = new ArrayList<>(List.of(words));
      all.addAll(List.of("--url", server.url()));
      return TestRun.of(all.toArray(String[]::new));
    }

    @Override
    public void close() {
      server.close();
    }
  }

  private static List<String> lines(TestRun ran) {
    return ran.out().lines().map(line -> line.strip().replaceAll(" {2,}", " | ")).toList();
  }

  @Test
  void createWaitsForTheEnd() {
    try (Jobs jobs = new Jobs("create", "done")) {
      TestRun ran = jobs.run("snapshot", "create", "acme");
      assertThat(ran.code()).as(ran.err()).isZero();
      assertThat(ran.out().strip())
          .isEqualTo("snapshot " + ID + " of acme: 3 entries, 2 KiB, 50 B new in the repository");
      assertThat(jobs.server.asked())
          .containsExactly(
              "POST /api/v1/tenants/acme/snapshots",
              "GET /api/v1/snapshot-jobs/j-1",
              "GET /api/v1/snapshot-jobs/j-1");
    }
  }

  @Test
  void withoutWaitingTheJobIsNamed() {
    try (Jobs jobs = new Jobs("create", "done")) {
      TestRun ran = jobs.run("snapshot", "create", "acme", "--no-wait", "--to", "file:/b");
      assertThat(ran.out().strip()).isEqualTo("job j-1 is begun: see 'kvs snapshot jobs j-1'");
      assertThat(jobs.server.asked()).hasSize(1);
      JsonNode json = json(jobs.run("snapshot", "create", "acme", "--no-wait", "--json"));
      assertThat(json.path("id").asText()).isEqualTo("j-1");
    }
  }

  private static JsonNode json(TestRun ran) {
    try {
      return JSON.readTree(ran.out());
    } catch (IOException e) {
      throw new AssertionError(ran.out(), e);
    }
  }

  @Test
  void aJobThatFailsEndsWithOneAndTheProblem() {
    for (String[] words :
        List.of(
            new String[] {"snapshot", "create", "acme"},
            new String[] {"snapshot", "verify", "acme", ID},
            new String[] {"snapshot", "clone", "acme", "copy"})) {
      try (Jobs jobs = new Jobs(words[1], "failed")) {
        TestRun ran = jobs.run(words);
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err()).contains("no space: free some").doesNotContain("\tat ");
      }
    }
  }

  @Test
  void theKeyOfANewTenantIsPrintedOnce() {
    try (Jobs jobs = new Jobs("restore", "done")) {
      TestRun ran = jobs.run("snapshot", "restore", "acme", ID, "--as", "copy");
      assertThat(ran.code()).as(ran.err()).isZero();
      assertThat(lines(ran))
          .contains(
              "access key | kvs_k_secret",
              "tenant copy has 3 entries of snapshot " + ID + ", as of 2030-01-31T12:00:00.123Z");
      JsonNode json = json(jobs.run("snapshot", "clone", "acme", "copy", "--json"));
      assertThat(json.path("key").asText()).isEqualTo("kvs_k_secret");
      assertThat(json.path("state").asText()).isEqualTo("done");
    }
  }

  @Test
  void showsSnapshotsAndJobs() {
    try (Jobs jobs = new Jobs("restore", "done")) {
      assertThat(lines(jobs.run("snapshot", "list", "acme", "--from", "file:/b")))
          .containsExactly(
              "SNAPSHOT | TAKEN AT | ENTRIES | BYTES | STORED | DAMAGE",
              ID + " | 2030-01-31T12:00:00.123Z | 3 | 2 KiB | 100 B | -");
      assertThat(lines(jobs.run("snapshot", "show", "acme", ID)))
          .contains(
              "taken at | 2030-01-31T12:00:00.123Z, exact to 2 ms",
              "map | orders: 3 entries, 2 KiB");
      TestRun all = jobs.run("snapshot", "jobs");
      assertThat(lines(all))
          .contains("j-1 | restore | acme | copy | running | 3 | 2030-01-31T12:00:00Z | -");
      assertThat(all.err()).contains("member m2 gave no answer");
      assertThat(lines(jobs.run("snapshot", "jobs", "j-1")))
          .contains("progress | 3 of 6 entries", "target | copy");
      assertThat(jobs.run("snapshot", "delete", "acme", ID).err()).contains("--yes");
      assertThat(jobs.run("snapshot", "delete", "acme", ID, "--yes").out().strip())
          .isEqualTo("snapshot " + ID + " is deleted");
    }
  }

  @Test
  void anInstantIsRestored() {
    try (Jobs jobs = new Jobs("restore", "done")) {
      String at = "2030-01-31T14:03:07Z";
      TestRun ran = jobs.run("snapshot", "restore", "acme", "--at", at, "--as", "copy");
      assertThat(ran.code()).as(ran.err()).isZero();
      assertThat(jobs.server.asked()).first().isEqualTo("POST /api/v1/tenants/acme/restore");
    }
  }

  @Test
  void plansAreSetAndShown() {
    String plan =
        """
        {"tenant":"acme","repository":"file:/b","every":"1h","keep":"7d","archive":true,
         "archivedUntil":"2030-01-31T14:03:07.250Z"}
        """;
    try (TestServer server = new TestServer(exchange -> new TestServer.Answer(200, plan))) {
      String path = "/api/v1/tenants/acme/snapshot-plan";
      String[] set = {"snapshot", "plan", "set", "acme", "--every", "1h", "--keep", "7d"};
      List<String> words = new ArrayList<>(List.of(set));
      words.addAll(List.of("--archive", "--url", server.url()));
      assertThat(TestRun.of(words.toArray(String[]::new)).out().strip())
          .isEqualTo(
              "snapshots of acme are taken every 1h and kept for 7d; all changes are archived");
      assertThat(lines(TestRun.of("snapshot", "plan", "show", "acme", "--url", server.url())))
          .contains(
              "every | 1h",
              "keep | 7d",
              "archived until | 2030-01-31T14:03:07.250Z",
              "problem | -");
      assertThat(
              TestRun.of("snapshot", "plan", "delete", "acme", "--url", server.url()).out().strip())
          .isEqualTo("the plan of acme is deleted");
      assertThat(server.asked()).containsExactly("PUT " + path, "GET " + path, "DELETE " + path);
    }
  }

  @Test
  void aKeyIsWrittenForItsOwnerAlone(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("acme.key.json");
    try (Jobs jobs = new Jobs("restore", "done")) {
      TestRun ran = jobs.run("snapshot", "key", "acme", "--out", file.toString());
      assertThat(ran.code()).as(ran.err()).isZero();
      assertThat(ran.out() + ran.err()).doesNotContain("c2VjcmV0");
      assertThat(JSON.readTree(Files.readString(file))).isEqualTo(JSON.readTree(KEY));
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
      int before = jobs.server.asked().size();
      TestRun again = jobs.run("snapshot", "key", "acme", "--out", file.toString());
      assertThat(again.err()).contains("is there already");
      assertThat(jobs.server.asked()).as("nobody was told the key").hasSize(before);
      assertThat(
              jobs.run("snapshot", "restore", "acme", ID, "--as", "x", "--snapshot-key", "" + file)
                  .code())
          .isZero();
      Path wrong = Files.writeString(directory.resolve("wrong"), "no key");
      assertThat(
              jobs.run("snapshot", "restore", "acme", ID, "--as", "x", "--snapshot-key", "" + wrong)
                  .err())
          .contains("has no key of snapshots");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "restore acme s | --as",
        "restore acme --as t | Name a snapshot, or an instant with --at",
        "restore acme s --at 2030-01-31T14:03:07Z --as t | not both",
        "plan | which command?",
        "plan set acme --keep 7d | --every",
        "restore acme s --into t | say --replace",
        "restore acme s --as t --replace | --replace is for --into",
        "restore acme s --as t --into u --replace | mutually exclusive",
        "key acme | --out",
      })
  void saysWhatIsWrong(String options, String what) {
    List<String> words = new ArrayList<>(List.of("snapshot"));
    words.addAll(List.of(options.split(" ", -1)));
    TestRun ran = TestRun.of(words.toArray(String[]::new));
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains(what);
  }
}
