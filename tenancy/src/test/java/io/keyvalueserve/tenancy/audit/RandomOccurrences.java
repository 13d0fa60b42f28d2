package io.keyvalueserve.tenancy.audit;

import io.keyvalueserve.tenancy.TenantName;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Occurrences of all kinds, some of them alike, with texts that are hard to store. */
final class RandomOccurrences {
  private static final List<AuditKind> KINDS =
      List.of(AuditKind.values()).stream().filter(kind -> !kind.isNotice()).toList();

  private final Random random;

  RandomOccurrences(Random random) {
    this.random = random;
  }

  Occurrence next() {
    return new Occurrence(
        KINDS.get(random.nextInt(KINDS.size())), actor(), tenant(), text(12), text(6));
  }

  Actor actor() {
    return switch (random.nextInt(6)) {
      case 0 -> new Actor.Operator("");
      case 1 -> new Actor.Operator("10.0.0." + random.nextInt(3));
      case 2 -> new Actor.Client("fe80::" + random.nextInt(3));
      case 3 -> Actor.Other.MEMBER;
      default ->
          new Actor.TenantKey(
              new TenantName("t" + random.nextInt(3)), "Key000000" + random.nextInt(3));
    };
  }

  /** Up to so many characters: plain, quotes, line ends, controls, halves of surrogate pairs. */
  String text(int most) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(most + 1); i > 0; i--) {
      switch (random.nextInt(8)) {
        case 0 -> text.append("\"\\\n\r\t".charAt(random.nextInt(5)));
        case 1 -> text.append((char) random.nextInt(32));
        case 2 -> text.append((char) (0xD800 + random.nextInt(0x800)));
        case 3 -> text.appendCodePoint(0x1F600 + random.nextInt(50));
        default -> text.append((char) ('a' + random.nextInt(4)));
      }
    }
    return text.toString();
  }

  private @Nullable TenantName tenant() {
    return random.nextInt(3) == 0 ? null : new TenantName("t" + random.nextInt(3));
  }
}
