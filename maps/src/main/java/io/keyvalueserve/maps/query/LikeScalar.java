package io.keyvalueserve.maps.query;

import io.keyvalueserve.engine.query.Condition;
import io.keyvalueserve.engine.query.FieldType;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Matches text with patterns of the forms {@code text}, {@code text%}, {@code %text} and {@code
 * %text%}. Thread-safe.
 */
final class LikeScalar extends Scalar {
  private final byte[] text;
  private final boolean anyBefore;
  private final boolean anyBehind;

  private LikeScalar(byte[] text, boolean anyBefore, boolean anyBehind) {
    this.text = text;
    this.anyBefore = anyBefore;
    this.anyBehind = anyBehind;
  }

  /** Returns what matches a pattern; null if the pattern is of another form. */
  static @Nullable LikeScalar of(Condition.Like like) {
    String pattern = like.pattern();
    if (like.ignoresCase() || like.field().type() == FieldType.JSON) {
      return null;
    }
    boolean before = pattern.startsWith("%");
    boolean behind = pattern.length() > 1 && pattern.endsWith("%");
    String text = pattern.substring(before ? 1 : 0, pattern.length() - (behind ? 1 : 0));
    boolean isPlain =
        text.indexOf('%') < 0
            && text.indexOf('_') < 0
            && (like.escape() < 0 || text.indexOf(like.escape()) < 0);
    byte[] bytes = isPlain ? Utf8.of(text) : null;
    return bytes == null ? null : new LikeScalar(bytes, before, behind);
  }

  /** Returns the text that all matches begin with; null if there is none. */
  static @Nullable String prefix(Condition.Like like) {
    LikeScalar scalar = of(like);
    return scalar == null || scalar.anyBefore || !scalar.anyBehind || scalar.text.length == 0
        ? null
        : new String(scalar.text, StandardCharsets.UTF_8);
  }

  @Override
  int ofNull() {
    return NO;
  }

  @Override
  int ofText(long address, int length) {
    if (anyBefore && anyBehind) {
      return of(Utf8.contains(address, length, text));
    }
    if (anyBefore) {
      return of(Utf8.has(address, length, length - text.length, text));
    }
    return of((anyBehind || length == text.length) && Utf8.has(address, length, 0, text));
  }

  @Override
  int ofText(byte[] bytes, int from, int to) {
    return UNSURE;
  }

  @Override
  int ofWhole(long value, int type) {
    return UNSURE;
  }

  @Override
  int ofFraction(double value, int type) {
    return UNSURE;
  }

  @Override
  int ofBoolean(boolean value) {
    return UNSURE;
  }

  @Override
  int ofOther() {
    return UNSURE;
  }
}
