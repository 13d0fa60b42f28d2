package io.keyvalueserve.tenancy;

/** The host and port on which something listens, as people and URLs write it. */
public final class HostPort {
  private HostPort() {}

  /**
   * Joins a host and a port: {@code 127.0.0.1:6379}, {@code [::1]:6379}.
   *
   * @param host a name or an address; one of IPv6 gets brackets (RFC 3986, section 3.2.2)
   */
  public static String of(String host, int port) {
    boolean needsBrackets = host.indexOf(':') >= 0 && !host.startsWith("[");
    return (needsBrackets ? "[" + host + "]" : host) + ":" + port;
  }
}
