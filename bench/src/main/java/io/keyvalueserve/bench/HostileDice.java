package io.keyvalueserve.bench;

import java.util.List;
import java.util.SplittableRandom;

/** Random choices of one hostile peer, repeatable by their seed. Not thread-safe. */
final class HostileDice {
  private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789:/@-_.%*?[\\\"\0\r\n";

  private final SplittableRandom random;
  private final HostileForce force;

  HostileDice(long seed, HostileForce force) {
    random = new SplittableRandom(seed);
    this.force = force;
  }

  /** Returns how much harm a single input may try to do. */
  HostileForce force() {
    return force;
  }

  /** Returns a number of 0 to below a bound. */
  int below(int bound) {
    return random.nextInt(bound);
  }

  boolean chance(double probability) {
    return random.nextDouble() < probability;
  }

  <T> T pick(List<T> values) {
    return values.get(below(values.size()));
  }

  /** Returns a number at which lengths and counts often go wrong, none above the force's claim. */
  int edge() {
    int number =
        switch (below(12)) {
          case 0 -> 0;
          case 1 -> -1;
          case 2 -> 1;
          case 3 -> Integer.MIN_VALUE;
          case 4 -> Integer.MAX_VALUE;
          case 5 -> Integer.MAX_VALUE - below(16);
          case 6 -> 1 << below(31);
          case 7 -> (1 << below(31)) - 1;
          case 8 -> below(64);
          case 9 -> 512 << 20;
          case 10 -> -below(1 << 20);
          default -> random.nextInt();
        };
    return Math.min(number, force.claim());
  }

  long edgeLong() {
    return switch (below(5)) {
      case 0 -> Long.MAX_VALUE;
      case 1 -> Long.MIN_VALUE;
      case 2 -> random.nextLong();
      case 3 -> -1;
      default -> edge();
    };
  }

  byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  /** Returns a text of fewer than so many characters, some of which mean something to protocols. */
  String text(int bound) {
    StringBuilder text = new StringBuilder();
    for (int left = below(bound); left > 0; left--) {
      text.append(LETTERS.charAt(below(LETTERS.length())));
    }
    return text.toString();
  }

  /** Changes one to eight bytes. */
  byte[] flipped(byte[] bytes) {
    byte[] changed = bytes.clone();
    if (changed.length > 0) {
      for (int left = 1 + below(8); left > 0; left--) {
        changed[below(changed.length)] = (byte) below(256);
      }
    }
    return changed;
  }
}
