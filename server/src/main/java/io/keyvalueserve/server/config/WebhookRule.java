package io.keyvalueserve.server.config;

import java.net.InetAddress;
import java.net.URI;
import java.util.Locale;
import java.util.Optional;

/**
 * Says which addresses webhooks may have: https; with {@code webhook.allow-http}, http as well;
 * with {@code --dev}, http on the machine itself.
 *
 * @param allowHttp whether http may go anywhere
 * @param dev whether http may go to loopback addresses
 */
public record WebhookRule(boolean allowHttp, boolean dev) {
  /**
   * Returns why a webhook is not called, with the remedy; empty if it may be.
   *
   * @param url an absolute URL of http or https
   */
  public Optional<String> mistakeIn(String url) {
    URI uri = URI.create(url);
    boolean mayBe =
        allowHttp
            || "https".equalsIgnoreCase(uri.getScheme())
            || (dev && isLoopback(uri.getHost().toLowerCase(Locale.ROOT)));
    return mayBe
        ? Optional.empty()
        : Optional.of(
            "is http, which sends warnings in the clear; use https, or set webhook.allow-http to"
                + " true on every member");
  }

  /** Returns whether a host is a loopback address, by its text alone. No resolver is asked. */
  private static boolean isLoopback(String host) {
    if (host.equals("localhost")) {
      return true;
    }
    try {
      return InetAddress.ofLiteral(host.replaceAll("[\\[\\]]", "")).isLoopbackAddress();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
