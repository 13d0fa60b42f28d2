package io.keyvalueserve.grid.query;

import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.engine.query.Mapping;
import io.keyvalueserve.engine.query.Mapping.MappingColumn;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Definitions of tables as text, one of them a line. Words are separated by spaces, and encoded as
 * in URLs:
 *
 * <pre>
 *   mapping NAME MAP
 *   column NAME TYPE EXTERNAL
 *   option NAME VALUE
 * </pre>
 *
 * <p>Columns and options belong to the mapping above them. The text is stored: it does not change
 * its meaning.
 */
final class MappingCodec {
  private static final String MAPPING = "mapping";
  private static final String COLUMN = "column";
  private static final String OPTION = "option";

  private MappingCodec() {}

  static String encode(Iterable<Mapping> mappings) {
    StringBuilder text = new StringBuilder();
    for (Mapping mapping : mappings) {
      line(text, MAPPING, mapping.name(), mapping.map());
      for (MappingColumn column : mapping.columns()) {
        line(text, COLUMN, column.name(), column.type().name(), column.externalName());
      }
      new TreeMap<>(mapping.options()).forEach((name, value) -> line(text, OPTION, name, value));
    }
    return text.toString();
  }

  private static void line(StringBuilder text, String kind, String... words) {
    text.append(kind);
    for (String word : words) {
      text.append(' ').append(URLEncoder.encode(word, StandardCharsets.UTF_8));
    }
    text.append('\n');
  }

  /**
   * @throws IllegalArgumentException if it is no such text
   */
  static List<Mapping> decode(String text) {
    List<Mapping> mappings = new ArrayList<>();
    Parts parts = null;
    for (String line : text.lines().toList()) {
      String[] words = line.split(" ", -1);
      for (int i = 1; i < words.length; i++) {
        words[i] = URLDecoder.decode(words[i], StandardCharsets.UTF_8);
      }
      if (words[0].equals(MAPPING) && words.length == 3) {
        if (parts != null) {
          mappings.add(parts.mapping());
        }
        parts = new Parts(words[1], words[2], new ArrayList<>(), new TreeMap<>());
      } else if (parts == null) {
        throw new IllegalArgumentException("a mapping is missing above: " + line);
      } else if (words[0].equals(COLUMN) && words.length == 4) {
        parts.columns().add(new MappingColumn(words[1], FieldType.valueOf(words[2]), words[3]));
      } else if (words[0].equals(OPTION) && words.length == 3) {
        String _ = parts.options().put(words[1], words[2]);
      } else {
        throw new IllegalArgumentException("not a line of a mapping: " + line);
      }
    }
    if (parts != null) {
      mappings.add(parts.mapping());
    }
    return mappings;
  }

  private record Parts(
      String name, String map, List<MappingColumn> columns, Map<String, String> options) {
    Mapping mapping() {
      return new Mapping(name, map, columns, options, false);
    }
  }
}
