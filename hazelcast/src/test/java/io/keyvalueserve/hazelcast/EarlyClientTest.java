package io.keyvalueserve.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.core.HazelcastInstance;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client that comes before the member knows its tenants. */
@Timeout(60)
final class EarlyClientTest {
  @Test
  void triesAgainAndIsLetIn() {
    try (DoorMember member = new DoorMember()) {
      member.knowTenants(false);
      CompletableFuture<HazelcastInstance> early =
          CompletableFuture.supplyAsync(() -> member.client("acme"));
      await().until(() -> member.askedTooEarly() > 0);
      assertThat(early).isNotDone();
      member.knowTenants(true);
      HazelcastInstance client = early.join();
      client.getMap("orders").set("key", "value");
      client.shutdown();
    }
  }
}
