package io.keyvalueserve.server.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import io.keyvalueserve.engine.query.Decimals;
import io.keyvalueserve.engine.query.JsonText;
import io.keyvalueserve.sql.SqlColumn;
import io.keyvalueserve.sql.SqlCursor;
import io.keyvalueserve.sql.SqlException;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The formats of results over HTTP. Rows are written as they come. */
enum SqlFormat {
  /** One object: the columns, the rows as arrays, and how many there are. */
  JSON("application/json") {
    @Override
    void write(SqlCursor cursor, boolean hasRow, OutputStream out) throws IOException {
      try (JsonGenerator json = FACTORY.createGenerator(out)) {
        json.writeStartObject();
        if (cursor.updated() >= 0) {
          json.writeNumberField("updated", cursor.updated());
        } else {
          writeColumns(json, cursor.columns());
          json.writeArrayFieldStart("rows");
          long rows = 0;
          SqlException failure = null;
          try {
            for (boolean more = hasRow; more; more = cursor.next()) {
              json.writeStartArray();
              for (Object value : cursor.row()) {
                writeValue(json, value);
              }
              json.writeEndArray();
              rows++;
            }
          } catch (SqlException e) {
            failure = e;
          }
          json.writeEndArray();
          json.writeNumberField("rowCount", rows);
          if (failure != null) {
            SqlFailures.write(json, failure);
          }
        }
        json.writeEndObject();
      }
    }
  },

  /** An object a row, one a line. A last line with {@code error} says that rows are missing. */
  NDJSON("application/x-ndjson") {
    @Override
    void write(SqlCursor cursor, boolean hasRow, OutputStream out) throws IOException {
      try (JsonGenerator json = FACTORY.createGenerator(out)) {
        json.setRootValueSeparator(null);
        if (cursor.updated() >= 0) {
          json.writeStartObject();
          json.writeNumberField("updated", cursor.updated());
          endLine(json);
          return;
        }
        try {
          for (boolean more = hasRow; more; more = cursor.next()) {
            @Nullable Object[] row = cursor.row();
            json.writeStartObject();
            for (int i = 0; i < row.length; i++) {
              json.writeFieldName(cursor.columns().get(i).name());
              writeValue(json, row[i]);
            }
            endLine(json);
          }
        } catch (SqlException e) {
          json.writeStartObject();
          SqlFailures.write(json, e);
          endLine(json);
        }
      }
    }

    private static void endLine(JsonGenerator json) throws IOException {
      json.writeEndObject();
      json.writeRaw('\n');
    }
  },

  /** Comma-separated values (RFC 4180) with a line of names. The connection ends if it fails. */
  CSV("text/csv; charset=utf-8") {
    @Override
    void write(SqlCursor cursor, boolean hasRow, OutputStream out) throws IOException {
      Writer text = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
      if (cursor.updated() >= 0) {
        text.write("updated\r\n" + cursor.updated() + "\r\n");
      } else {
        List<SqlColumn> columns = cursor.columns();
        for (int i = 0; i < columns.size(); i++) {
          text.write(i == 0 ? "" : ",");
          text.write(quoted(columns.get(i).name()));
        }
        text.write("\r\n");
        try {
          for (boolean more = hasRow; more; more = cursor.next()) {
            @Nullable Object[] row = cursor.row();
            for (int i = 0; i < row.length; i++) {
              text.write(i == 0 ? "" : ",");
              text.write(row[i] == null ? "" : quoted(text(row[i])));
            }
            text.write("\r\n");
          }
        } catch (SqlException e) {
          text.flush();
          throw new IOException("a statement has failed after its first rows", e);
        }
      }
      text.flush();
    }

    private static String text(@Nullable Object value) {
      return switch (value) {
        case byte[] bytes -> Base64.getEncoder().encodeToString(bytes);
        case BigDecimal number -> Decimals.text(number);
        case null, default -> String.valueOf(value);
      };
    }

    private static String quoted(String text) {
      boolean needsQuotes =
          text.isEmpty() || text.chars().anyMatch(c -> c == ',' || c == '"' || c < ' ');
      return needsQuotes ? '"' + text.replace("\"", "\"\"") + '"' : text;
    }
  };

  private static final JsonFactory FACTORY =
      new JsonFactory().disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final String contentType;

  SqlFormat(String contentType) {
    this.contentType = contentType;
  }

  String contentType() {
    return contentType;
  }

  /**
   * Returns the format that a request asks for, by {@code ?format=} or its {@code Accept} header;
   * JSON if it asks for none.
   *
   * @throws HttpErrors.BadRequest if the parameter is none
   */
  static SqlFormat of(ServerRequest request) {
    String named = Parameters.text(request.query(), "format");
    if (named != null) {
      for (SqlFormat format : values()) {
        if (format.name().toLowerCase(Locale.ROOT).equals(named)) {
          return format;
        }
      }
      throw new HttpErrors.BadRequest("format", "'format' is json, ndjson or csv");
    }
    String accept = String.join(",", request.headers().all(HeaderNames.ACCEPT, List::of));
    if (accept.contains("ndjson")) {
      return NDJSON;
    }
    return accept.contains("text/csv") ? CSV : JSON;
  }

  /**
   * Writes a result.
   *
   * @param hasRow whether the cursor is at a row already
   */
  abstract void write(SqlCursor cursor, boolean hasRow, OutputStream out) throws IOException;

  private static void writeColumns(JsonGenerator json, List<SqlColumn> columns) throws IOException {
    json.writeArrayFieldStart("columns");
    for (SqlColumn column : columns) {
      json.writeStartObject();
      json.writeStringField("name", column.name());
      json.writeStringField("type", column.type().name());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void writeValue(JsonGenerator json, @Nullable Object value) throws IOException {
    switch (value) {
      case null -> json.writeNull();
      case Boolean it -> json.writeBoolean(it);
      case Byte it -> json.writeNumber(it.intValue());
      case Short it -> json.writeNumber(it.intValue());
      case Integer it -> json.writeNumber(it);
      case Long it -> json.writeNumber(it);
      case BigDecimal it -> json.writeNumber(it);
      case Float it when Float.isFinite(it) -> json.writeNumber(it);
      case Double it when Double.isFinite(it) -> json.writeNumber(it);
      case byte[] it -> json.writeString(Base64.getEncoder().encodeToString(it));
      case JsonText it -> writeDocument(json, it);
      default -> json.writeString(value.toString());
    }
  }

  /** Writes a document as it is, or as text if it is none. */
  private static void writeDocument(JsonGenerator json, JsonText text) throws IOException {
    String document;
    try {
      document = MAPPER.readTree(text.text()).toString();
    } catch (JsonProcessingException e) {
      json.writeString(text.text());
      return;
    }
    if (document.isEmpty()) {
      json.writeString(text.text());
    } else {
      json.writeRawValue(document);
    }
  }
}
