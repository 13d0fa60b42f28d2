package io.keyvalueserve.sql.expr;

import io.keyvalueserve.sql.failure.SqlFailure;
import io.keyvalueserve.sql.failure.SqlState;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;

/** Digests of bytes, and bytes as text. */
final class Digests {
  private Digests() {}

  static String md5(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new SqlFailure(SqlState.UNSUPPORTED, "MD5 is not available at this member");
    }
  }

  static String encode(byte[] bytes, String format) {
    return switch (format.toLowerCase(Locale.ROOT)) {
      case "hex" -> HexFormat.of().formatHex(bytes);
      case "base64" -> Base64.getEncoder().encodeToString(bytes);
      default -> throw noFormat(format);
    };
  }

  static byte[] decode(String text, String format) {
    try {
      return switch (format.toLowerCase(Locale.ROOT)) {
        case "hex" -> HexFormat.of().parseHex(text);
        case "base64" -> Base64.getMimeDecoder().decode(text);
        default -> throw noFormat(format);
      };
    } catch (IllegalArgumentException e) {
      throw new SqlFailure(SqlState.BAD_ARGUMENT, "this text is not in the format " + format);
    }
  }

  private static SqlFailure noFormat(String format) {
    return new SqlFailure(
        SqlState.BAD_ARGUMENT, "there is no format \"" + format + "\": use hex or base64");
  }
}
