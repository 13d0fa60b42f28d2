package io.keyvalueserve.postgres.system;

import io.keyvalueserve.postgres.types.PgType;
import io.keyvalueserve.postgres.types.TextReader;
import io.keyvalueserve.postgres.wire.PostgresException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Conversions between types. */
final class Casts {
  private Casts() {}

  static Bound cast(QueryBinder queries, Bound operand, Ast.TypeName name) {
    PgType element = type(name);
    PgType target = name.isArray() ? element.array() : element;
    if (operand.isOpen() && !isByName(target)) {
      return queries.open(operand, target);
    }
    Bound source = operand.isOpen() ? queries.open(operand, PgType.TEXT) : operand;
    return Bound.of(target, env -> cast(env.run, source.eval().of(env), target));
  }

  private static PgType type(Ast.TypeName name) {
    PgType type = PgType.named(name.name());
    if (type != null) {
      return type;
    }
    return switch (name.name()) {
      case "cstring", "pg_node_tree", "aclitem", "xml", "citext", "regrole", "oidvector" ->
          PgType.TEXT;
      case "regproc", "regprocedure", "regoper", "regoperator" -> PgType.REGPROC;
      case "sql_identifier", "cardinal_number", "character_data", "yes_or_no" -> PgType.TEXT;
      default ->
          throw new PostgresException(
              "42704", "type \"" + name.name() + "\" does not exist", name.position(), "");
    };
  }

  private static boolean isByName(PgType type) {
    return switch (type) {
      case REGCLASS, REGTYPE, REGPROC, REGNAMESPACE -> true;
      default -> false;
    };
  }

  static @Nullable Object cast(Run run, @Nullable Object value, PgType target) {
    if (value == null) {
      return null;
    }
    return switch (target) {
      case TEXT, VARCHAR, BPCHAR, NAME, UNKNOWN, JSON, JSONB -> Datum.text(value);
      case CHAR -> {
        String text = Datum.text(value);
        yield text.isEmpty() ? "" : text.substring(0, 1);
      }
      case INT2, INT4, INT8, OID, XID -> whole(run, value, target);
      case NUMERIC, FLOAT4, FLOAT8 -> number(run, value, target);
      case BOOL ->
          value instanceof Number number
              ? (Object) (number.longValue() != 0)
              : value instanceof Boolean
                  ? value
                  : TextReader.read(PgType.BOOL, Datum.text(value), run.session().zone());
      case REGCLASS -> regClass(run, value);
      case REGTYPE -> regType(value);
      case REGNAMESPACE -> regNamespace(run, value);
      case REGPROC ->
          value instanceof Number number
              ? new RegName(number.longValue(), number.longValue() == 0 ? "-" : number.toString())
              : function(value);
      default -> {
        PgType element = target.element();
        if (element == null) {
          yield value instanceof String text
              ? Datum.normal(TextReader.read(target, text, run.session().zone()))
              : value;
        }
        yield list(run, value, target, element);
      }
    };
  }

  private static Object function(Object value) {
    RegName known = TypeTables.find(lastName(Datum.text(value)));
    if (known != null) {
      return known;
    }
    throw new PostgresException("42883", "function \"" + Datum.text(value) + "\" does not exist");
  }

  private static Object list(Run run, Object value, PgType target, PgType element) {
    Object read =
        value instanceof String text ? TextReader.read(target, text, run.session().zone()) : value;
    if (!(read instanceof List<?> list)) {
      throw new PostgresException("42846", "cannot cast a value to " + target.sqlName());
    }
    List<@Nullable Object> values = new ArrayList<>();
    list.forEach(each -> values.add(cast(run, Datum.normal(each), element)));
    return values;
  }

  private static @Nullable Object whole(Run run, Object value, PgType target) {
    return switch (value) {
      case Long number -> number;
      case RegName name -> name.longValue();
      case Boolean truth -> truth ? 1L : 0L;
      case Number number -> Datum.decimal(number).setScale(0, RoundingMode.HALF_EVEN).longValue();
      default -> Datum.normal(TextReader.read(target, Datum.text(value), run.session().zone()));
    };
  }

  private static @Nullable Object number(Run run, Object value, PgType target) {
    Object number =
        value instanceof Number
            ? value
            : Datum.normal(TextReader.read(target, Datum.text(value), run.session().zone()));
    return target == PgType.NUMERIC
        ? number instanceof BigDecimal || !(number instanceof Number plain)
            ? number
            : (Object) Datum.decimal(plain)
        : number instanceof Number plain ? (Object) plain.doubleValue() : number;
  }

  private static Object regClass(Run run, Object value) {
    if (value instanceof Number number) {
      return new RegName(number.longValue(), run.snapshot().relationName(number.longValue()));
    }
    String text = Datum.text(value);
    if (text.chars().allMatch(Character::isDigit) && !text.isEmpty() && text.length() < 11) {
      long oid = Long.parseLong(text);
      return new RegName(oid, run.snapshot().relationName(oid));
    }
    Long oid = run.snapshot().relationOid(lastName(text));
    if (oid == null) {
      throw new PostgresException("42P01", "relation \"" + text + "\" does not exist");
    }
    return new RegName(oid, run.snapshot().relationName(oid));
  }

  /** Returns the last part of a name that may have quotes and a schema. */
  static String lastName(String text) {
    StringBuilder name = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"') {
        quoted = !quoted;
      } else if (c == '.' && !quoted) {
        name.setLength(0);
      } else {
        name.append(quoted ? c : Character.toLowerCase(c));
      }
    }
    return name.toString();
  }

  private static Object regType(Object value) {
    if (value instanceof Number number) {
      PgType type = PgType.ofOid(number.intValue());
      return new RegName(number.longValue(), type == null ? number.toString() : type.sqlName());
    }
    String text = Datum.text(value).toLowerCase(Locale.ROOT).replace("pg_catalog.", "");
    boolean isArray = text.endsWith("[]");
    PgType type = PgType.named(isArray ? text.substring(0, text.length() - 2) : text);
    if (type == null) {
      throw new PostgresException("42704", "type \"" + text + "\" does not exist");
    }
    PgType found = isArray ? type.array() : type;
    return new RegName(found.oid(), found.sqlName());
  }

  private static Object regNamespace(Run run, Object value) {
    if (value instanceof Number number) {
      return new RegName(number.longValue(), run.snapshot().schemaName(number.longValue()));
    }
    String name = lastName(Datum.text(value));
    Long oid = Snapshot.schemaOid(name);
    if (oid == null) {
      throw new PostgresException("3F000", "schema \"" + name + "\" does not exist");
    }
    return new RegName(oid, name);
  }
}
