package io.keyvalueserve.stores;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A JDBC URL that loads no classes, reads no files and runs no statements by its parameters. Other
 * parameters than the listed ones are refused, for drivers have many that do.
 *
 * @param url the URL without a password
 * @param password the password that was in it
 */
record JdbcUrl(String url, @Nullable String password) {
  private static final String POSTGRESQL = "jdbc:postgresql:";
  private static final String H2 = "jdbc:h2:";

  /**
   * Refuses controls, spaces, escapes and whatever is not ASCII: no driver reads them in two ways.
   */
  private static final Pattern PLAIN = Pattern.compile("[!-~&&[^\\\\]]{1,2000}");

  private static final Pattern POSTGRESQL_PLACE =
      Pattern.compile("(//[A-Za-z0-9._:,\\[\\]-]*/?)?[A-Za-z0-9._~%+-]*");
  private static final Pattern H2_PLACE =
      Pattern.compile(
          "mem:[A-Za-z0-9._-]*|file:([A-Za-z]:)?[A-Za-z0-9._~/-]+|(tcp|ssl)://[A-Za-z0-9._:,~/\\[\\]-]+");

  private static final String JVM_TRUST = "org.postgresql.ssl.DefaultJavaSSLFactory";
  private static final Set<String> POSTGRESQL_PARAMETERS =
      Set.of(
          "user",
          "password",
          "ssl",
          "sslmode",
          "sslNegotiation",
          "sslfactory",
          "channelBinding",
          "gssEncMode",
          "requireAuth",
          "ApplicationName",
          "currentSchema",
          "connectTimeout",
          "loginTimeout",
          "socketTimeout",
          "cancelSignalTimeout",
          "tcpKeepAlive",
          "targetServerType",
          "loadBalanceHosts",
          "hostRecheckSeconds",
          "prepareThreshold",
          "preparedStatementCacheQueries",
          "preparedStatementCacheSizeMiB",
          "binaryTransfer");
  private static final Set<String> H2_SETTINGS =
      Set.of(
          "USER",
          "PASSWORD",
          "SCHEMA",
          "MODE",
          "IFEXISTS",
          "LOCK_TIMEOUT",
          "DB_CLOSE_DELAY",
          "DB_CLOSE_ON_EXIT",
          "DATABASE_TO_UPPER",
          "DATABASE_TO_LOWER",
          "CASE_INSENSITIVE_IDENTIFIERS",
          "NON_KEYWORDS",
          "NETWORK_TIMEOUT");

  static JdbcUrl parse(String url) {
    if (!PLAIN.matcher(url).matches()) {
      throw wrong(
          "has a space, a backslash or a character outside ASCII, or more than 2000 characters",
          "write such characters of a PostgreSQL password as %20, or give the password apart");
    }
    if (url.startsWith(POSTGRESQL)) {
      return postgresql(url);
    }
    if (url.startsWith(H2)) {
      return h2(url);
    }
    throw wrong("is of no supported database", "give jdbc:postgresql:... or jdbc:h2:...");
  }

  private static JdbcUrl postgresql(String url) {
    int question = url.indexOf('?');
    String place = question < 0 ? url : url.substring(0, question);
    if (!POSTGRESQL_PLACE.matcher(place.substring(POSTGRESQL.length())).matches()) {
      throw wrong(
          "names no place of a database",
          "write jdbc:postgresql://host:5432/database, and user and password apart");
    }
    List<String> parameters =
        question < 0 ? List.of() : List.of(url.substring(question + 1).split("&", -1));
    return new Parameters(place, '?', '&').read(parameters, JdbcUrl::postgresqlName);
  }

  private static String postgresqlName(String name, String value) {
    if (!POSTGRESQL_PARAMETERS.contains(name)) {
      throw refused("parameter", name, POSTGRESQL_PARAMETERS);
    }
    if (name.equals("sslfactory") && !value.equals(JVM_TRUST)) {
      throw wrong("has an sslfactory that would load a class", "the only one is " + JVM_TRUST);
    }
    return name.equals("password") ? decoded(value) : "";
  }

  private static String decoded(String value) {
    try {
      return URLDecoder.decode(value, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw wrong("has a password with a % that is no code", "write % as %25");
    }
  }

  private static JdbcUrl h2(String url) {
    List<String> parts = List.of(url.split(";", -1));
    if (!H2_PLACE.matcher(parts.getFirst().substring(H2.length())).matches()) {
      throw wrong(
          "names no place of a database",
          "write jdbc:h2:mem:name, jdbc:h2:file:path, jdbc:h2:tcp://host/name or"
              + " jdbc:h2:ssl://host/name");
    }
    return new Parameters(parts.getFirst(), ';', ';')
        .read(parts.subList(1, parts.size()), JdbcUrl::h2Name);
  }

  private static String h2Name(String name, String value) {
    String upper = name.toUpperCase(Locale.ROOT);
    if (!H2_SETTINGS.contains(upper)) {
      throw refused("setting", upper, H2_SETTINGS);
    }
    return upper.equals("PASSWORD") ? value : "";
  }

  /** Names what is refused only if it looks like a name: it may be the rest of a password. */
  private static IllegalArgumentException refused(String kind, String name, Set<String> known) {
    boolean telling = Hostile.NAMES.contains(name);
    return wrong(
        "has a " + kind + (telling ? ", " + name + "," : "") + " that is not allowed",
        "allowed are " + String.join(", ", known.stream().sorted().toList()));
  }

  private static IllegalArgumentException wrong(String problem, String remedy) {
    return new IllegalArgumentException("jdbcUrl: " + problem + ": " + remedy);
  }

  private interface Check {
    /** Checks a parameter, and returns the password if it is one, else an empty text. */
    String password(String name, String value);
  }

  private record Parameters(String place, char first, char next) {
    JdbcUrl read(List<String> parameters, Check check) {
      List<String> kept = new ArrayList<>();
      String password = null;
      for (String parameter : parameters) {
        if (parameter.isEmpty()) {
          continue;
        }
        int equals = parameter.indexOf('=');
        String name = equals < 0 ? parameter : parameter.substring(0, equals);
        String found = check.password(name, equals < 0 ? "" : parameter.substring(equals + 1));
        if (found.isEmpty()) {
          kept.add(parameter);
        } else if (password == null) {
          password = found;
        } else {
          throw wrong("has two passwords", "give one");
        }
      }
      String tail = kept.isEmpty() ? "" : first + String.join(String.valueOf(next), kept);
      return new JdbcUrl(place + tail, password);
    }
  }

  /** The parameters that people do try, which a message may name. */
  private static final class Hostile {
    static final Set<String> NAMES =
        Set.of(
            "socketFactory",
            "socketFactoryArg",
            "sslfactoryarg",
            "sslhostnameverifier",
            "sslpasswordcallback",
            "sslpassword",
            "sslcert",
            "sslkey",
            "sslrootcert",
            "authenticationPluginClassName",
            "loggerFile",
            "loggerLevel",
            "jaasApplicationName",
            "jaasLogin",
            "xmlFactoryFactory",
            "localSocketAddress",
            "options",
            "service",
            "INIT",
            "CIPHER",
            "AUTO_SERVER",
            "TRACE_LEVEL_FILE",
            "DATABASE_EVENT_LISTENER",
            "JAVA_OBJECT_SERIALIZER",
            "AUTHENTICATOR",
            "ACCESS_MODE_DATA",
            "FORBID_CREATION");
  }
}
