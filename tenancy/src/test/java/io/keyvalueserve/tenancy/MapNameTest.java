package io.keyvalueserve.tenancy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MapNameTest {
  @ParameterizedTest
  @ValueSource(strings = {"a", "spring:session:sessions", "or@ders", ":", "@", "a b", "\u00e4"})
  void isNamedInItsTenant(String name) {
    assertThat(QualifiedName.parse("acme/" + name))
        .contains(new QualifiedName(new TenantName("acme"), new MapName(name)));
  }

  @Test
  void hasUpTo255Characters() {
    assertThat(MapName.isValid("m".repeat(255))).isTrue();
    assertThat(MapName.isValid("m".repeat(256))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a/b", "a\nb", "\u0000"})
  void isRefusedWithTheRemedy(String name) {
    assertThat(QualifiedName.parse("acme/" + name)).isEmpty();
    assertThatThrownBy(() -> new MapName(name))
        .isInstanceOf(InvalidNameException.class)
        .hasMessageContaining("use 1 to 255 characters, without '/' and control characters");
  }
}
