package io.keyvalueserve.stores;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.math.BigDecimal;

/** The form of one column's value as bytes: its text in UTF-8, and bytes as they are. */
public final class ScalarValues {
  private ScalarValues() {}

  /**
   * Returns a value as bytes.
   *
   * @param type the type of the value's column
   * @param value a canonical value of the type, as a {@link Row} has it
   * @throws IllegalArgumentException if no column has such values
   */
  public static byte[] toBytes(ColumnType type, Object value) {
    requireNonNull(type, "type");
    return value instanceof byte[] bytes ? bytes : text(value).getBytes(UTF_8);
  }

  static String text(Object value) {
    if (value instanceof BigDecimal number) {
      return number.toPlainString();
    }
    String text = Texts.text(value);
    if (text == null) {
      throw new IllegalArgumentException("value: is of no column's type: give a canonical value");
    }
    return text;
  }

  /**
   * Reads what {@link #toBytes} or an application wrote.
   *
   * @throws StoreValueException if the bytes are no value of the column's type
   */
  public static Object fromBytes(StoreColumn column, byte[] value) {
    return column.coerce(value);
  }
}
