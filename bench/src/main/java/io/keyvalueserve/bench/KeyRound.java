package io.keyvalueserve.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The keys of a round, which no other round uses. Thread-safe. */
final class KeyRound extends NemesisRound {
  private static final int REGISTERS = 30;
  private static final int COUNTERS = 4;
  private static final int LOCKS = 4;

  private final List<NemesisKey> keys = new ArrayList<>();

  KeyRound(int number) {
    super(number);
    add(NemesisKey.Use.REGISTER, REGISTERS);
    add(NemesisKey.Use.COUNTER, COUNTERS);
    add(NemesisKey.Use.LOCK, LOCKS);
  }

  private void add(NemesisKey.Use use, int count) {
    for (int i = 0; i < count; i++) {
      keys.add(new NemesisKey("r" + number + "." + keys.size(), use));
    }
  }

  List<NemesisKey> keys() {
    return keys;
  }

  NemesisKey draw(SplittableRandom random) {
    return keys.get(random.nextInt(keys.size()));
  }
}
