package io.keyvalueserve.cli;

import io.keyvalueserve.billing.pricing.RateCards;
import io.keyvalueserve.billing.pricing.RateCardsCodec;
import io.keyvalueserve.billing.spending.SpendLimit;
import io.keyvalueserve.server.Administration;
import io.keyvalueserve.tenancy.Limit;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.audit.Actor;
import io.keyvalueserve.tenancy.grant.Rights;
import io.keyvalueserve.tenancy.grant.Scope;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;

/**
 * The two tenants of the demonstration: {@code acme}, which shares a part of its orders, and {@code
 * globex}, which reads them, asks for more than it may, and pays for both. Prices are such that a
 * bill grows while one looks.
 *
 * @param acmeKey an access key of acme
 * @param globexKey an access key of globex
 */
record DemoTenants(String acmeKey, String globexKey) {
  static final String ACME = "acme";
  static final String GLOBEX = "globex";
  static final String ORDERS = "orders";
  static final String SHARED = "eu:";

  /**
   * The operations that globex may do in a second, which is less than it tries to do when it is
   * busy.
   */
  static final long GLOBEX_OPERATIONS = 500;

  /** The amount that globex may spend in a month, in the currency of the prices. */
  static final BigDecimal GLOBEX_CAP = BigDecimal.ONE;

  private static final String RATES = "demo-rates.json";

  /** Makes them, their grant, quota and prices. */
  static DemoTenants create(Administration administration) {
    Actor demo = Actor.Other.MEMBER;
    administration.billing().changeRates(rates(), demo);
    String acme = administration.createTenant(new TenantName(ACME), demo).accessKey();
    String globex = administration.createTenant(new TenantName(GLOBEX), demo).accessKey();
    administration.grant(
        new QualifiedName(new TenantName(ACME), new MapName(ORDERS)),
        new TenantName(GLOBEX),
        Scope.prefix(SHARED),
        Rights.READ,
        null,
        demo);
    administration.changeQuota(
        new TenantName(GLOBEX), quota -> quota.with(Limit.OPERATIONS, GLOBEX_OPERATIONS), demo);
    administration
        .spending()
        .set(
            new TenantName(GLOBEX),
            SpendLimit.refusing(GLOBEX_CAP, administration.spending().currency()),
            null,
            demo);
    return new DemoTenants(acme, globex);
  }

  private static RateCards rates() {
    try (InputStream in = DemoTenants.class.getResourceAsStream(RATES)) {
      if (in == null) {
        throw new IllegalStateException("the package has no " + RATES);
      }
      return RateCardsCodec.decode(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("the package has a " + RATES + " that cannot be read", e);
    }
  }
}
