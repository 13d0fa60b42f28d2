package io.keyvalueserve.server;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyvalueserve.billing.spending.Hook;
import io.keyvalueserve.billing.spending.SpendLimit;
import io.keyvalueserve.billing.spending.SpendWarning;
import io.keyvalueserve.billing.spending.TenantCap;
import io.keyvalueserve.server.config.WebhookRule;
import io.keyvalueserve.tenancy.TenantName;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.BiConsumer;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells warnings to those who want to hear of them: a POST of a CloudEvents 1.0 event in JSON, with
 * an id that stays the same. Any answer of 200 to 299 takes it; else it is tried again, later each
 * time, for a day. Redirects are not followed, and of an answer only its status is read.
 *
 * <p>The header {@code Kvs-Signature} is {@code t=SECONDS,v1=HEX}: the HMAC-SHA256 (RFC 2104) of
 * the seconds since 1970, a dot and the body, by the hook's secret.
 *
 * <p>{@link #offer} and {@link #retain} are for one thread and do not wait; each attempt has a
 * virtual thread of its own, 64 at a time.
 */
final class Webhooks implements AutoCloseable {
  /** The header that tells the signature. */
  static final String SIGNATURE = "Kvs-Signature";

  private static final Logger LOG = LoggerFactory.getLogger(Webhooks.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration ANSWER = Duration.ofSeconds(10);
  private static final long FIRST_PAUSE_MILLIS = 1_000;
  private static final long LONGEST_PAUSE_MILLIS = 600_000;
  private static final long PATIENCE_MILLIS = 24 * 3_600_000L;
  private static final int MOST_AT_ONCE = 64;
  private static final int MOST_DOUBLINGS = 10;
  private static final String HMAC = "HmacSHA256";

  private final InstantSource clock;
  private final WebhookRule rule;
  private final BiConsumer<TenantName, String> told;
  private final Map<String, Delivery> deliveries = new ConcurrentHashMap<>();
  private final Semaphore room = new Semaphore(MOST_AT_ONCE);
  private @Nullable HttpClient client;

  /** The attempts to send a warning, and the time of the next one. */
  private static final class Delivery {
    int attempts;
    volatile long nextMillis;
    volatile boolean isUnderWay;
    volatile boolean isOver;
  }

  /**
   * @param rule which hooks may be called
   * @param told is told the tenant and id of each warning that was taken
   */
  Webhooks(InstantSource clock, WebhookRule rule, BiConsumer<TenantName, String> told) {
    this.clock = clock;
    this.rule = rule;
    this.told = told;
  }

  /** Sends a warning that was not taken yet, if it is time. */
  void offer(TenantName tenant, SpendLimit limit, Hook hook, TenantCap.Warning warning) {
    Delivery delivery = deliveries.computeIfAbsent(warning.id(), id -> new Delivery());
    long now = clock.millis();
    if (delivery.isUnderWay || delivery.isOver || now < delivery.nextMillis) {
      return;
    }
    if (now > warning.atMillis() + PATIENCE_MILLIS) {
      delivery.isOver = true;
      LOG.error("a warning was not taken for a day, it is told no more: id={}", warning.id());
      return;
    }
    Optional<String> mistake = rule.mistakeIn(hook.url());
    if (mistake.isPresent()) {
      delivery.nextMillis = now + LONGEST_PAUSE_MILLIS;
      LOG.warn(
          "a warning is not sent, as its webhook {}: tenant={} id={}",
          mistake.get(),
          tenant,
          warning.id());
      return;
    }
    if (!room.tryAcquire()) {
      return; // at the next look
    }
    delivery.isUnderWay = true;
    delivery.nextMillis =
        now
            + Math.min(
                LONGEST_PAUSE_MILLIS,
                FIRST_PAUSE_MILLIS << Math.min(delivery.attempts, MOST_DOUBLINGS));
    delivery.attempts++;
    HttpClient by = client();
    String body = body(tenant, limit, warning);
    Thread _ =
        Thread.ofVirtual()
            .name("kvs-webhook")
            .start(
                () -> {
                  try {
                    attempt(by, tenant, hook, warning.id(), body, delivery);
                  } finally {
                    delivery.isUnderWay = false;
                    room.release();
                  }
                });
  }

  /** Forgets all warnings but these. */
  void retain(Set<String> ids) {
    deliveries.keySet().retainAll(ids);
  }

  private HttpClient client() {
    HttpClient known = client;
    if (known == null) {
      known =
          HttpClient.newBuilder()
              .connectTimeout(CONNECT)
              .followRedirects(HttpClient.Redirect.NEVER)
              .build();
      client = known;
    }
    return known;
  }

  private void attempt(
      HttpClient by, TenantName tenant, Hook hook, String id, String body, Delivery delivery) {
    try {
      int status = post(by, hook, body);
      if (status >= 200 && status < 300) {
        told.accept(tenant, id);
        delivery.isOver = true;
      } else {
        LOG.warn("a warning was not taken, it will be sent again: id={} status={}", id, status);
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("a warning did not arrive, it will be sent again: id={} {}", id, e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private int post(HttpClient by, Hook hook, String body) throws IOException, InterruptedException {
    long seconds = clock.millis() / 1000;
    HttpRequest request =
        HttpRequest.newBuilder(hook.uri())
            .timeout(ANSWER)
            .header("Content-Type", "application/cloudevents+json; charset=utf-8")
            .header(SIGNATURE, "t=" + seconds + ",v1=" + signature(hook.secret(), seconds, body))
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    HttpResponse<InputStream> response =
        by.send(request, HttpResponse.BodyHandlers.ofInputStream());
    try (InputStream _ = response.body()) {
      return response.statusCode();
    }
  }

  /** The signature of a body, in hexadecimal digits. */
  static String signature(String secret, long seconds, String body) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.US_ASCII), HMAC));
      byte[] signed = mac.doFinal((seconds + "." + body).getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(signed);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has " + HMAC, e);
    }
  }

  private static String body(TenantName tenant, SpendLimit limit, TenantCap.Warning told) {
    SpendWarning warning = told.warning();
    ObjectNode event =
        JSON.createObjectNode()
            .put("specversion", "1.0")
            .put("id", told.id())
            .put("source", "/api/v1/tenants/" + tenant + "/spend-cap")
            .put(
                "type",
                "io.keyvalueserve.spend." + (warning.percent() < 100 ? "warned" : "reached"))
            .put("subject", tenant.value())
            .put("time", Instant.ofEpochMilli(told.atMillis()).toString())
            .put("datacontenttype", "application/json");
    event
        .putObject("data")
        .put("tenant", tenant.value())
        .put("month", warning.period().month().toString())
        .put("monthEnds", warning.period().end().toString())
        .put("percent", warning.percent())
        .put("spent", warning.spent().stripTrailingZeros().toPlainString())
        .put("cap", warning.cap().toPlainString())
        .put("currency", limit.currency().getCurrencyCode())
        .put("action", limit.action().label());
    return event.toString();
  }

  @Override
  public void close() {
    HttpClient known = client;
    if (known != null) {
      known.shutdownNow();
    }
  }
}
