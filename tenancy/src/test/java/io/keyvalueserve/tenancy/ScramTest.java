package io.keyvalueserve.tenancy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ScramTest {
  private static final TenantName ACME = new TenantName("acme");

  private final MapCatalogueStore store = new MapCatalogueStore();
  private final Catalogue catalogue = new Catalogue(store, Clock.systemUTC());
  private final TenantDirectory directory = new TenantDirectory(false);

  ScramTest() {
    store.subscribe(directory::apply);
    directory.markLoaded();
  }

  /** The example of RFC 7677, section 3. */
  @Test
  void computesWhatTheStandardHas() {
    byte[] salt = Base64.getDecoder().decode("W22ZaJ0SNY7soEsUEjb6gQ==");
    byte[] signed =
        ("n=user,r=rOprNGfwEbeRWgbNEkqO,"
                + "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,"
                + "s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096,"
                + "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0")
            .getBytes(UTF_8);
    byte[] proof = Scram.proof("pencil", salt, 4096, signed);
    assertThat(Base64.getEncoder().encodeToString(proof))
        .isEqualTo("dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=");
    ScramVerifier verifier = Scram.verifier("pencil", salt, 4096);
    assertThat(
            Base64.getEncoder()
                .encodeToString(Objects.requireNonNull(Scram.check(verifier, signed, proof))))
        .isEqualTo("6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=");
    proof[7] ^= 1;
    assertThat(Scram.check(verifier, signed, proof)).isNull();
    assertThat(Scram.check(verifier, signed, new byte[3])).isNull();
  }

  @Test
  void acceptsEachKeyOfATenantAndNoOther() {
    Catalogue.NewTenant acme = catalogue.create(ACME);
    Catalogue.NewKey second = catalogue.createKey(ACME, "second");
    Catalogue.NewTenant other = catalogue.create(new TenantName("other"));
    assertThat(keyId("acme", acme.accessKey())).isEqualTo(acme.keyId());
    assertThat(keyId("acme", second.accessKey())).isEqualTo(second.key().id());
    assertThat(keyId("acme", other.accessKey())).isEmpty();
    assertThat(keyId("nobody", acme.accessKey())).isEmpty();
    assertThat(keyId("other", acme.accessKey())).isEmpty();
    catalogue.revokeKey(ACME, acme.keyId());
    assertThat(keyId("acme", acme.accessKey())).isEmpty();
    catalogue.suspend(ACME);
    assertThat(keyId("acme", second.accessKey())).isEmpty();
    catalogue.resume(ACME);
    assertThat(keyId("acme", second.accessKey())).isEqualTo(second.key().id());
  }

  @Test
  void aKeyOfAnOlderVersionIsSentItself() {
    assertThat(directory.usesScram("nobody")).isTrue();
    catalogue.create(ACME);
    assertThat(directory.usesScram("acme")).isTrue();
    Tenant tenant = catalogue.get(ACME);
    AccessKey old = new AccessKey("0123456789", "0".repeat(64), Instant.EPOCH, "old");
    Tenant later =
        new Tenant(
            tenant.name(),
            tenant.number(),
            tenant.state(),
            tenant.createdAt(),
            List.of(tenant.keys().getFirst(), old),
            tenant.quota(),
            tenant.revision() + 1);
    String stored = CatalogueCodec.encode(later);
    assertThat(CatalogueCodec.decode(stored)).isEqualTo(later);
    directory.apply(later);
    assertThat(directory.usesScram("acme")).isFalse();
  }

  @Test
  void nobodyIsLetInBeforeTheCatalogueIsKnown() {
    assertThat(
            new TenantDirectory(false)
                .authenticateScram("acme", new byte[0], new byte[32])
                .authentication())
        .isEqualTo(Authentication.Refused.NOT_READY);
  }

  private String keyId(String tenant, String accessKey) {
    byte[] signed = "n=,r=a,r=ab,s=x,i=4096,c=biws,r=ab".getBytes(UTF_8);
    byte[] proof = Scram.proof(accessKey, Scram.salt(tenant), Scram.ITERATIONS, signed);
    ScramAnswer answer = directory.authenticateScram(tenant, signed, proof);
    if (answer.authentication() instanceof Authentication.Accepted(var identity)) {
      assertThat(answer.signature()).hasSize(32);
      return identity.keyId();
    }
    assertThat(answer.signature()).isEmpty();
    return "";
  }
}
