package io.keyvalueserve.grid.external;

import com.hazelcast.core.HazelcastJsonValue;
import io.keyvalueserve.stores.ColumnType;
import io.keyvalueserve.stores.ScalarValues;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.UUID;

/**
 * The objects by which clients may name one row: Redis clients name number 1 by the string "1",
 * others by a long or an int. The entry of each is another one.
 */
final class KeyForms {
  private static final int UUID_LENGTH = 36;
  private static final int LONGEST_INTEGER = 20;

  private KeyForms() {}

  /** Returns the forms of a key, that of its column first. */
  static Set<Object> of(ColumnType type, Object key) {
    Set<Object> forms = new LinkedHashSet<>();
    switch (key) {
      case String text when type == ColumnType.JSON -> {
        forms.add(new HazelcastJsonValue(text));
        forms.add(text);
      }
      case String text -> ofText(text, forms);
      case byte[] bytes -> ofBytes(bytes, forms);
      case BigDecimal number -> ofDecimal(number, forms);
      case Short _, Integer _, Long _ -> {
        forms.add(key);
        ofWhole(((Number) key).longValue(), forms);
      }
      case Float _, Double _, Boolean _, UUID _ -> {
        forms.add(key);
        forms.add(key.toString());
      }
      default -> forms.add(new String(ScalarValues.toBytes(type, key), StandardCharsets.UTF_8));
    }
    return forms;
  }

  private static void ofText(String text, Set<Object> forms) {
    forms.add(text);
    if (text.length() <= LONGEST_INTEGER && text.matches("0|-?[1-9][0-9]*")) {
      try {
        ofWhole(Long.parseLong(text), forms);
      } catch (NumberFormatException e) {
        // no number that a client has for a key
      }
    } else if (text.length() == UUID_LENGTH && isUuid(text)) {
      forms.add(UUID.fromString(text));
    }
  }

  private static boolean isUuid(String text) {
    return text.matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
  }

  private static void ofWhole(long number, Set<Object> forms) {
    forms.add(Long.toString(number));
    forms.add(number);
    if (number == (int) number) {
      forms.add((int) number);
    }
    if (number == (short) number) {
      forms.add((short) number);
    }
  }

  private static void ofDecimal(BigDecimal number, Set<Object> forms) {
    forms.add(number);
    forms.add(number.toPlainString());
    BigDecimal stripped = number.stripTrailingZeros();
    forms.add(stripped.scale() < 0 ? stripped.setScale(0) : stripped);
    forms.add(stripped.toPlainString());
    if (stripped.scale() <= 0 && stripped.precision() - stripped.scale() < LONGEST_INTEGER - 1) {
      ofWhole(stripped.longValueExact(), forms);
    }
  }

  private static void ofBytes(byte[] bytes, Set<Object> forms) {
    forms.add(bytes);
    try {
      forms.add(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException e) {
      // no client names it by a string
    }
  }
}
