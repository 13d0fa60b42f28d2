package io.keyvalueserve.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.keyvalueserve.cli.KvsCommand.Failure;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * The result of a statement, read as it comes: columns and rows, or how many rows were written.
 * Used by one thread; {@link #close} may be called by any.
 */
final class SqlResult implements AutoCloseable {
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();
  private static final JsonFactory FACTORY = JSON.getFactory();
  private static final long NONE = -1;

  private final Runnable end;
  private final JsonParser parser;
  private final List<SqlColumnHead> columns = new ArrayList<>();
  private boolean isInRows;
  private long updated = NONE;

  private SqlResult(InputStream body, Runnable end) throws IOException {
    this.end = end;
    parser = FACTORY.createParser(body);
  }

  /**
   * Reads up to the first row.
   *
   * @param end called when the result is closed
   * @throws SqlRefusal if the statement has failed
   * @throws Failure if the answer is no result
   */
  static SqlResult open(InputStream body, Runnable end) {
    SqlResult result;
    try {
      result = new SqlResult(body, end);
      if (result.parser.nextToken() != JsonToken.START_OBJECT) {
        throw new Failure("the server's answer is no result: is it a KeyValueServe server?");
      }
      result.readFields();
      return result;
    } catch (IOException e) {
      throw broken(e);
    }
  }

  /** Reads fields until rows begin, or to the end. */
  private void readFields() throws IOException {
    SqlRefusal refusal = null;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String field = parser.currentName();
      JsonToken value = parser.nextToken();
      if (field.equals("rows") && value == JsonToken.START_ARRAY) {
        isInRows = true;
        return;
      }
      switch (field) {
        case "columns" -> readColumns();
        case "updated" -> updated = parser.getLongValue();
        case "error" -> refusal = SqlRefusal.of(parser.readValueAsTree());
        default -> parser.skipChildren();
      }
    }
    if (parser.currentToken() != JsonToken.END_OBJECT) {
      throw new IOException("the answer ends before its end");
    }
    if (refusal != null) {
      throw refusal;
    }
  }

  private void readColumns() throws IOException {
    JsonNode all = parser.readValueAsTree();
    all.forEach(
        each ->
            columns.add(new SqlColumnHead(each.path("name").asText(), each.path("type").asText())));
  }

  /** Returns the columns; empty if the statement returns no rows. */
  List<SqlColumnHead> columns() {
    return columns;
  }

  /** Returns how many rows were written; -1 if the statement returns rows. */
  long updated() {
    return updated;
  }

  /**
   * Reads a row.
   *
   * @return the row; empty after the last one
   * @throws SqlRefusal if the statement fails before its last row
   */
  List<SqlCell> next() {
    if (!isInRows) {
      return List.of();
    }
    try {
      if (parser.nextToken() == JsonToken.START_ARRAY) {
        return row();
      }
      if (parser.currentToken() != JsonToken.END_ARRAY) {
        throw new IOException("the answer ends before its end");
      }
      isInRows = false;
      readFields();
      return List.of();
    } catch (IOException e) {
      throw broken(e);
    }
  }

  private List<SqlCell> row() throws IOException {
    List<SqlCell> row = new ArrayList<>(columns.size());
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      row.add(cell());
    }
    return row;
  }

  private SqlCell cell() throws IOException {
    return switch (parser.currentToken()) {
      case VALUE_NULL -> SqlCell.NULL;
      case VALUE_STRING -> new SqlCell(SqlCell.Kind.TEXT, parser.getText());
      case START_OBJECT, START_ARRAY -> {
        JsonNode document = JSON.readTree(parser);
        yield new SqlCell(SqlCell.Kind.RAW, document.toString());
      }
      case null -> throw new IOException("the answer ends within a row");
      default -> new SqlCell(SqlCell.Kind.RAW, parser.getText());
    };
  }

  private static Failure broken(IOException e) {
    return new Failure(
        "not all of the result was received: "
            + (e instanceof JsonProcessingException json ? json.getOriginalMessage() : e)
            + "; what was printed is a part");
  }

  /** Ends the statement if rows are left. Idempotent. */
  @Override
  public void close() {
    end.run();
  }
}
