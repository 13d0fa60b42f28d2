package io.keyvalueserve.tenancy.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.tenancy.Door;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.OperatorKey;
import io.keyvalueserve.tenancy.TenantName;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OccurrenceTest {
  private static final TenantName ACME = new TenantName("acme");
  private static final Actor OPERATOR = new Actor.Operator("");
  private static final UUID MEMBER = new UUID(1, 2);

  /** Shows a key to every factory method wherever it takes text, alone and in the midst of it. */
  @Test
  void holdsNoSecretWhateverIsHandedToIt() {
    String operatorKey = OperatorKey.mint();
    String secret = operatorKey.substring("kvsop_".length());
    String accessKey = "kvs_AbCdEfGhIj_" + secret;
    for (String shown : List.of(operatorKey, accessKey, secret)) {
      for (String text : List.of(shown, "user=" + shown + ";", "x".repeat(200) + " " + shown)) {
        for (Occurrence occurrence : everyFactory(text)) {
          assertThat(stored(occurrence))
              .as("%s", occurrence.kind())
              .doesNotContain(secret)
              .doesNotContain(secret.substring(0, 12))
              .doesNotContain(secret.substring(31));
        }
      }
    }
  }

  private static List<Occurrence> everyFactory(String text) {
    Actor client = new Actor.Client(text);
    Identity identity = new Identity(ACME, 1, text);
    return List.of(
        Occurrence.tenantCreated(new Actor.Operator(text), ACME, text),
        Occurrence.tenantSuspended(Actor.of(identity), ACME),
        Occurrence.tenantResumed(client, ACME),
        Occurrence.tenantDeleted(client, ACME),
        Occurrence.keyCreated(OPERATOR, ACME, text, text),
        Occurrence.keyRevoked(OPERATOR, ACME, text),
        Occurrence.grantCreated(OPERATOR, ACME, text, text),
        Occurrence.grantRevoked(OPERATOR, ACME, text, text),
        Occurrence.quotaChanged(OPERATOR, ACME, text),
        Occurrence.unlockForced(OPERATOR, ACME, text, text),
        Occurrence.loginAccepted(identity, Door.RESP, text),
        Occurrence.loginRefused(client, Door.RESP, text),
        Occurrence.requestRefused(client, ACME, text, text),
        Occurrence.notice(AuditKind.AUDIT_DROPPED, text, text));
  }

  private static String stored(Occurrence occurrence) {
    byte[] line = AuditCodec.encode(new AuditEvent(1, HandClock.START, MEMBER, occurrence, 1));
    return new String(line, StandardCharsets.UTF_8) + occurrence;
  }

  @Test
  void holdsNoPartOfASecretThatIsCutAtABound() {
    String secret = OperatorKey.mint().substring("kvsop_".length());
    for (int before = 440; before <= 520; before++) {
      for (String prefix : List.of(" ", "kvsop_", "kvs_AbCdEfGhIj_")) {
        String object =
            Occurrence.keyRevoked(OPERATOR, ACME, "-".repeat(before) + prefix + secret).object();
        assertThat(object).doesNotContain(secret.substring(0, 4)).hasSizeLessThanOrEqualTo(512);
      }
    }
  }

  @Test
  void showsKeysByTheirIdsAndLeavesDigestsAndNamesAlone() {
    assertThat(Occurrence.keyRevoked(OPERATOR, ACME, "AbCdEfGhIj").object())
        .isEqualTo("AbCdEfGhIj");
    assertThat(Occurrence.keyRevoked(OPERATOR, ACME, "kvs_AbCdEfGhIj_xyz").object())
        .isEqualTo("kvs_AbCdEfGhIj_***");
    String digest = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
    for (String plain : List.of(digest, "acme/orders", "kvs_short", "a".repeat(42), "kvsop", "")) {
      assertThat(Occurrence.unlockForced(OPERATOR, ACME, plain, "").object()).isEqualTo(plain);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void cleaningTwiceChangesNothingMore(long seed) {
    Random random = new Random(seed);
    RandomOccurrences texts = new RandomOccurrences(random);
    for (int i = 0; i < 5_000; i++) {
      String dirty = texts.text(30) + (random.nextInt(3) == 0 ? OperatorKey.mint() : "");
      int bound = 1 + random.nextInt(60);
      String once = AuditText.of(dirty, bound);
      assertThat(once).hasSizeLessThanOrEqualTo(bound);
      assertThat(AuditText.of(once, bound)).isEqualTo(once);
      assertThat(new String(once.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
          .as("well-formed")
          .isEqualTo(once);
    }
  }

  @Test
  void isBoundedWhateverIsHandedToIt() {
    Occurrence occurrence =
        Occurrence.requestRefused(
            new Actor.Client("\u0001".repeat(9_999)),
            ACME,
            "\u0001".repeat(99_999),
            "\u0001".repeat(99_999));
    byte[] line =
        AuditCodec.encode(
            new AuditEvent(Long.MAX_VALUE, HandClock.START, MEMBER, occurrence, Long.MAX_VALUE));
    assertThat(line).hasSizeLessThan(AuditCodec.MOST_LINE_BYTES);
  }

  @Test
  void knowsAClientAgainOnAnotherPort() throws Exception {
    InetAddress address = InetAddress.getByAddress("somewhere", new byte[] {10, 0, 0, 7});
    assertThat(Actor.client(new InetSocketAddress(address, 40_001)))
        .isEqualTo(Actor.client(new InetSocketAddress(address, 40_002)))
        .isEqualTo(new Actor.Client("10.0.0.7"));
  }

  @Test
  void namesTheTenantOfARefusedLoginIfItCouldBeOne() {
    Actor client = new Actor.Client("10.0.0.7");
    assertThat(Occurrence.loginRefused(client, Door.HTTP, "acme").tenant()).isEqualTo(ACME);
    assertThat(Occurrence.loginRefused(client, Door.HTTP, "no/label").tenant()).isNull();
  }
}
