package io.keyvalueserve.grid.settings;

import org.jspecify.annotations.Nullable;

/**
 * The last word of a tenant on whether its data may be kept on the disk.
 *
 * @param given whether it has consented; false if it has withdrawn its consent
 * @param atMillis when, since 1970
 * @param keyId the id of the access key that said so
 */
public record Consent(boolean given, long atMillis, String keyId) {
  /** Returns the later of two; the first if they are of one time. */
  static @Nullable Consent later(@Nullable Consent one, @Nullable Consent other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return other.atMillis > one.atMillis ? other : one;
  }
}
