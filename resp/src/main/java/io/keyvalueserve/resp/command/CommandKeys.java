package io.keyvalueserve.resp.command;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The keys of a request that somebody asks about, as COMMAND GETKEYS tells them. */
final class CommandKeys {
  private static final List<String> READ = List.of("RO", "access");
  private static final List<String> OVERWRITE = List.of("OW", "update");
  private static final List<String> CHANGE = List.of("RW", "access", "update");

  private CommandKeys() {}

  /**
   * A key of a request.
   *
   * @param flags what the command does with it
   */
  record Key(byte[] bytes, List<String> flags) {}

  /**
   * Returns the keys of a request, in order.
   *
   * @param arguments the request, its name first
   * @return null if its arguments do not say which keys it has
   */
  static @Nullable List<Key> of(CommandFacts facts, byte[][] arguments) {
    return switch (facts.name()) {
      case "set" -> List.of(new Key(arguments[1], has(arguments, 3, "GET") ? CHANGE : OVERWRITE));
      case "bitfield" ->
          List.of(
              new Key(
                  arguments[1],
                  has(arguments, 2, "SET") || has(arguments, 2, "INCRBY") ? CHANGE : READ));
      case "sort" -> sorted(arguments);
      case "sort_ro" -> List.of(new Key(arguments[1], READ));
      default -> bySpecifications(facts, arguments);
    };
  }

  private static @Nullable List<Key> bySpecifications(CommandFacts facts, byte[][] arguments) {
    List<Key> keys = new ArrayList<>();
    for (KeySpecification specification : facts.keys()) {
      List<Integer> found = new ArrayList<>();
      if (!specification.find(arguments, found)) {
        return null;
      }
      for (int index : found) {
        keys.add(new Key(arguments[index], specification.flags()));
      }
    }
    return keys.isEmpty() ? null : keys;
  }

  private static List<Key> sorted(byte[][] arguments) {
    List<Key> keys = new ArrayList<>();
    keys.add(new Key(arguments[1], READ));
    for (int i = 2; i < arguments.length - 1; i++) {
      switch (word(arguments[i])) {
        case "LIMIT" -> i += 2;
        case "GET", "BY" -> i++;
        case "STORE" -> {
          while (keys.size() > 1) {
            keys.removeLast(); // the last one counts
          }
          keys.add(new Key(arguments[++i], OVERWRITE));
        }
        default -> {}
      }
    }
    return keys;
  }

  private static boolean has(byte[][] arguments, int from, String word) {
    for (int i = from; i < arguments.length; i++) {
      if (word(arguments[i]).equals(word)) {
        return true;
      }
    }
    return false;
  }

  private static String word(byte[] argument) {
    return new String(argument, ISO_8859_1).toUpperCase(Locale.ROOT);
  }
}
