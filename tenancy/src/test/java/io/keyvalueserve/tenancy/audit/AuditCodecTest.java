package io.keyvalueserve.tenancy.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.tenancy.TenantName;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AuditCodecTest {
  private static final String LINE =
      "{\"v\":1,\"seq\":7,\"time\":\"2026-01-02T03:04:05.678Z\","
          + "\"member\":\"00000000-0000-0001-0000-000000000002\",\"kind\":\"key.revoked\","
          + "\"actor\":\"operator@10.0.0.1\",\"tenant\":\"acme\",\"object\":\"AbCdEfGhIj\","
          + "\"detail\":\"\",\"count\":1}";

  private static final AuditEvent EVENT =
      new AuditEvent(
          7,
          HandClock.START,
          new UUID(1, 2),
          Occurrence.keyRevoked(
              new Actor.Operator("10.0.0.1"), new TenantName("acme"), "AbCdEfGhIj"),
          1);

  /** Files of today are read by programs of tomorrow. */
  @Test
  void formIsStable() throws Exception {
    assertThat(new String(AuditCodec.encode(EVENT), StandardCharsets.UTF_8)).isEqualTo(LINE + "\n");
    assertThat(decode(LINE)).isEqualTo(EVENT);
  }

  @Test
  void labelsOfKindsAreStable() {
    assertThat(Arrays.stream(AuditKind.values()).map(AuditKind::label))
        .containsExactly(
            "tenant.created",
            "tenant.suspended",
            "tenant.resumed",
            "tenant.deleted",
            "key.created",
            "key.revoked",
            "grant.created",
            "grant.revoked",
            "map.configured",
            "tenant.configured",
            "tenant.hibernated",
            "tenant.woken",
            "tenant.wake_failed",
            "consent.given",
            "consent.withdrawn",
            "map.store_set",
            "map.letters_ended",
            "store.set",
            "store.deleted",
            "snapshot.created",
            "snapshot.verified",
            "snapshot.restored",
            "snapshot.deleted",
            "snapshot.failed",
            "snapshot.plan_changed",
            "snapshot.key_exported",
            "snapshot.key_destroyed",
            "quota.changed",
            "cap.changed",
            "spend.warned",
            "spend.reached",
            "unlock.forced",
            "query.ended",
            "rates.changed",
            "ledger.corrected",
            "ledger.merged",
            "usage.lost",
            "reservation.made",
            "reservation.released",
            "member.forgotten",
            "loss.acknowledged",
            "login.accepted",
            "login.refused",
            "request.refused",
            "audit.dropped",
            "audit.lost",
            "audit.repaired");
  }

  @Test
  void noTextBeginsALineOrSpeaksToATerminal() throws Exception {
    String forged = "k\n{\"v\":1}\r\u0085\u2028\u001b[2J\u009b2J\u202e\u007f";
    AuditEvent event =
        new AuditEvent(
            7,
            EVENT.time(),
            EVENT.member(),
            new Occurrence(AuditKind.REQUEST_REFUSED, EVENT.actor(), null, forged, forged),
            1);
    String line = new String(AuditCodec.encode(event), StandardCharsets.UTF_8);
    assertThat(line.strip().chars())
        .noneMatch(c -> Character.isISOControl(c) || c == 0x2028 || c == 0x202e);
    assertThat(line).endsWith("}\n");
    assertThat(decode(line)).isEqualTo(event);
  }

  @Test
  void ignoresFieldsItDoesNotKnow() throws Exception {
    assertThat(decode(LINE.replace("\"v\":1", "\"v\":1,\"later\":{\"a\":[1,null]}")))
        .isEqualTo(EVENT);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "\"v\":1,       | \"v\":2,            | version 2",
        "\"v\":1,       | ~~                  | 'v'",
        "\"seq\":7      | \"seq\":0           | 'seq'",
        "\"seq\":7      | \"seq\":\"7\"       | 'seq'",
        "\"seq\":7      | \"seq\":9223372036854775808 | 'seq'",
        "\"count\":1    | \"count\":-1        | 'count'",
        "\"count\":1    | \"count\":1.5       | 'count'",
        "key.revoked    | key.eaten           | 'kind'",
        "operator@      | emperor@            | 'actor'",
        "operator@      | tenant:A/           | 'actor'",
        "\"acme\"       | \"a/b\"             | 'tenant'",
        "\"acme\"       | 5                   | 'tenant'",
        "2026-01-02T    | yesterday           | 'time'",
        "00000000-      | x-                  | 'member'",
        "\"detail\":\"\",| ~~                 | 'detail'",
        "{              | [                   | not JSON",
        "\"count\":1}   | \"count\":1}{}      | not JSON",
      })
  void tellsWhatIsTheMatterWithALine(String part, String instead, String reason) {
    assertThat(LINE).contains(part);
    assertThatThrownBy(() -> decode(LINE.replace(part, instead)))
        .isInstanceOf(DamagedLineException.class)
        .hasMessageContaining(reason);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void readsBackWhatItWrote(long seed) throws Exception {
    Random random = new Random(seed);
    RandomOccurrences occurrences = new RandomOccurrences(random);
    for (int i = 0; i < 2_000; i++) {
      AuditEvent event = event(random, occurrences);
      byte[] line = AuditCodec.encode(event);
      assertThat(AuditCodec.decode(line)).isEqualTo(event);
      assertThat(new String(line, StandardCharsets.UTF_8)).containsOnlyOnce("\n").endsWith("\n");
    }
  }

  /** Random bytes, and lines with bytes changed, cut out, doubled: damage, or an event. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void hasNoOtherAnswerToGarbage(long seed) {
    Random random = new Random(seed);
    RandomOccurrences occurrences = new RandomOccurrences(random);
    int events = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] line =
          i % 8 == 0
              ? randomBytes(random, random.nextInt(300))
              : mutated(random, AuditCodec.encode(event(random, occurrences)));
      try {
        AuditEvent event = AuditCodec.decode(line);
        assertThat(AuditCodec.decode(AuditCodec.encode(event))).isEqualTo(event);
        events++;
      } catch (DamagedLineException e) {
        assertThat(e.reason()).isNotEmpty();
      }
    }
    assertThat(events).as("some mutations are harmless").isPositive();
  }

  @Test
  void survivesNestingAndNumbersWithoutEnd() {
    for (String line :
        new String[] {
          "[".repeat(100_000),
          "{\"a\":".repeat(100_000),
          "1".repeat(100_000),
          "",
          "null",
          "\0",
          LINE.replace("2026-", "+1000000001-"),
          LINE.replace("\"seq\":7", "\"seq\":1e999999999")
        }) {
      assertThatThrownBy(() -> decode(line)).isInstanceOf(DamagedLineException.class);
    }
  }

  private static AuditEvent event(Random random, RandomOccurrences occurrences) {
    return new AuditEvent(
        1 + random.nextLong(Long.MAX_VALUE - 1),
        HandClock.START.plusMillis(random.nextLong(1L << 50)),
        new UUID(random.nextLong(), random.nextLong()),
        occurrences.next(),
        1 + random.nextInt(1_000));
  }

  private static byte[] mutated(Random random, byte[] line) {
    byte[] bytes = line;
    for (int i = random.nextInt(3); i >= 0 && bytes.length > 0; i--) {
      int at = random.nextInt(bytes.length);
      int to = at + random.nextInt(bytes.length - at);
      switch (random.nextInt(4)) {
        case 0 -> bytes[at] = (byte) random.nextInt();
        case 1 -> bytes = Arrays.copyOf(bytes, at);
        case 2 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        default -> {
          byte[] longer = Arrays.copyOf(bytes, bytes.length + to - at);
          System.arraycopy(bytes, at, longer, to, bytes.length - at);
          bytes = longer;
        }
      }
    }
    return bytes;
  }

  private static byte[] randomBytes(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static AuditEvent decode(String line) throws DamagedLineException {
    return AuditCodec.decode(line.getBytes(StandardCharsets.UTF_8));
  }
}
