package io.keyvalueserve.snapshots;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Random;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** The encrypted form, and the keys that are derived. */
class SealedTest {
  private static final TenantKey KEY = Samples.key(3);

  private static SnapshotException.Kind kindOf(Throwable failure) {
    return ((SnapshotException) failure).kind();
  }

  @Property(tries = 200)
  void opensWhatWasSealed(@ForAll byte[] content) {
    byte[] sealed = Sealed.seal(KEY, "a/b", content);
    assertThat(sealed).hasSize(content.length + Sealed.OVERHEAD);
    assertThat(Sealed.open(KEY, "a/b", sealed)).isEqualTo(content);
    assertThat(Sealed.seal(KEY, "a/b", content)).isNotEqualTo(sealed);
  }

  @Test
  void tellsFailuresApart() {
    byte[] sealed = Sealed.seal(KEY, "a", new byte[] {1, 2, 3});
    assertThatThrownBy(() -> Sealed.open(Samples.key(4), "a", sealed))
        .hasMessageContaining(KEY.id().toString())
        .extracting(SealedTest::kindOf)
        .isEqualTo(SnapshotException.Kind.OTHER_KEY);
    TenantKey impostor = TenantKey.ofBytes(KEY.id(), Samples.key(4).bytes());
    assertThatThrownBy(() -> Sealed.open(impostor, "a", sealed))
        .extracting(SealedTest::kindOf)
        .isEqualTo(SnapshotException.Kind.DAMAGED);
    assertThatThrownBy(() -> Sealed.open(KEY, "b", sealed))
        .extracting(SealedTest::kindOf)
        .isEqualTo(SnapshotException.Kind.DAMAGED);
    byte[] other = sealed.clone();
    other[0] = 2;
    assertThatThrownBy(() -> Sealed.open(KEY, "a", other))
        .extracting(SealedTest::kindOf)
        .isEqualTo(SnapshotException.Kind.OTHER_FORMAT);
    for (int length : new int[] {0, 1, Sealed.OVERHEAD - 1}) {
      assertThatThrownBy(() -> Sealed.open(KEY, "a", Arrays.copyOf(sealed, length)))
          .extracting(SealedTest::kindOf)
          .isEqualTo(SnapshotException.Kind.DAMAGED);
    }
  }

  /** Derives the keys by HMAC as RFC 5869 writes it, so that no later version derives others. */
  @Test
  void derivesItsKeysByHkdf() throws GeneralSecurityException {
    byte[] bytes = KEY.bytes();
    assertThat(KEY.sealKey().getEncoded()).isEqualTo(hkdf(bytes, "kvs.snapshot.seal.v1"));
    byte[] content = new byte[100];
    new Random(1).nextBytes(content);
    assertThat(KEY.nameOf(content))
        .isEqualTo(hmac(hkdf(bytes, "kvs.snapshot.name.v1"), content))
        .isNotEqualTo(hmac(KEY.sealKey().getEncoded(), content));
  }

  private static byte[] hkdf(byte[] bytes, String purpose) throws GeneralSecurityException {
    byte[] info = purpose.getBytes(StandardCharsets.US_ASCII);
    byte[] block = Arrays.copyOf(info, info.length + 1);
    block[info.length] = 1;
    return hmac(hmac(new byte[32], bytes), block);
  }

  private static byte[] hmac(byte[] key, byte[] content) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    return mac.doFinal(content);
  }

  @Test
  void refusesKeysOfAnotherLength() {
    assertThatThrownBy(() -> TenantKey.ofBytes(KEY.id(), new byte[31]))
        .hasMessageContaining("32 bytes")
        .extracting(SealedTest::kindOf)
        .isEqualTo(SnapshotException.Kind.INVALID);
  }
}
