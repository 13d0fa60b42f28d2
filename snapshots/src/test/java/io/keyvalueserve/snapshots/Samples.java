package io.keyvalueserve.snapshots;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/** Random content for tests. */
final class Samples {
  private Samples() {}

  static byte[] bytes(Random random, int most) {
    byte[] bytes = new byte[random.nextInt(most + 1)];
    if (random.nextBoolean()) {
      random.nextBytes(bytes);
    } else {
      Arrays.fill(bytes, (byte) random.nextInt());
    }
    return bytes;
  }

  static long number(Random random) {
    return switch (random.nextInt(6)) {
      case 0 -> -1;
      case 1 -> Long.MAX_VALUE;
      case 2 -> Long.MIN_VALUE;
      case 3 -> random.nextInt(300);
      default -> random.nextLong();
    };
  }

  static SnapshotEntry entry(Random random) {
    return new SnapshotEntry(
        bytes(random, 20),
        bytes(random, random.nextInt(10) == 0 ? 5_000 : 100),
        number(random),
        number(random),
        number(random));
  }

  static List<SnapshotEntry> entries(Random random, int most) {
    List<SnapshotEntry> entries = new ArrayList<>();
    for (int i = random.nextInt(most + 1); i > 0; i--) {
      entries.add(entry(random));
    }
    return entries;
  }

  static TenantKey key(long seed) {
    Random random = new Random(seed);
    byte[] bytes = new byte[TenantKey.BYTES];
    random.nextBytes(bytes);
    return TenantKey.ofBytes(new UUID(random.nextLong(), random.nextLong()), bytes);
  }
}
