package io.keyvalueserve.resp;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A reply that was read as bytes, as text that can be compared: one line for each part, indented,
 * and the elements of sets and maps in a fixed order.
 */
final class WireReply {
  private final String bytes;
  private int at;

  private WireReply(String bytes) {
    this.bytes = bytes;
  }

  /** Returns the text of a reply. */
  static String text(String bytes) {
    return new WireReply(bytes).next("");
  }

  /** Returns the texts of an array's elements. */
  static List<String> elements(String bytes) {
    WireReply reply = new WireReply(bytes);
    int count = Integer.parseInt(reply.line().substring(1));
    List<String> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(reply.next(""));
    }
    return all;
  }

  private String line() {
    int end = bytes.indexOf("\r\n", at);
    String line = bytes.substring(at, end);
    at = end + 2;
    return line;
  }

  private String next(String indent) {
    String line = line();
    char type = line.charAt(0);
    return switch (type) {
      case '$', '=' -> {
        int length = Integer.parseInt(line.substring(1));
        if (length < 0) {
          yield indent + "null\n";
        }
        String value = bytes.substring(at, at + length);
        at += length + 2;
        yield indent + "'" + value + "'\n";
      }
      case '*', '~', '%', '>' -> {
        int count = Integer.parseInt(line.substring(1));
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
          parts.add(next(indent + " ") + (type == '%' ? next(indent + " ") : ""));
        }
        if (type == '~' || type == '%') {
          Collections.sort(parts);
        }
        yield indent + type + "\n" + String.join("", parts);
      }
      default -> indent + line + "\n";
    };
  }
}
