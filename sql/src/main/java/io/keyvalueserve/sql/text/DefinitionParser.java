package io.keyvalueserve.sql.text;

import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.engine.query.Mapping;
import io.keyvalueserve.engine.query.Mapping.MappingColumn;
import io.keyvalueserve.engine.query.TableIndex;
import io.keyvalueserve.sql.failure.SqlFailure;
import io.keyvalueserve.sql.failure.SqlState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Reads {@code CREATE} and {@code DROP}, of mappings and indexes. */
final class DefinitionParser {
  private static final Set<String> OBJECT_NAMES = Set.of("OBJECT", "ANY");

  private final TokenReader tokens;

  private DefinitionParser(TokenReader tokens) {
    this.tokens = tokens;
  }

  /** Reads a statement behind its first word, {@code CREATE}. */
  static Command create(TokenReader tokens) {
    DefinitionParser parser = new DefinitionParser(tokens);
    boolean replaces = tokens.take("OR", "REPLACE");
    boolean isExternal = tokens.take("EXTERNAL");
    if (tokens.take("MAPPING")) {
      return parser.mapping(replaces);
    }
    if (!replaces && !isExternal && tokens.take("INDEX")) {
      return parser.index();
    }
    throw unsupported(tokens.peek(), "CREATE");
  }

  /** Reads a statement behind its first word, {@code DROP}. */
  static Command drop(TokenReader tokens) {
    tokens.take("EXTERNAL");
    if (tokens.take("MAPPING")) {
      boolean mayLack = tokens.take("IF", "EXISTS");
      int position = tokens.peek().start() + 1;
      String name = plainName(tokens.names("the name of a mapping"), position);
      tokens.requireEnd();
      return new Command.DropMapping(name, mayLack, position);
    }
    if (tokens.take("INDEX")) {
      boolean mayLack = tokens.take("IF", "EXISTS");
      int position = tokens.peek().start() + 1;
      String name = tokens.name("the name of an index");
      tokens.require("ON");
      int tablePosition = tokens.peek().start() + 1;
      List<String> table = tokens.names("the name of a table");
      tokens.requireEnd();
      return new Command.DropIndex(table, name, mayLack, position, tablePosition);
    }
    throw unsupported(tokens.peek(), "DROP");
  }

  private static SqlFailure unsupported(Token token, String verb) {
    String hint =
        switch (token.upper()) {
          case "TABLE" ->
              verb.equals("DROP")
                  ? "a map is removed by the API of maps; DROP MAPPING removes a definition alone"
                  : "a table is a map: CREATE MAPPING says what its columns are";
          case "JOB", "SNAPSHOT" ->
              "jobs and streams of Hazelcast Jet are not part of this service";
          case "DATA" -> "data connections are not supported: only maps of this service are tables";
          case "VIEW", "MATERIALIZED" -> "views are not supported: write WITH in the statement";
          default -> "supported are " + verb + " MAPPING and " + verb + " INDEX";
        };
    return new SqlFailure(
        SqlState.UNSUPPORTED,
        verb + (token.isName() ? " " + token.upper() : "") + " is not supported",
        token.start() + 1,
        hint);
  }

  private static String plainName(List<String> names, int position) {
    List<String> rest = names;
    if (rest.size() > 1 && rest.getFirst().equalsIgnoreCase("hazelcast")) {
      rest = rest.subList(1, rest.size());
    }
    if (rest.size() > 1 && rest.getFirst().equalsIgnoreCase("public")) {
      rest = rest.subList(1, rest.size());
    }
    if (rest.size() != 1) {
      throw new SqlFailure(
          SqlState.NO_TABLE,
          "a mapping cannot be in the schema \"" + rest.getFirst() + "\"",
          position,
          "mappings are in the schema public; put a name with dots in double quotes");
    }
    return rest.getFirst();
  }

  private Command mapping(boolean replaces) {
    boolean mayExist = tokens.take("IF", "NOT", "EXISTS");
    int position = tokens.peek().start() + 1;
    String name = plainName(tokens.names("the name of a mapping"), position);
    String map = name;
    if (tokens.take("EXTERNAL", "NAME")) {
      map = String.join("/", tokens.names("the name of a map"));
    }
    List<MappingColumn> columns = tokens.takeSymbol("(") ? columns() : List.of();
    if (tokens.peek().is("DATA") || tokens.peek().is("OBJECT")) {
      throw new SqlFailure(
          SqlState.UNSUPPORTED,
          "data connections and object types are not supported",
          tokens.peek().start() + 1,
          "write TYPE IMap");
    }
    if (tokens.take("TYPE")) {
      Token type = tokens.peek();
      if (!tokens.name("the type IMap").equalsIgnoreCase("IMap")) {
        throw new SqlFailure(
            SqlState.UNSUPPORTED,
            "a mapping of type " + type.text() + " is not supported",
            type.start() + 1,
            "write TYPE IMap");
      }
    }
    Map<String, String> options = tokens.take("OPTIONS") ? options() : Map.of();
    tokens.requireEnd();
    return new Command.CreateMapping(
        new Mapping(name, map, columns, options, false), replaces, mayExist, position);
  }

  private List<MappingColumn> columns() {
    Map<String, MappingColumn> columns = new LinkedHashMap<>();
    do {
      int position = tokens.peek().start() + 1;
      String name = tokens.name("the name of a column");
      FieldType type = type();
      String external = "";
      if (tokens.take("EXTERNAL", "NAME")) {
        external = String.join(".", tokens.names("the name of a field"));
      }
      if (columns.put(name, new MappingColumn(name, type, external)) != null) {
        throw new SqlFailure(
            SqlState.SYNTAX, "the column \"" + name + "\" is there twice", position, "");
      }
    } while (tokens.takeSymbol(","));
    tokens.requireSymbol(")");
    return new ArrayList<>(columns.values());
  }

  private FieldType type() {
    Token token = tokens.peek();
    String name = tokens.name("the type of a column").toUpperCase(Locale.ROOT);
    FieldType type = Command.typeOf(name);
    if (type == FieldType.OBJECT && !OBJECT_NAMES.contains(name)) {
      throw new SqlFailure(
          SqlState.NO_OBJECT,
          "there is no type \"" + token.text() + "\"",
          token.start() + 1,
          "types are BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL, REAL, DOUBLE, VARCHAR,"
              + " VARBINARY, DATE, TIME, TIMESTAMP, TIMESTAMP WITH TIME ZONE, JSON and OBJECT");
    }
    if (name.equals("DOUBLE")) {
      tokens.take("PRECISION");
    } else if (name.startsWith("CHAR")) {
      tokens.take("VARYING");
    }
    if (tokens.takeSymbol("(")) {
      while (!tokens.takeSymbol(")")) {
        if (tokens.peek().kind() != Token.Kind.NUMBER && !tokens.peek().isSymbol(",")) {
          throw tokens.expected("a number");
        }
        tokens.next();
      }
    }
    if (type == FieldType.TIMESTAMP && tokens.take("WITH", "TIME", "ZONE")) {
      return FieldType.TIMESTAMP_WITH_TIME_ZONE;
    }
    if (type == FieldType.TIMESTAMP || type == FieldType.TIME) {
      tokens.take("WITHOUT", "TIME", "ZONE");
    }
    return type;
  }

  private Map<String, String> options() {
    Map<String, String> options = new LinkedHashMap<>();
    tokens.requireSymbol("(");
    if (tokens.takeSymbol(")")) {
      return options;
    }
    do {
      int position = tokens.peek().start() + 1;
      String name = tokens.string("the name of an option");
      tokens.requireSymbol("=");
      if (options.put(name, tokens.string("the value of an option")) != null) {
        throw new SqlFailure(
            SqlState.SYNTAX, "the option '" + name + "' is there twice", position, "");
      }
    } while (tokens.takeSymbol(","));
    tokens.requireSymbol(")");
    return options;
  }

  private Command index() {
    boolean mayExist = tokens.take("IF", "NOT", "EXISTS");
    int position = tokens.peek().start() + 1;
    String name = tokens.name("the name of an index");
    tokens.require("ON");
    int tablePosition = tokens.peek().start() + 1;
    List<String> table = tokens.names("the name of a table");
    boolean isSorted = true;
    if (tokens.take("USING")) {
      isSorted = !tokens.name("HASH or BTREE").equalsIgnoreCase("hash");
    }
    tokens.requireSymbol("(");
    List<String> attributes = new ArrayList<>();
    do {
      attributes.add(String.join(".", tokens.names("the name of a column")));
    } while (tokens.takeSymbol(","));
    tokens.requireSymbol(")");
    if (tokens.take("TYPE")) {
      isSorted = indexType();
    }
    tokens.requireEnd();
    return new Command.CreateIndex(
        table, new TableIndex(name, isSorted, attributes), mayExist, position, tablePosition);
  }

  private boolean indexType() {
    Token type = tokens.peek();
    return switch (tokens.name("HASH or SORTED").toUpperCase(Locale.ROOT)) {
      case "SORTED" -> true;
      case "HASH" -> false;
      default ->
          throw new SqlFailure(
              SqlState.UNSUPPORTED,
              "an index of type " + type.text() + " is not supported",
              type.start() + 1,
              "write TYPE HASH or TYPE SORTED");
    };
  }
}
