package io.keyvalueserve.postgres;

import io.keyvalueserve.postgres.wire.MessageBody;
import io.keyvalueserve.postgres.wire.ProtocolException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A client's first message, or one of those that may come in its place.
 *
 * @param code the protocol's version, or the number of a request
 */
record Startup(int code, MessageBody body) {
  private static final int MAJOR = 3;
  private static final int MOST_PARAMETERS = 100;

  /** The newest minor version that is spoken: 3.2 has longer secrets for requests to cancel. */
  static final int NEWEST_MINOR = 2;

  static final int CANCEL = 80877102;
  static final int TLS = 80877103;
  static final int GSS = 80877104;

  static Startup read(MessageBody body) {
    return new Startup(body.int32(), body);
  }

  /** Returns whether it begins a session of a version that is spoken. */
  boolean isVersion3() {
    return code >>> 16 == MAJOR;
  }

  int minor() {
    return code & 0xffff;
  }

  /** Returns the version as a client names it. */
  String version() {
    return (code >>> 16) + "." + minor();
  }

  /** Returns the number of a version with this minor. */
  static int version3(int minor) {
    return MAJOR << 16 | minor;
  }

  /** Reads the parameters. */
  Map<String, String> parameters() {
    Map<String, String> parameters = new LinkedHashMap<>();
    while (true) {
      String name = body.text();
      if (name.isEmpty()) {
        body.end();
        return parameters;
      }
      parameters.put(name, body.text());
      if (parameters.size() > MOST_PARAMETERS) {
        throw new ProtocolException("there are too many parameters");
      }
    }
  }

  /** Returns the names of parameters that ask for extensions of the protocol; none is spoken. */
  static List<String> extensions(Map<String, String> parameters) {
    List<String> names = new ArrayList<>();
    for (String name : parameters.keySet()) {
      if (name.startsWith("_pq_.")) {
        names.add(name);
      }
    }
    return names;
  }
}
