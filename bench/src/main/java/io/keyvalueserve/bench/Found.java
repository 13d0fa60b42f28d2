package io.keyvalueserve.bench;

import org.jspecify.annotations.Nullable;

/**
 * What a survey found in one key.
 *
 * @param value null if the key is not there
 * @param ttlMillis as PTTL says it: -1 if it never expires, -2 if it is not there (any more)
 * @param askedMillis before it was asked, in milliseconds since 1970
 * @param answeredMillis after it was answered, in milliseconds since 1970
 */
record Found(byte @Nullable [] value, long ttlMillis, long askedMillis, long answeredMillis) {
  /** What PTTL says of a key that never expires. */
  static final long FOR_EVER = -1;

  /** What PTTL says of a key that is not there. */
  static final long NOT_THERE = -2;
}
