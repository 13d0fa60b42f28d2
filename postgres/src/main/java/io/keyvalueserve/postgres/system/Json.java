package io.keyvalueserve.postgres.system;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes values as JSON. */
final class Json {
  private Json() {}

  static String of(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case Boolean truth -> truth.toString();
      case RegName name -> quoted(name.toString());
      case Number number -> Datum.text(number);
      case List<?> list -> {
        StringBuilder text = new StringBuilder("[");
        for (Object each : list) {
          text.append(text.length() > 1 ? "," : "").append(of(each));
        }
        yield text.append(']').toString();
      }
      case Composite row -> {
        StringBuilder text = new StringBuilder("{");
        for (int i = 0; i < row.names().size(); i++) {
          text.append(i > 0 ? "," : "").append(quoted(row.names().get(i))).append(':');
          text.append(of(row.values().get(i)));
        }
        yield text.append('}').toString();
      }
      default -> quoted(Datum.text(value));
    };
  }

  private static String quoted(String text) {
    StringBuilder json = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> json.append("\\\"");
        case '\\' -> json.append("\\\\");
        case '\n' -> json.append("\\n");
        case '\r' -> json.append("\\r");
        case '\t' -> json.append("\\t");
        default -> {
          if (c < ' ') {
            json.append("\\u%04x".formatted((int) c));
          } else {
            json.append(c);
          }
        }
      }
    }
    return json.append('"').toString();
  }
}
