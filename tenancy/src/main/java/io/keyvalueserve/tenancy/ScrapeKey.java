package io.keyvalueserve.tenancy;

/** The key of whoever reads metrics and nothing else: {@code kvsmetrics_<secret>}. */
public final class ScrapeKey {
  private static final String PREFIX = "kvsmetrics_";
  private static final int SECRET_CHARACTERS = 43;

  private ScrapeKey() {}

  /** Makes up a new key. */
  public static String mint() {
    return PREFIX + Secrets.random(SECRET_CHARACTERS);
  }

  /** Returns whether a text looks like such a key. */
  public static boolean isOne(String key) {
    return key.startsWith(PREFIX);
  }
}
