package io.keyvalueserve.server.http;

import io.keyvalueserve.gates.admission.Admissions;
import io.keyvalueserve.gates.policy.AccessAudit;
import io.keyvalueserve.tenancy.Authentication;
import io.keyvalueserve.tenancy.Authenticator;
import io.keyvalueserve.tenancy.ScrapeKey;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Knows callers by the keys they show.
 *
 * @param operator whether a key is an operator's
 * @param scraper whether a key, which looks like one for metrics, is valid
 * @param tenants knows tenants by their access keys
 * @param admissions how much each tenant may use
 * @param audit is told who was turned away
 */
public record Callers(
    Predicate<String> operator,
    Predicate<String> scraper,
    Authenticator tenants,
    Admissions admissions,
    AccessAudit audit) {
  /** Returns the caller that a key belongs to; empty if the key is not valid. */
  Optional<Caller> of(String key) {
    if (ScrapeKey.isOne(key)) {
      return scraper.test(key) ? Optional.of(Caller.SCRAPER) : Optional.empty();
    }
    if (operator.test(key)) {
      return Optional.of(Caller.OPERATOR);
    }
    return tenants.authenticateToken(key.getBytes(StandardCharsets.UTF_8))
            instanceof Authentication.Accepted(var identity)
        ? Optional.of(new Caller(identity))
        : Optional.empty();
  }

  /**
   * Returns the caller without a key, where tenants may call without one: the tenant {@code dev} of
   * a {@code --dev} member.
   */
  Optional<Caller> withoutKey() {
    return tenants.authenticateAnonymous() instanceof Authentication.Accepted(var identity)
        ? Optional.of(new Caller(identity))
        : Optional.empty();
  }
}
