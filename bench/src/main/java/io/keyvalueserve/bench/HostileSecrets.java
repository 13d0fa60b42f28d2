package io.keyvalueserve.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Texts that no hostile peer may ever receive: a mark that every key and value of the victim has,
 * and the keys of others. Immutable.
 */
final class HostileSecrets {
  private static final int MARK_BYTES = 10;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Map<String, byte[]> texts = new TreeMap<>();
  private final int longest;

  /**
   * @param texts what each is, and the text
   */
  HostileSecrets(Map<String, String> texts) {
    texts.forEach((what, text) -> this.texts.put(what, text.getBytes(ISO_8859_1)));
    longest = this.texts.values().stream().mapToInt(text -> text.length).max().orElse(0);
  }

  /** Returns a mark that nobody can guess. */
  static String newMark() {
    byte[] mark = new byte[MARK_BYTES];
    RANDOM.nextBytes(mark);
    return HexFormat.of().formatHex(mark);
  }

  /** Returns a search through what one connection receives. */
  Search search() {
    return new Search();
  }

  /** Looks for the texts in bytes that come in pieces. Not thread-safe. */
  final class Search {
    private final Set<String> found = new TreeSet<>();
    private byte[] tail = new byte[0];

    /** Takes the next piece. */
    void add(byte[] bytes, int count) {
      byte[] all = new byte[tail.length + count];
      System.arraycopy(tail, 0, all, 0, tail.length);
      System.arraycopy(bytes, 0, all, tail.length, count);
      texts.forEach(
          (what, text) -> {
            if (holds(all, text)) {
              found.add(what);
            }
          });
      int kept = Math.min(all.length, Math.max(0, longest - 1));
      tail = new byte[kept];
      System.arraycopy(all, all.length - kept, tail, 0, kept);
    }

    /** Returns what was found. */
    Set<String> found() {
      return found;
    }

    private static boolean holds(byte[] all, byte[] text) {
      for (int from = 0; from <= all.length - text.length; from++) {
        int same = 0;
        while (same < text.length && all[from + same] == text[same]) {
          same++;
        }
        if (same == text.length) {
          return true;
        }
      }
      return false;
    }
  }
}
