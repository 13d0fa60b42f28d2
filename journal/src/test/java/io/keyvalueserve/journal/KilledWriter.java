package io.keyvalueserve.journal;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A process that puts numbered values under a few keys and prints each when it is certain, until it
 * is killed. Arguments: the directory, and the first number.
 */
final class KilledWriter {
  static final int KEYS = 50;
  static final JournalConfig CONFIG =
      JournalConfig.of("c", "m", 1, 2).withSizes(4, 64 << 10, 1 << 20).withThreads(1, 1);

  private KilledWriter() {}

  /** What a record says: key and number. */
  private static final class Said extends DurabilityWaiter {
    private final String line;
    private final ConcurrentLinkedQueue<String> lines;

    Said(String line, ConcurrentLinkedQueue<String> lines) {
      this.line = line;
      this.lines = lines;
    }

    @Override
    protected void durable() {
      lines.add(line);
    }

    @Override
    protected void failed(JournalException e) {
      lines.add("failed " + e);
    }
  }

  public static void main(String[] args) throws Exception {
    PrintStream out = System.out;
    HeldRecords held = new HeldRecords();
    Journal journal = Journal.open(CONFIG, FileDisk.at(Path.of(args[0])), held);
    held.setDead(journal);
    journal.compact(held, new CompactionPolicy(1.5, 2, 0.05, 1L << 30));
    ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();
    Random random = new Random();
    for (int i = Integer.parseInt(args[1]); ; i++) {
      int key = random.nextInt(KEYS);
      String line = key + " " + i;
      long position =
          Logs.put(journal, held, key % 7, "m", "key" + key, i + "-" + "x".repeat(i % 900));
      journal.whenDurable(position, new Said(line, lines));
      for (String certain = lines.poll(); certain != null; certain = lines.poll()) {
        out.println(certain);
      }
    }
  }
}
