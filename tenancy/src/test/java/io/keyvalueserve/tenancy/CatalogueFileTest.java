package io.keyvalueserve.tenancy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CatalogueFileTest {
  @TempDir private Path temporary;
  private Path directory = Path.of("");
  private List<Tenant> tenants = List.of();

  @BeforeEach
  void make() {
    directory = temporary.resolve("data");
    Catalogue catalogue = new Catalogue(new MapCatalogueStore(), Clock.systemUTC());
    Tenant acme = catalogue.create(new TenantName("acme")).tenant();
    catalogue.create(new TenantName("globex"));
    catalogue.createKey(new TenantName("globex"), "über \"alles\" \n");
    tenants = List.of(acme, catalogue.suspend(new TenantName("globex")));
  }

  @Test
  void givesBackWhatWasSaved() {
    try (CatalogueFile file = CatalogueFile.open(directory)) {
      assertThat(file.load().tenants()).isEmpty();
      file.save(tenants, Map.of("a", "b"));
    }
    try (CatalogueFile file = CatalogueFile.open(directory)) {
      assertThat(file.load().tenants()).containsExactlyElementsOf(tenants);
      assertThat(file.load().settings()).containsExactly(Map.entry("a", "b"));
    }
  }

  @Test
  void isReadableByItsOwnerOnly() throws IOException {
    try (CatalogueFile file = CatalogueFile.open(directory)) {
      file.save(tenants, Map.of());
      assertThat(modes(directory)).isEqualTo("rwx------");
      assertThat(modes(directory.resolve("catalogue.json"))).isEqualTo("rw-------");
    }
  }

  @Test
  void keepsASecondProcessAway() {
    try (CatalogueFile file = CatalogueFile.open(directory)) {
      assertThat(file.load().tenants()).isEmpty();
      assertThatThrownBy(() -> CatalogueFile.open(directory))
          .isInstanceOf(CatalogueFile.UnusableException.class)
          .hasMessageContaining("in use by another process");
    }
  }

  @Test
  void isNotDisturbedByAWriteThatWasCutOff() throws IOException {
    try (CatalogueFile file = CatalogueFile.open(directory)) {
      file.save(tenants, Map.of());
      Files.writeString(directory.resolve("catalogue.json.new"), "half a catal");
      assertThat(file.load().tenants()).hasSize(2);
      file.save(tenants.subList(0, 1), Map.of());
      assertThat(file.load().tenants()).hasSize(1);
    }
  }

  @Test
  void reportsEveryDamagedByteAndNamesTheFile() throws IOException {
    Path path = directory.resolve("catalogue.json");
    try (CatalogueFile file = CatalogueFile.open(directory)) {
      file.save(tenants, Map.of());
      byte[] good = Files.readAllBytes(path);
      for (int at = 0; at < good.length; at += 7) {
        byte[] damaged = good.clone();
        damaged[at] ^= 1;
        Files.write(path, damaged);
        assertThatThrownBy(file::load)
            .as("byte %s", at)
            .isInstanceOf(CatalogueFile.UnusableException.class)
            .hasMessageContaining(path.toString());
      }
      Files.write(path, java.util.Arrays.copyOf(good, good.length / 2));
      assertThatThrownBy(file::load).isInstanceOf(CatalogueFile.UnusableException.class);
      Files.write(path, new byte[0]);
      assertThatThrownBy(file::load).isInstanceOf(CatalogueFile.UnusableException.class);
    }
  }

  @Test
  void namesTheFieldThatARecordLacks() {
    String record = CatalogueCodec.encode(tenants.getFirst());
    assertThatThrownBy(() -> CatalogueCodec.decode(record.replace("\"revision\"", "\"x\"")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'revision'");
    assertThatThrownBy(() -> CatalogueCodec.decode(record.replace("\"v\":1", "\"v\":2")))
        .hasMessageContaining("version 2");
    assertThat(CatalogueCodec.decode(record.replace("{\"v\":1", "{\"later\":7,\"v\":1")))
        .isEqualTo(tenants.getFirst());
  }

  private static String modes(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
