package io.keyvalueserve.tenancy.grant;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * What a decision costs, by how many grants the map has: nanoseconds and bytes allocated for each.
 * Half of the keys asked for are granted. Arguments: grants, optionally rounds.
 */
public final class GrantBench {
  private static final int KEYS = 4096;

  private GrantBench() {}

  public static void main(String[] args) {
    int count = args.length > 0 ? Integer.parseInt(args[0]) : 1_000;
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 20;
    for (String kind : List.of("keys", "prefixes", "both")) {
      run(kind, count, rounds);
    }
  }

  private static void run(String kind, int count, int rounds) {
    Random random = new Random(1);
    List<Grant> grants = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      boolean prefix = kind.equals("prefixes") || (kind.equals("both") && i % 2 == 0);
      String text = text(i);
      grants.add(
          KeyRulesTest.grant(
              prefix ? Scope.prefix(text) : Scope.key(text + "profile"), Rights.READ_WRITE));
    }
    KeyRules rules = KeyRules.of(grants, Long.MAX_VALUE);
    byte[][] keys = new byte[KEYS][];
    for (int i = 0; i < KEYS; i++) {
      keys[i] = (text(random.nextInt(2 * count)) + "profile").getBytes(UTF_8);
    }
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    double best = Double.MAX_VALUE;
    long allowed = 0;
    long bytes = 0;
    for (int round = 0; round < rounds; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      long start = System.nanoTime();
      for (int i = 0; i < 250; i++) {
        for (byte[] key : keys) {
          allowed += rules.of(key, 0, key.length) & 1;
        }
      }
      long nanos = System.nanoTime() - start;
      bytes = threads.getCurrentThreadAllocatedBytes() - before;
      best = Math.min(best, (double) nanos / (250 * KEYS));
    }
    System.out.printf(
        Locale.ROOT,
        "grants=%d on %s: %.1f ns, %.4f B a decision (%d allowed)%n",
        count,
        kind,
        best,
        (double) bytes / (250 * KEYS),
        allowed);
  }

  private static String text(int i) {
    return String.format(Locale.ROOT, "customer:%08x:", i * 0x9e3779b9);
  }
}
