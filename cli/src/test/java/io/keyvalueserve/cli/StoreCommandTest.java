package io.keyvalueserve.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** External stores, and tables behind maps, as people see them. */
class StoreCommandTest {
  private static final String STORE =
      """
      {"name":"erp","jdbcUrl":"jdbc:postgresql://db/erp","user":"kvs","hasPassword":true,
       "poolSize":10,"timeout":"5s","maps":["acme/orders"]}
      """;
  private static final String FACTS =
      "{\"name\":\"erp\",\"product\":\"PostgreSQL\",\"version\":\"17.2\",\"millis\":12}";
  private static final String BEHIND =
      """
      {"tenant":"acme","map":"orders","durability":"none","overMemory":"spill","chargedTo":"owner",
       "store":{"name":"erp","table":"public.orders","mode":"write-behind","keyColumn":"no",
        "valueColumns":[],"format":"json","batch":500,"delay":"1s","negativeTtl":"5s",
        "timeToLive":"10m","load":"lazy","mostWaiting":100000},"indexes":[],"pending":[]}
      """;
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Answers that belong to what is asked; remembers the last body. */
  private static final class Stores implements AutoCloseable {
    private final TestServer server;

    Stores(boolean isThere, boolean passes) {
      server =
          new TestServer(
              exchange -> {
                String path = exchange.getRequestURI().getPath();
                if (path.endsWith("/check")) {
                  return passes
                      ? new TestServer.Answer(200, FACTS)
                      : new TestServer.Answer(
                          502,
                          "{\"error\":{\"code\":\"store_unavailable\",\"message\":\"nobody answers"
                              + " at db\"}}");
                }
                if (path.endsWith("/stores")) {
                  return new TestServer.Answer(
                      200, "{\"stores\":[" + (isThere ? STORE : "") + "]}");
                }
                return new TestServer.Answer(200, path.contains("/maps/") ? BEHIND : STORE);
              });
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
  void createsAStoreAndChecksIt() {
    try (Stores stores = new Stores(false, true)) {
      TestRun ran = stores.run("store", "create", "erp", "--jdbc", "jdbc:postgresql://db/erp");
      assertThat(ran.code()).as(ran.err()).isZero();
      assertThat(ran.out().strip()).isEqualTo("store erp is set: PostgreSQL 17.2 answers in 12 ms");
      assertThat(stores.server.asked())
          .containsExactly(
              "GET /api/v1/stores", "PUT /api/v1/stores/erp", "POST /api/v1/stores/erp/check");
    }
  }

  @Test
  void aStoreThatIsThereIsReplacedIfThatIsSaid() {
    try (Stores stores = new Stores(true, true)) {
      TestRun refused = stores.run("store", "create", "erp", "--jdbc", "jdbc:postgresql://db/erp");
      assertThat(refused.code()).isEqualTo(1);
      assertThat(refused.err()).contains("there is a store erp already: --replace changes it");
      TestRun ran =
          stores.run(
              "store",
              "create",
              "erp",
              "--jdbc",
              "jdbc:postgresql://db/erp",
              "--replace",
              "--json");
      assertThat(ran.code()).as(ran.err()).isZero();
      assertThat(json(ran).at("/check/product").asText()).isEqualTo("PostgreSQL");
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
  void aStoreThatFailsItsCheckStays() {
    try (Stores stores = new Stores(false, false)) {
      TestRun ran = stores.run("store", "create", "erp", "--jdbc", "jdbc:postgresql://db/erp");
      assertThat(ran.code()).isEqualTo(1);
      assertThat(ran.err())
          .contains("store erp is set, but did not pass its check: nobody answers at db")
          .contains("kvs store check erp", "--replace");
      assertThat(lines(ran)).contains("database | jdbc:postgresql://db/erp");
      TestRun unchecked =
          stores.run("store", "create", "erp", "--jdbc", "jdbc:postgresql://db/erp", "--no-check");
      assertThat(unchecked.code()).isZero();
      TestRun checked = stores.run("store", "check", "erp");
      assertThat(checked.code()).isEqualTo(1);
      assertThat(checked.err()).contains("nobody answers at db");
    }
  }

  @Test
  void readsPasswordsFromFiles(@TempDir Path directory) throws IOException {
    Path empty = Files.writeString(directory.resolve("empty"), "\n");
    String[] create = {"store", "create", "erp", "--jdbc", "jdbc:postgresql://db/erp"};
    try (Stores stores = new Stores(false, true)) {
      Path file = Files.writeString(directory.resolve("password"), "pass word\n");
      TestRun ran =
          stores.run(
              create[0], create[1], create[2], create[3], create[4], "--password-file", "" + file);
      assertThat(ran.code()).as(ran.err()).isZero();
      assertThat(ran.out() + ran.err()).doesNotContain("pass word");
      for (Path wrong : List.of(empty, directory.resolve("none"))) {
        TestRun refused =
            stores.run(
                create[0],
                create[1],
                create[2],
                create[3],
                create[4],
                "--password-file",
                "" + wrong);
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.err()).contains(wrong.toString());
      }
    }
  }

  @Test
  void showsStores() {
    try (Stores stores = new Stores(true, true)) {
      assertThat(lines(stores.run("store", "list")))
          .containsExactly(
              "STORE | DATABASE | USER | PASSWORD | POOL | TIMEOUT | MAPS",
              "erp | jdbc:postgresql://db/erp | kvs | yes | 10 | 5s | 1");
      assertThat(lines(stores.run("store", "show", "erp")))
          .contains("password | yes, encrypted", "behind | acme/orders");
      assertThat(stores.run("store", "delete", "erp", "--yes").out().strip())
          .isEqualTo("store erp is deleted");
      assertThat(stores.run("store", "delete", "erp").err()).contains("--yes");
      assertThat(stores.run("names", "stores", "e", "--patience=60000").out().strip())
          .isEqualTo("erp");
    }
  }

  @Test
  void showsWhatIsBehindAMap() {
    try (Stores stores = new Stores(true, true)) {
      assertThat(lines(stores.run("map", "show", "acme/orders")))
          .contains(
              "store | erp, table public.orders, write-behind",
              "columns | key no, value all others as JSON",
              "loading | lazy, time to live 10m, absent keys are remembered for 5s",
              "writing | after 1s, 500 rows at once, up to 100000 may wait at a member");
      assertThat(
              stores.run("map", "configure", "acme/orders", "--store", "erp", "--table", "t").out())
          .contains("store: erp, table public.orders, write-behind");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--table t | name it with --store",
        "--batch 5 | name it with --store",
        "--store erp | which table of erp",
        "--store none --table t | --store none takes no other options",
        "--store erp --table t --refresh-ahead soon | is no percentage",
      })
  void saysWhatIsWrong(String options, String what) {
    List<String> words = new ArrayList<>(List.of("map", "configure", "acme/orders"));
    words.addAll(List.of(options.split(" ", -1)));
    TestRun ran = TestRun.of(words.toArray(String[]::new));
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains(what);
  }
}
