package io.keyvalueserve.billing.spending;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;

/**
 * The HTTP receiver of warnings.
 *
 * @param url where to: absolute, http or https, without a user, up to 2,000 characters
 * @param secret signs what is sent: 16 to 200 characters of printable ASCII
 */
public record Hook(String url, String secret) {
  private static final int MOST_URL = 2_000;
  private static final int LEAST_SECRET = 16;
  private static final int MOST_SECRET = 200;

  /**
   * @throws InvalidSpendLimitException if one of them is not that
   */
  public Hook {
    Optional<String> mistake = mistakeIn(url);
    if (mistake.isPresent()) {
      throw new InvalidSpendLimitException("webhook.url", "webhook.url " + mistake.get());
    }
    if (secret.length() < LEAST_SECRET
        || secret.length() > MOST_SECRET
        || !secret.chars().allMatch(c -> c > ' ' && c < 127)) {
      throw new InvalidSpendLimitException(
          "webhook.secret",
          "webhook.secret is wrong; it is "
              + LEAST_SECRET
              + " to "
              + MOST_SECRET
              + " characters of ASCII without blanks, which sign what is sent");
    }
  }

  /** Returns the fault of a URL, and the remedy; empty if the URL is valid. */
  public static Optional<String> mistakeIn(String url) {
    try {
      URI uri = new URI(url);
      String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
      boolean isGood =
          (scheme.equals("http") || scheme.equals("https"))
              && uri.getHost() != null
              && uri.getRawUserInfo() == null
              && url.length() <= MOST_URL;
      return isGood
          ? Optional.empty()
          : Optional.of(
              "is wrong; it is an absolute URL of http or https with a host and no user, of up to "
                  + MOST_URL
                  + " characters");
    } catch (URISyntaxException e) {
      return Optional.of("is no URL: " + e.getReason());
    }
  }

  /** Returns the address of the receiver. */
  public URI uri() {
    return URI.create(url);
  }

  /** Without the secret. */
  @Override
  public String toString() {
    return url;
  }
}
