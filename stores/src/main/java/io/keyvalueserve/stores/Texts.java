package io.keyvalueserve.stores;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.time.temporal.Temporal;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The text of values, and text as bytes; null stands for what has none. */
final class Texts {
  private Texts() {}

  /** Returns the text that a TEXT column can hold. */
  static @Nullable String text(Object value) {
    String text = spelled(value);
    return text != null && storable(text) ? text : null;
  }

  static byte @Nullable [] bytes(Object value) {
    if (value instanceof byte[] bytes) {
      return bytes;
    }
    String text = spelled(value);
    return text == null || !unicode(text) ? null : text.getBytes(UTF_8);
  }

  private static @Nullable String spelled(Object value) {
    return switch (value) {
      case String text -> text;
      case byte[] bytes -> decoded(bytes);
      case BigDecimal number -> plain(number);
      case Number number -> number.toString();
      case Character character -> character.toString();
      case Boolean truth -> truth.toString();
      case UUID uuid -> uuid.toString();
      case Temporal time -> time.toString();
      default -> null;
    };
  }

  private static @Nullable String plain(BigDecimal number) {
    BigDecimal bounded = Numbers.bounded(number);
    return bounded == null ? null : bounded.toPlainString();
  }

  /** Decodes UTF-8; null if the bytes are none. */
  static @Nullable String decoded(byte[] bytes) {
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  private static boolean storable(String text) {
    return text.indexOf('\0') < 0 && unicode(text);
  }

  private static boolean unicode(String text) {
    return UTF_8.newEncoder().canEncode(text);
  }
}
