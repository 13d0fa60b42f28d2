package io.keyvalueserve.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The status of external stores, and dead letters, as people see them. */
class StoreLettersTest {
  private static final String STATUS =
      """
      {"tenant":"acme","map":"orders","store":"erp","table":"public.orders","mode":"write-behind",
       "waiting":12,"dead":1,"oldestSince":"2026-11-01T00:00:00Z","oldestSeconds":75,"loads":7,
       "loaded":20,"absent":2,"written":1000,"failures":3,"problem":"no route to host",
       "silent":["h:1"]}
      """;
  private static final String LETTERS =
      """
      {"letters":[
        {"number":"57-11","key":"ada","operation":"write","reason":"a check refuses it",
         "since":"2026-11-01T00:00:00Z","valueBytes":40},
        {"number":"3-7","operation":"delete","reason":"a foreign key refuses it",
         "since":"2026-11-01T00:00:01Z","valueBytes":0}],
       "total":5,"silent":[]}
      """;

  private static TestServer.Answer answer(HttpExchange exchange) {
    String path = exchange.getRequestURI().getPath();
    String body =
        path.endsWith("/store")
            ? STATUS
            : path.endsWith("/dead-letters") ? LETTERS : "{\"count\":2,\"silent\":[]}";
    return new TestServer.Answer(200, body);
  }

  private static TestRun run(List<String> asked, String... words) {
    try (TestServer server = new TestServer(StoreLettersTest::answer)) {
      List<String> all = new ArrayList<>(Arrays.asList(words));
      all.addAll(List.of("--url", server.url()));
      TestRun ran = TestRun.of(all.toArray(String[]::new));
      asked.addAll(server.asked());
      return ran;
    }
  }

  private static List<String> lines(TestRun ran) {
    return ran.out().lines().map(line -> line.strip().replaceAll(" {2,}", " | ")).toList();
  }

  @Test
  void showsTheStatus() {
    TestRun ran = run(new ArrayList<>(), "store", "status", "acme/orders");
    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(lines(ran))
        .containsExactly(
            "map | acme/orders",
            "store | erp, table public.orders, write-behind",
            "database | does not work: no route to host",
            "waiting | 12, the oldest for 75 s, since 2026-11-01T00:00:00Z",
            "dead letters | 1",
            "rows written | 1000",
            "rows loaded | 20, by 7 statements; 2 keys had none",
            "failures | 3");
    assertThat(ran.err()).contains("member h:1 gave no answer");
  }

  @Test
  void listsDeadLetters() {
    TestRun ran = run(new ArrayList<>(), "store", "dead", "list", "acme/orders");
    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(lines(ran))
        .containsExactly(
            "NUMBER | KEY | OPERATION | BYTES | SINCE | REASON",
            "57-11 | ada | write | 40 | 2026-11-01T00:00:00Z | a check refuses it",
            "3-7 | (of a type without a text) | delete | 0 | 2026-11-01T00:00:01Z |"
                + " a foreign key refuses it");
    assertThat(ran.err()).contains("3 more");
  }

  @Test
  void retriesAndDiscards() {
    List<String> asked = new ArrayList<>();
    TestRun retried = run(asked, "store", "dead", "retry", "acme/orders", "57-11", "3-7");
    assertThat(retried.out().strip())
        .isEqualTo("2 dead letters of acme/orders will be written once more");
    TestRun discarded = run(asked, "store", "dead", "discard", "acme/orders", "--all", "--yes");
    assertThat(discarded.out().strip()).isEqualTo("2 dead letters of acme/orders are discarded");
    assertThat(asked)
        .containsExactly(
            "POST /api/v1/tenants/acme/maps/orders/store/dead-letters/retry",
            "POST /api/v1/tenants/acme/maps/orders/store/dead-letters/discard");
  }

  @Test
  void discardsNothingUnlessThatIsMeant() {
    List<String> asked = new ArrayList<>();
    TestRun ran = run(asked, "store", "dead", "discard", "acme/orders", "--all");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("--yes");
    assertThat(asked).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "dead | which command?",
        "dead retry acme/orders | which? Give numbers, or --all",
        "dead discard acme/orders --all 57-1 | not both",
        "dead list orders | names no map",
        "status orders | names no map",
      })
  void saysWhatIsWrong(String command, String what) {
    List<String> words = new ArrayList<>(List.of("store"));
    words.addAll(List.of(command.split(" ", -1)));
    TestRun ran = TestRun.of(words.toArray(String[]::new));
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains(what);
  }
}
