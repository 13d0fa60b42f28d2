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
 * notes each that is acknowledged with the time, until it is ended. It writes to other keys before,
 * during and after the fault: else later writes would hide what the fault has undone. All keys are
 * written once at the beginning, so that it overwrites values from then on. Arguments: a file for
 * the notes, its number, and those of {@link FaultClient#of}.
 */
final class FaultWriter {
  /** How many keys each writer has in a phase. */
  static final int KEYS = 100;

  private static final long PAUSE_MILLIS = 5;
  private static final long PAUSE_AFTER_ERROR_MILLIS = 20;

  private FaultWriter() {}

  /** Says where in a fault a writer is: its keys are others in each phase. */
  enum Phase {
    BEFORE,
    DURING,
    AFTER;

    /** The file whose presence, beside the notes, says that it has begun. */
    private Path file(Path notes) {
      return notes.resolveSibling(toString());
    }

    private static Phase now(Path notes) {
      return Files.exists(AFTER.file(notes))
          ? AFTER
          : Files.exists(DURING.file(notes)) ? DURING : BEFORE;
    }
  }

  /**
   * An acknowledged write.
   *
   * @param key its name
   * @param value larger than all before it
   * @param nanos when it was acknowledged, in the time of {@link System#nanoTime}, which processes
   *     of a machine share
   */
  record Acknowledged(String key, long value, long nanos) {}

  private static String key(int writer, Phase phase, long value) {
    return phase + "." + writer + "." + value % KEYS;
  }

  /** Has a writer go on to the keys of a phase. */
  static void begin(Phase phase, Path notes) throws IOException {
    Path _ = Files.createFile(phase.file(notes));
  }

  /** Returns what a writer has noted until now. */
  static List<Acknowledged> read(Path notes) throws IOException {
    List<Acknowledged> all = new ArrayList<>();
    if (!Files.exists(notes)) {
      return all;
    }
    String text = Files.readString(notes);
    for (String line : text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
      String[] words = line.split(" ", -1);
      all.add(new Acknowledged(words[0], Long.parseLong(words[1]), Long.parseLong(words[2])));
    }
    return all;
  }

  public static void main(String[] arguments) throws IOException {
    List<String> words = List.of(arguments);
    int number = Integer.parseInt(words.get(1));
    Path file = Path.of(words.get(0));
    int filling = KEYS * Phase.values().length;
    try (OutputStream notes = Files.newOutputStream(file);
        FaultClient client = FaultClient.of(words.subList(2, words.size()))) {
      for (long value = 1; ; value++) {
        Phase phase = value <= filling ? Phase.values()[(int) (value - 1) / KEYS] : Phase.now(file);
        String key = key(number, phase, value);
        try {
          client.set(key, Long.toString(value));
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
