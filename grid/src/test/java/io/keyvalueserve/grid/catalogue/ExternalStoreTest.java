package io.keyvalueserve.grid.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.tenancy.InvalidNameException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExternalStoreTest {
  private static final String URL = "jdbc:postgresql://db.example/erp?ssl=true";
  private static final Duration FIVE_SECONDS = Duration.ofSeconds(5);
  private static final ExternalStore STORE =
      new ExternalStore("erp-2", 7, false, URL, "kvs", "AbC=", 10, FIVE_SECONDS);

  @Test
  void namesHaveARule() {
    for (String name : List.of("a", "0", "erp-2", "a".repeat(63))) {
      ExternalStore.requireName(name);
    }
    for (String name : List.of("", "-a", "Erp", "a_b", "a/b", "a".repeat(64))) {
      assertThatThrownBy(() -> ExternalStore.requireName(name))
          .isInstanceOf(InvalidNameException.class)
          .hasMessageContaining("a-z, 0-9 and dashes");
    }
  }

  @Test
  void amountsHaveBounds() {
    refuses("poolSize", URL, 0, FIVE_SECONDS);
    refuses("poolSize", URL, 101, FIVE_SECONDS);
    refuses("timeout", URL, 1, Duration.ofMillis(99));
    refuses("timeout", URL, 1, Duration.ofMinutes(6));
    refuses("jdbcUrl", " ", 1, FIVE_SECONDS);
    refuses("jdbcUrl", "jdbc:\n", 1, FIVE_SECONDS);
  }

  private static void refuses(String field, String url, int poolSize, Duration timeout) {
    assertThatThrownBy(() -> new ExternalStore("erp", 1, false, url, null, null, poolSize, timeout))
        .hasMessageStartingWith(field + ": ")
        .isInstanceOfSatisfying(
            InvalidStoreException.class, e -> assertThat(e.field()).isEqualTo(field));
  }

  @Test
  void textShowsNoSecret() {
    assertThat(STORE.toString())
        .contains("erp-2", "jdbc:postgresql://db.example/erp,", "hasPassword=true")
        .doesNotContain("AbC", "ssl");
  }

  @Test
  void whatIsWrittenIsRead() {
    ExternalStore bare = new ExternalStore("b", 1, false, URL, null, null, 1, FIVE_SECONDS);
    for (ExternalStore store : List.of(STORE, bare, STORE.gone())) {
      assertThat(ExternalStoreCodec.decode(ExternalStoreCodec.encode(store))).isEqualTo(store);
    }
    assertThat(STORE.gone().revision()).isEqualTo(8);
    assertThat(STORE.gone().sealedPassword()).isNull();
  }

  /** What is stored has to be read by every later version. */
  @Test
  void theFormStays() {
    String text =
        "{\"v\":1,\"name\":\"erp-2\",\"revision\":7,\"jdbcUrl\":\""
            + URL
            + "\",\"user\":\"kvs\",\"password\":\"AbC=\",\"poolSize\":10,\"timeoutMillis\":5000}";
    assertThat(ExternalStoreCodec.encode(STORE)).isEqualTo(text);
    assertThat(ExternalStoreCodec.decode(text.replace("\"v\":1", "\"v\":1,\"new\":2")))
        .isEqualTo(STORE);
  }

  @Test
  void saysWhatIsDamaged() {
    assertThatThrownBy(() -> ExternalStoreCodec.decode("{\"v\":2}"))
        .hasMessageContaining("version 2");
    assertThatThrownBy(() -> ExternalStoreCodec.decode("{\"v\":1,\"name\":\"a\"}"))
        .hasMessageContaining("'revision'");
    assertThatThrownBy(() -> ExternalStoreCodec.decode("secret"))
        .hasMessageContaining("not JSON")
        .message()
        .doesNotContain("secret");
  }

  @Test
  void mergeKeepsWhatWasChangedMoreOften() {
    String mine = ExternalStoreCodec.encode(STORE);
    String theirs = ExternalStoreCodec.encode(STORE.gone());
    RecordMergePolicy<?, ?> policy = new RecordMergePolicy.Stores<>();
    assertThat(policy.merge(mine, theirs, Instant.MAX)).isEqualTo(theirs);
    assertThat(policy.merge(theirs, mine, Instant.MAX)).isEqualTo(theirs);
  }
}
