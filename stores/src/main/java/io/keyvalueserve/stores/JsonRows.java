package io.keyvalueserve.stores;

import com.fasterxml.jackson.core.Base64Variants;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The form of a row's values as a JSON object with a field for each column. Numbers are exact,
 * bytes are base64, dates and times are ISO 8601 texts, and documents in JSON columns are embedded.
 * A field that is missing or null is NULL, also in a JSON column. NaN and the infinities are texts.
 */
public final class JsonRows {
  private JsonRows() {}

  /**
   * Returns the values of a row as JSON in UTF-8.
   *
   * @param columns the columns as {@link StoreTable#columns} has them: the key's first, then the
   *     values'
   */
  public static byte[] toJson(List<StoreColumn> columns, Row row) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = JsonText.FACTORY.createGenerator(bytes)) {
      json.writeStartObject();
      for (int i = 1; i < columns.size(); i++) {
        json.writeFieldName(columns.get(i).name());
        write(json, columns.get(i).type(), row.values()[i - 1]);
      }
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static void write(JsonGenerator json, ColumnType type, @Nullable Object value)
      throws IOException {
    switch (value) {
      case null -> json.writeNull();
      case Boolean truth -> json.writeBoolean(truth);
      case byte[] bytes -> json.writeBinary(bytes);
      case BigDecimal number -> json.writeNumber(number.toPlainString());
      case Float number when !Float.isFinite(number) -> json.writeString(number.toString());
      case Double number when !Double.isFinite(number) -> json.writeString(number.toString());
      case Number number -> json.writeNumber(number.toString());
      case String text when type == ColumnType.JSON -> json.writeRawValue(text);
      default -> json.writeString(ScalarValues.text(value));
    }
  }

  /**
   * Reads a JSON object.
   *
   * @param valueColumns the columns of the values, without the key's
   * @return canonical values in the order of the columns; null for fields that are missing or null
   * @throws StoreValueException if the bytes are no JSON object in UTF-8, if a field comes twice or
   *     has no column, or if a value does not fit its column
   */
  public static @Nullable Object[] fromJson(List<StoreColumn> valueColumns, byte[] json) {
    String text = Texts.decoded(json);
    if (text == null) {
      throw StoreValueException.document("write a JSON object in UTF-8");
    }
    try (JsonParser parser = JsonText.FACTORY.createParser(text)) {
      return values(valueColumns, parser, text);
    } catch (IOException e) {
      throw StoreValueException.document("it is no valid JSON, or deeper than 1000");
    }
  }

  private static @Nullable Object[] values(
      List<StoreColumn> columns, JsonParser parser, String text) throws IOException {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      throw StoreValueException.document("write a JSON object with a field for each column");
    }
    Map<String, Integer> positions = positions(columns);
    BitSet seen = new BitSet();
    @Nullable Object[] values = new Object[columns.size()];
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String field = parser.currentName();
      Integer position = positions.get(field);
      if (position == null) {
        throw StoreValueException.unknownField(field);
      }
      if (seen.get(position)) {
        throw StoreValueException.document("a field comes twice: write each field once");
      }
      seen.set(position);
      parser.nextToken();
      values[position] = value(columns.get(position), parser, text);
    }
    if (parser.nextToken() != null) {
      throw StoreValueException.document("there is more behind the JSON object: remove it");
    }
    return values;
  }

  private static Map<String, Integer> positions(List<StoreColumn> columns) {
    Map<String, Integer> positions = new HashMap<>();
    for (StoreColumn column : columns) {
      positions.put(column.name(), positions.size());
    }
    return positions;
  }

  private static @Nullable Object value(StoreColumn column, JsonParser parser, String text)
      throws IOException {
    JsonToken token = parser.currentToken();
    if (token == JsonToken.VALUE_NULL) {
      return null;
    }
    if (token.isStructStart()) {
      return column.coerce(structure(column, parser, text));
    }
    String scalar = parser.getText();
    if (column.type() == ColumnType.BYTES) {
      return binary(column, token, scalar);
    }
    if (column.type() == ColumnType.JSON && token == JsonToken.VALUE_STRING) {
      return column.coerce(quoted(scalar));
    }
    return column.coerce(scalar);
  }

  private static String quoted(String text) {
    return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
  }

  /** The text of an object or array as the document spells it. */
  private static String structure(StoreColumn column, JsonParser parser, String text)
      throws IOException {
    if (column.type() != ColumnType.JSON && column.type() != ColumnType.TEXT) {
      throw StoreValueException.notFitting(column);
    }
    int start = (int) parser.currentTokenLocation().getCharOffset();
    parser.skipChildren();
    return text.substring(start, (int) parser.currentLocation().getCharOffset());
  }

  private static Object binary(StoreColumn column, JsonToken token, String text) {
    if (token == JsonToken.VALUE_STRING) {
      try {
        return Base64Variants.MIME_NO_LINEFEEDS.decode(text);
      } catch (IllegalArgumentException e) {
        throw StoreValueException.of(column, "the text is no base64");
      }
    }
    throw StoreValueException.of(column, "the value is no text: give bytes as base64");
  }
}
