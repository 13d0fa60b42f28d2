package io.keyvalueserve.bench;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A program that writes numbers to its own keys, one after the other and again from the first, and
 * notes each that is acknowledged with the time, until it is ended. Arguments: a file for the
 * notes, its number, and those of {@link FaultClient#of}.
 */
final class FaultWriter {
  /** How many keys each writer has. */
  static final int KEYS = 100;

  private static final long PAUSE_MILLIS = 5;
  private static final long PAUSE_AFTER_ERROR_MILLIS = 20;

  private FaultWriter() {}

  /**
   * An acknowledged write.
   *
   * @param key of all keys of the writer
   * @param value larger than all before it
   * @param nanos when it was acknowledged, in the time of {@link System#nanoTime}, which processes
   *     of a machine share
   */
  record Acknowledged(int key, long value, long nanos) {}

  /** The name of a key. */
  static String key(int writer, int key) {
    return "w" + writer + "." + key;
  }

  /** What a writer has noted until now. */
  static List<Acknowledged> read(Path notes) throws IOException {
    List<Acknowledged> all = new ArrayList<>();
    if (!Files.exists(notes)) {
      return all;
    }
    String text = Files.readString(notes);
    for (String line : text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
      String[] words = line.split(" ", -1);
      all.add(
          new Acknowledged(
              Integer.parseInt(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2])));
    }
    return all;
  }

  public static void main(String[] arguments) throws IOException {
    List<String> words = List.of(arguments);
    int number = Integer.parseInt(words.get(1));
    try (OutputStream notes = Files.newOutputStream(Path.of(words.get(0)));
        FaultClient client = FaultClient.of(words.subList(2, words.size()))) {
      for (long value = 1; ; value++) {
        int key = (int) (value % KEYS);
        try {
          client.set(key(number, key), Long.toString(value));
          notes.write(
              (key + " " + value + " " + System.nanoTime() + "\n")
                  .getBytes(StandardCharsets.US_ASCII));
          Clock.sleepMillis(PAUSE_MILLIS);
        } catch (IOException e) {
          System.out.println(value + ": " + e.getMessage());
          Clock.sleepMillis(PAUSE_AFTER_ERROR_MILLIS);
        }
      }
    }
  }
}
