package io.keyvalueserve.resp.protocol;

import java.util.Set;

/** Recognises lines of HTTP requests among Redis commands. */
public final class HttpRequests {
  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT");
  private static final String VERSION = "HTTP/1.";

  private HttpRequests() {}

  /**
   * Returns whether a request is a line that a web browser sends when a page makes it send
   * commands: {@code POST} or {@code Host:}. Redis closes the connection at these words, whatever
   * follows them.
   */
  public static boolean isFromWebPage(Request request) {
    return switch (request.length(0)) {
      case 4 -> begins(request, 'p') && request.is(0, "POST");
      case 5 -> begins(request, 'h') && request.is(0, "HOST:");
      default -> false;
    };
  }

  private static boolean begins(Request request, char lower) {
    return (request.array(0)[request.offset(0)] | 0x20) == lower;
  }

  /** Returns whether a request is the first line of an HTTP request: {@code GET / HTTP/1.1}. */
  public static boolean isRequestLine(Request request) {
    return request.count() == 3
        && request.staged() == null
        && request.length(2) == VERSION.length() + 1
        && request.array(2)[0] == 'H'
        && request.latin(2).startsWith(VERSION)
        && METHODS.contains(request.latin(0));
  }
}
