package io.keyvalueserve.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Goal: a tenant learns whom it waits for. Method: two tenants ask one process all they can. */
@ExtendWith(SharedServer.class)
class FairnessAcceptanceTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final KvsProcess server;
  private final Tenant many;
  private final Tenant few;

  FairnessAcceptanceTest(KvsProcess server) {
    this.server = server;
    this.many = server.admin().createTenant("fair-many");
    this.few = server.admin().createTenant("fair-few");
  }

  @Test
  void theServerSaysWhoWaitsForWhom() {
    try (LimitedLoad aggressor = new LimitedLoad(many, Collections.nCopies(8, server));
        LimitedLoad victim = new LimitedLoad(few, Collections.nCopies(2, server))) {
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                JsonNode waiting = of(few);
                assertThat(waiting.path("operationsPerSecond").asLong()).isPositive();
                assertThat(waiting.path("waitedMillisPerSecond").asDouble()).isPositive();
                assertThat(waiting.path("longestWaitMillis").asDouble()).isPositive();
                assertThat(waiting.at("/behindMillisPerSecond/fair-many").asDouble()).isPositive();
              });
      assertThat(aggressor.served()).isPositive();
      assertThat(victim.served()).isPositive();
      assertThat(victim.throttled()).isZero();
    }
  }

  private JsonNode of(Tenant tenant) {
    for (JsonNode each : server.admin().top()) {
      if (each.path("tenant").asText().equals(tenant.name())) {
        return each;
      }
    }
    throw new AssertionError("no such tenant: " + tenant);
  }
}
