package io.keyvalueserve.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/**
 * The version of this program.
 *
 * @param version its own version
 * @param hazelcast the version of Hazelcast it is built on
 */
public record Version(String version, String hazelcast) {
  private static final Version CURRENT = read();

  /** Returns the version of this program. */
  public static Version current() {
    return CURRENT;
  }

  private static Version read() {
    try (InputStream in = Version.class.getResourceAsStream("version.properties")) {
      if (in == null) {
        throw new IllegalStateException("version.properties is missing from the class path");
      }
      Properties properties = new Properties();
      properties.load(in);
      return new Version(
          properties.getProperty("version", "unknown"),
          properties.getProperty("hazelcast", "unknown"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
