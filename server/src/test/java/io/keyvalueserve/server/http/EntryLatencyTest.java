package io.keyvalueserve.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import io.keyvalueserve.billing.metering.UsageBook;
import io.keyvalueserve.engine.Engine;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.TenantSpace;
import io.keyvalueserve.gates.TenantMeters;
import io.keyvalueserve.gates.admission.Admissions;
import io.keyvalueserve.gates.latency.Latencies;
import io.keyvalueserve.gates.policy.AccessAudit;
import io.keyvalueserve.gates.policy.TenantPolicy;
import io.keyvalueserve.tenancy.Door;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.SessionRegistry;
import io.keyvalueserve.tenancy.TenantDirectory;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.grant.GrantDirectory;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: what the engine takes is in the histogram of whoever asked over HTTP, by a clock of ours.
 */
class EntryLatencyTest {
  private static final Identity ACME = new Identity(new TenantName("acme"), 1, "k");

  private final AtomicLong nanos = new AtomicLong(5);
  private final TenantMeters meters = new TenantMeters(2);
  private final WebServer server = start();

  private WebServer start() {
    TenantDirectory directory = new TenantDirectory(false);
    TenantPolicy policy =
        new TenantPolicy(
            directory,
            new SessionRegistry(any -> true),
            meters,
            new UsageBook(UUID.randomUUID(), 0),
            new GrantDirectory(directory, InstantSource.system()),
            new Admissions(System::nanoTime),
            AccessAudit.NONE);
    HttpRouting.Builder routing =
        HttpRouting.builder()
            .any(
                "/*",
                (request, response) -> {
                  request.context().register(new Caller(ACME));
                  response.next();
                });
    EntryServices services =
        new EntryServices(slowEngine(), policy, InstantSource.system(), 1_000, nanos::get);
    new EntryRoutes(services).routes().forEach(route -> route.addTo(routing));
    HttpErrors.addTo(routing);
    return WebServer.builder()
        .address(InetAddress.getLoopbackAddress())
        .port(0)
        .shutdownHook(false)
        .addRouting(routing)
        .build()
        .start();
  }

  /** Every command takes 400 ms of the clock, and finds nothing. */
  private Engine slowEngine() {
    KeyMap map =
        fake(
            KeyMap.class,
            (proxy, method, arguments) -> {
              nanos.addAndGet(400_000_000);
              ((KeyMap.OutcomeSink) arguments[1]).accept(0, Outcome.Missing.MISSING);
              return null;
            });
    TenantSpace space = fake(TenantSpace.class, (proxy, method, arguments) -> map);
    return fake(Engine.class, (proxy, method, arguments) -> space);
  }

  private static <T> T fake(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  @AfterEach
  void stop() {
    server.stop();
  }

  private int get(String key) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      String path = "/api/v1/tenants/acme/maps/m/entries/" + key;
      URI uri = URI.create("http://127.0.0.1:" + server.port() + path);
      return client
          .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding())
          .statusCode();
    }
  }

  private Latencies latencies() {
    return meters.meter(ACME, Door.HTTP).latency().latencies();
  }

  @Test
  void aSlowEngineIsSeenInTheHistogram() throws Exception {
    for (String key : List.of("a", "b")) {
      assertThat(get(key)).isEqualTo(404);
    }
    await().until(() -> latencies().count() == 2);
    assertThat((double) latencies().percentileNanos(0.5))
        .isCloseTo(400e6, Percentage.withPercentage(6.25));
    assertThat(latencies().sumNanos()).isEqualTo(800_000_000);
  }
}
