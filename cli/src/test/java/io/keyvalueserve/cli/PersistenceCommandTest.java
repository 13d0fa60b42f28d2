package io.keyvalueserve.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How maps are kept, and the consent of tenants, as people see them. */
class PersistenceCommandTest {
  private static final String MAP =
      """
      {"tenant":"acme","map":"orders","durability":"everysec","durabilityIsDefault":false,
       "overMemory":"spill","overMemoryIsDefault":false,"persistence":"consented",
       "persistenceFrom":"tenant","persistenceDoes":"the restart log has it within a second",
       "consent":{"state":"given","at":"2026-11-30T10:00:00Z","key":"AbCdEfGhIj","for":"tenant"},
       "chargedTo":"owner","chargedToIsDefault":true,"indexes":[],"pending":[PENDING]}
      """;

  private static String map(String pending) {
    return MAP.replace("PENDING", pending);
  }

  private static TestRun run(TestServer server, String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--url", server.url()));
    return TestRun.of(all.toArray(String[]::new));
  }

  @Test
  void showsHowAMapIsKeptAndWhoHasConsented() {
    try (TestServer server = TestServer.saying(map(""))) {
      assertThat(run(server, "map", "show", "acme/orders").out())
          .containsPattern("persistence +consented \\(of the tenant\\)")
          .containsPattern("does +the restart log has it within a second")
          .containsPattern(
              "consent +given at 2026-11-30T10:00:00Z with key AbCdEfGhIj for all maps");
    }
  }

  @Test
  void waitsUntilConsentHoldsOnAllMembers() {
    AtomicInteger asked = new AtomicInteger();
    try (TestServer server =
        new TestServer(
            exchange ->
                asked.getAndIncrement() == 0
                    ? new TestServer.Answer(202, map("{\"member\":\"b:5801\"}"))
                    : new TestServer.Answer(200, map("")))) {
      TestRun ran = run(server, "map", "consent", "acme/orders");
      assertThat(ran.code()).as(ran.err()).isZero();
      assertThat(ran.err()).contains("under way on b:5801");
      assertThat(ran.out().strip()).isEqualTo("consent for map acme/orders is given");
      String path = "/api/v1/tenants/acme/maps/orders/consent";
      assertThat(server.asked()).containsExactly("PUT " + path, "PUT " + path);
    }
  }

  @Test
  void consentForAllMapsNamesTheTenantAlone() {
    String tenant =
        "{\"tenant\":\"acme\",\"persistence\":\"default\",\"consent\":{\"state\":\"withdrawn\"},"
            + "\"pending\":[]}";
    try (TestServer server = TestServer.saying(tenant)) {
      TestRun ran = run(server, "map", "consent", "acme", "--all", "--withdraw");
      assertThat(ran.out()).startsWith("consent for all maps of tenant acme is withdrawn");
      assertThat(server.asked()).containsExactly("DELETE /api/v1/tenants/acme/consent");
      assertThat(run(server, "map", "consent", "acme", "--all").out())
          .contains("is given; it matters where the persistence is 'consented'");
      TestRun wrong = run(server, "map", "consent", "acme/orders", "--all");
      assertThat(wrong.code()).isEqualTo(2);
      assertThat(wrong.err()).contains("name the tenant alone");
      assertThat(run(server, "map", "consent", "acme").code()).isEqualTo(2);
    }
  }

  @Test
  void saysWhyAnOperatorCannotConsent() {
    String refusal =
        "{\"error\":{\"code\":\"forbidden\",\"message\":\"an operator cannot consent\"}}";
    try (TestServer server = new TestServer(exchange -> new TestServer.Answer(403, refusal))) {
      TestRun ran = run(server, "map", "consent", "acme/orders");
      assertThat(ran.code()).isEqualTo(1);
      assertThat(ran.err()).contains("an operator cannot consent");
    }
  }
}
