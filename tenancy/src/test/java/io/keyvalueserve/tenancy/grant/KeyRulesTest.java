package io.keyvalueserve.tenancy.grant;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.tenancy.TenantName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Goal: compiled grants allow what the grants say. Method: random grants over few letters, so that
 * texts begin with one another, and every key asked of the rules and of the grants one by one.
 */
class KeyRulesTest {
  private static final TenantName ANYBODY = new TenantName("globex");
  private static final String[] LETTERS = {"a", "b", ":", "é", "\u0000", "z", "\ud83d\ude00"};

  private final long seed = Long.getLong("kvs.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @Test
  void allowWhatTheGrantsSay() {
    for (int round = 0; round < 2_000; round++) {
      List<Grant> grants = new ArrayList<>();
      for (int i = random.nextInt(40); i > 0; i--) {
        grants.add(grant(scope(), new Rights(random.nextInt(16))));
      }
      KeyRules rules = KeyRules.of(grants, Long.MAX_VALUE);
      assertThat(rules.all()).isEqualTo(said(grants, null));
      for (int i = 0; i < 60; i++) {
        String key = i < grants.size() ? grants.get(i).scope().text() : text(5);
        byte[] padded = ("xx" + key + "y").getBytes(UTF_8);
        assertThat(rules.of(padded, 2, padded.length - 3))
            .describedAs("seed=%d key=%s grants=%s", seed, key, grants)
            .isEqualTo(said(grants, key));
      }
    }
  }

  private static int said(List<Grant> grants, @org.jspecify.annotations.Nullable String key) {
    int bits = 0;
    for (Grant grant : grants) {
      boolean covers =
          switch (grant.scope().kind()) {
            case MAP -> true;
            case PREFIX, CHANNELS -> key != null && key.startsWith(grant.scope().text());
            case KEY -> key != null && key.equals(grant.scope().text());
          };
      bits |= covers ? grant.rights().bits() : 0;
    }
    return bits;
  }

  @Test
  void nothingIsAllowedWithoutGrants() {
    byte[] key = "key".getBytes(UTF_8);
    assertThat(KeyRules.NOTHING.of(key, 0, key.length)).isZero();
    assertThat(KeyRules.NOTHING.of(key, 0, 0)).isZero();
    assertThat(KeyRules.NOTHING.isEmpty()).isTrue();
  }

  @Test
  void manyAndLongTextsAreCompiled() {
    List<Grant> grants = new ArrayList<>();
    for (int i = 0; i < Grants.MOST_ON_A_MAP; i++) {
      grants.add(
          grant(
              i % 2 == 0 ? Scope.prefix("p".repeat(1 + i / 20)) : Scope.key("k" + i), Rights.READ));
    }
    KeyRules rules = KeyRules.of(grants, Long.MAX_VALUE);
    byte[] key = "p".repeat(2_000).getBytes(UTF_8);
    assertThat(rules.of(key, 0, key.length)).isEqualTo(Rights.READ.bits());
    assertThat(rules.of("k4999".getBytes(UTF_8), 0, 5)).isEqualTo(Rights.READ.bits());
    assertThat(rules.of("k499".getBytes(UTF_8), 0, 4)).isEqualTo(Rights.READ.bits());
    assertThat(rules.of("k498".getBytes(UTF_8), 0, 4)).isZero();
  }

  private Scope scope() {
    return switch (random.nextInt(8)) {
      case 0 -> Scope.MAP;
      case 1, 2, 3 -> Scope.key(text(4));
      default -> Scope.prefix(LETTERS[random.nextInt(LETTERS.length)] + text(3));
    };
  }

  private String text(int most) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(most + 1); i > 0; i--) {
      text.append(LETTERS[random.nextInt(LETTERS.length)]);
    }
    return text.toString();
  }

  static Grant grant(Scope scope, Rights rights) {
    return new Grant("1", ANYBODY, 2, scope, rights, Instant.EPOCH, null, "operator");
  }
}
