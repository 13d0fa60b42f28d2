package io.keyvalueserve.tenancy.audit;

/**
 * Text that comes from outside, made fit for the trail: bounded, well-formed, and without secrets.
 *
 * <p>A client may show an access key where a name belongs. What follows {@code kvs_<id>_} or {@code
 * kvsop_} is put out with asterisks, and so is whatever could be the secret half alone: 43 or more
 * letters and digits in a row, unless all are hexadecimal (a digest is no secret of ours). Doing it
 * twice changes nothing more.
 */
final class AuditText {
  private static final int SECRET_CHARACTERS = 43;
  private static final int ID_CHARACTERS = 10;
  private static final String KEY = "kvs_";
  private static final String OPERATOR_KEY = "kvsop_";

  /** Characters behind the bound that are looked at: a secret that begins before it is seen. */
  private static final int BEYOND = 64;

  private AuditText() {}

  /** The text, or its first characters, as UTF-16 units; takes time for so many only. */
  static String of(String text, int mostCharacters) {
    int seen = Math.min(text.length(), mostCharacters + BEYOND);
    char[] characters = text.substring(0, seen).toCharArray();
    putOutSecrets(text, characters);
    replaceLoneSurrogates(characters);
    int kept = Math.min(seen, mostCharacters);
    if (kept < seen && kept > 0 && Character.isHighSurrogate(characters[kept - 1])) {
      kept--;
    }
    return new String(characters, 0, kept);
  }

  private static void putOutSecrets(String text, char[] characters) {
    for (int start = 0; start < characters.length; ) {
      int end = start;
      while (end < characters.length && isLetterOrDigit(characters[end])) {
        end++;
      }
      if (isSecret(text, start, end)) {
        for (int i = start; i < end; i++) {
          characters[i] = '*';
        }
      }
      start = end + 1;
    }
  }

  private static boolean isSecret(String text, int start, int end) {
    return (end - start >= SECRET_CHARACTERS && !isHexadecimal(text, start, end))
        || (end > start && (isAfterOperatorPrefix(text, start) || isAfterKeyId(text, start)));
  }

  private static boolean isAfterOperatorPrefix(String text, int start) {
    return text.startsWith(OPERATOR_KEY, start - OPERATOR_KEY.length());
  }

  private static boolean isAfterKeyId(String text, int start) {
    int id = start - 1 - ID_CHARACTERS;
    if (!text.startsWith(KEY, id - KEY.length()) || text.charAt(start - 1) != '_') {
      return false;
    }
    for (int i = id; i < start - 1; i++) {
      if (!isLetterOrDigit(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isHexadecimal(String text, int start, int end) {
    for (int i = start; i < end; i++) {
      if (Character.digit(text.charAt(i), 16) < 0) {
        return false;
      }
    }
    return true;
  }

  private static boolean isLetterOrDigit(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  }

  private static void replaceLoneSurrogates(char[] characters) {
    for (int i = 0; i < characters.length; i++) {
      if (Character.isHighSurrogate(characters[i])
          && i + 1 < characters.length
          && Character.isLowSurrogate(characters[i + 1])) {
        i++;
      } else if (Character.isSurrogate(characters[i])) {
        characters[i] = '\uFFFD';
      }
    }
  }
}
