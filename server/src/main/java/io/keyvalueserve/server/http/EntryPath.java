package io.keyvalueserve.server.http;

import io.helidon.http.HttpException;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The map and the key that a request names. Read from the path as it was sent: a router that
 * decodes first cannot tell a slash in a key from one between the parts.
 *
 * @param map whose entries are meant
 * @param key the bytes of the key; null if the path ends with {@code entries}
 */
record EntryPath(QualifiedName map, byte @Nullable [] key) {
  static final String ENCODING = "encoding";
  static final String BASE64URL = "base64url";

  /**
   * The number of parts before the key in {@code /api/v1/tenants/T/maps/M/entries/K}, split at its
   * slashes.
   */
  private static final int PARTS_OF_MAP = 8;

  private static final int TENANT = 4;
  private static final int MAP = 6;
  private static final String PREFIX = "/api/v1/tenants/";
  private static final int HEX = 16;

  /**
   * Parses the map and the key that a request names.
   *
   * @throws Errors.BadRequest if the key is not written as the request says
   * @throws HttpException if the path is another when it is read part by part
   */
  static EntryPath of(ServerRequest request) {
    String raw = request.prologue().uriPath().rawPath();
    String[] parts = raw.split("/", -1);
    boolean hasKey = parts.length > PARTS_OF_MAP && !parts[PARTS_OF_MAP].isEmpty();
    if (!raw.startsWith(PREFIX)
        || parts.length < PARTS_OF_MAP
        || parts.length > PARTS_OF_MAP + 1
        || !parts[MAP - 1].equals("maps")
        || !parts[MAP + 1].equals("entries")) {
      throw new HttpException(
          "no such path: write a slash within a name or a key as %2F", Status.NOT_FOUND_404);
    }
    QualifiedName map =
        new QualifiedName(
            new TenantName(text(parts[TENANT], "tenant")), new MapName(text(parts[MAP], "map")));
    return new EntryPath(
        map, hasKey ? key(text(parts[PARTS_OF_MAP], "key"), isBase64(request)) : null);
  }

  /** The key, where the route cannot be without one. */
  byte[] requireKey() {
    byte[] given = key;
    if (given == null) {
      throw new HttpErrors.BadRequest("key", "name the key: .../entries/KEY");
    }
    return given;
  }

  /** Returns whether the request says that its keys are written in base64url. */
  static boolean isBase64(ServerRequest request) {
    if (!request.query().contains(ENCODING)) {
      return false;
    }
    String encoding = request.query().get(ENCODING);
    if (!encoding.equals(BASE64URL) && !encoding.equals("text")) {
      throw new HttpErrors.BadRequest(ENCODING, "'encoding' is text or base64url");
    }
    return encoding.equals(BASE64URL);
  }

  /** The bytes of a key that is written as text or in base64url. */
  static byte[] key(String text, boolean isBase64) {
    if (!isBase64) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
    try {
      return Base64.getUrlDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw new HttpErrors.BadRequest(
          "key", "the key is not base64url (RFC 4648, section 5, padding may be left out)");
    }
  }

  /** The text of bytes, or null if they are no UTF-8. */
  static @Nullable String utf8(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  /** A part of a path without its percents (RFC 3986, section 2.1). */
  private static String text(String part, String field) {
    ByteBuffer bytes = ByteBuffer.allocate(part.length() * 3);
    int at = 0;
    while (at < part.length()) {
      char c = part.charAt(at);
      if (c == '%') {
        bytes.put((byte) octet(part, at, field));
        at += 3;
      } else {
        bytes.put(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
        at++;
      }
    }
    byte[] octets = new byte[bytes.flip().remaining()];
    bytes.get(octets);
    String text = utf8(octets);
    if (text == null) {
      throw new HttpErrors.BadRequest(
          field,
          field
              + " in the path is no UTF-8; a key of other bytes goes as base64url with"
              + " ?encoding=base64url");
    }
    return text;
  }

  private static int octet(String part, int at, String field) {
    int high = at + 2 < part.length() ? Character.digit(part.charAt(at + 1), HEX) : -1;
    int low = at + 2 < part.length() ? Character.digit(part.charAt(at + 2), HEX) : -1;
    if (high < 0 || low < 0) {
      throw new HttpErrors.BadRequest(
          field, field + " in the path: after '%' come two hexadecimal digits");
    }
    return high * HEX + low;
  }
}
