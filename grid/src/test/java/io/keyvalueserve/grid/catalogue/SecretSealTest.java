package io.keyvalueserve.grid.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.grid.catalogue.SecretSeal.SealException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

class SecretSealTest {
  private static final String PASSWORD = "pässword 1";
  private static final SecretSeal SEAL = seal("the secret of this cluster");

  private static SecretSeal seal(String secret) {
    return SecretSeal.of(
        secret.getBytes(StandardCharsets.UTF_8), SecretSeal.Purpose.STORE_PASSWORD);
  }

  @Test
  void opensWhatItHasSealed() {
    for (String password : List.of("", PASSWORD, "x".repeat(5_000))) {
      String sealed = SEAL.seal("erp", password);
      assertThat(SEAL.open("erp", sealed)).isEqualTo(password);
      assertThat(seal("the secret of this cluster").open("erp", sealed)).isEqualTo(password);
    }
  }

  @Test
  void noTwoSealsAreAlike() {
    assertThat(SEAL.seal("erp", PASSWORD)).isNotEqualTo(SEAL.seal("erp", PASSWORD));
  }

  @Test
  void opensForTheStoreAlone() {
    String sealed = SEAL.seal("erp", PASSWORD);
    assertThatThrownBy(() -> SEAL.open("crm", sealed)).isInstanceOf(SealException.class);
  }

  @Test
  void anotherSecretDoesNotOpenIt() {
    String sealed = SEAL.seal("erp", PASSWORD);
    assertThatThrownBy(() -> seal("the secret of another").open("erp", sealed))
        .isInstanceOf(SealException.class)
        .hasMessage(
            "the password of store erp was sealed with another cluster secret: give it again with"
                + " kvs store create erp --replace");
  }

  @Test
  void everyChangedByteIsNoticed() {
    byte[] sealed = Base64.getDecoder().decode(SEAL.seal("erp", PASSWORD));
    for (int i = 0; i < sealed.length; i++) {
      byte[] changed = sealed.clone();
      changed[i] ^= 0x40;
      String text = Base64.getEncoder().encodeToString(changed);
      assertThatThrownBy(() -> SEAL.open("erp", text)).isInstanceOf(SealException.class);
    }
    for (String text : List.of("", "AQ==", "no base64!")) {
      assertThatThrownBy(() -> SEAL.open("erp", text))
          .isInstanceOf(SealException.class)
          .hasMessageContaining("is damaged");
    }
  }
}
