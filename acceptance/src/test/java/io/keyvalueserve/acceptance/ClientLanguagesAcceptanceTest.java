package io.keyvalueserve.acceptance;

import io.keyvalueserve.acceptance.ClientLanguage.Credentials;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: whoever programs in another language than Java has a grid of their own. Method: two tenants
 * in turn run the same program, with the same names, on every structure that the language's client
 * offers.
 */
@ExtendWith(SharedServer.class)
class ClientLanguagesAcceptanceTest {
  private final KvsProcess server;

  ClientLanguagesAcceptanceTest(KvsProcess server) {
    this.server = server;
  }

  @BeforeAll
  static void installAllClientsAtOnce() {
    ClientLanguage.installAllAtOnce();
  }

  @ParameterizedTest
  @EnumSource
  void twoTenantsOfOneLanguageEachHaveTheWholeGridForThemselves(ClientLanguage language) {
    language.require();
    Tenant acme = tenant(language, "acme");
    Tenant globex = tenant(language, "globex");
    Set<String> structures = language.structures();

    report(language, acme, "write", Credentials.PASSWORD).assertWroteAll(structures, acme.name());
    report(language, globex, "write", Credentials.PASSWORD)
        .assertWroteAll(structures, globex.name());
    report(language, acme, "again", Credentials.TOKEN).assertFoundAll(structures, acme.name());
    report(language, globex, "again", Credentials.TOKEN).assertFoundAll(structures, globex.name());
  }

  @ParameterizedTest
  @EnumSource
  void whatTenantsMayNotHaveIsRefusedAndTheConnectionGoesOn(ClientLanguage language) {
    language.require();
    Tenant tenant = tenant(language, "curious");

    report(language, tenant, "write", Credentials.PASSWORD)
        .assertWroteAll(language.structures(), tenant.name());
    report(language, tenant, "refusals", Credentials.PASSWORD).assertRefusedAll(tenant.name());
  }

  private Tenant tenant(ClientLanguage language, String name) {
    return server.admin().createTenant(language.name().toLowerCase(Locale.ROOT) + "-" + name);
  }

  private ProbeReport report(
      ClientLanguage language, Tenant tenant, String phase, Credentials credentials) {
    return new ProbeReport(language.probe(server.clientAddress(), tenant, phase, credentials));
  }
}
