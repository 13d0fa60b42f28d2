package io.keyvalueserve.maps.readable;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExtensionsTest {
  private static final String KNOWN =
      "org.springframework.session.hazelcast.SessionUpdateEntryProcessor";

  @Test
  void processorsOfKnownLibrariesAreOpenIfThereIsAClassPath() {
    Extensions extensions =
        new Extensions(List.of(Path.of("spring.jar")), List.of("com.acme.*"), Map.of());
    assertThat(extensions.names(KNOWN)).isTrue();
    assertThat(extensions.names("org.springframework.session.MapSession")).isTrue();
    assertThat(extensions.names("com.acme.Increment")).isTrue();
    assertThat(extensions.names("org.springframework.session.Other")).isFalse();
  }

  @Test
  void nothingIsOpenWithoutClasses() {
    assertThat(Extensions.NONE.names(KNOWN)).isFalse();
    assertThat(Extensions.NONE.classes()).isEmpty();
  }

  @Test
  void whatIsListedStaysAsItIsListed() {
    List<Path> jars = List.of(Path.of("spring.jar"));
    Extensions once = new Extensions(jars, List.of(KNOWN, "com.acme.Increment"), Map.of());
    assertThat(once.classes()).startsWith(KNOWN, "com.acme.Increment").doesNotHaveDuplicates();
    assertThat(new Extensions(jars, once.classes(), Map.of())).isEqualTo(once);
  }
}
