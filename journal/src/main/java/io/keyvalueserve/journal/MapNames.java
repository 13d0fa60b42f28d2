package io.keyvalueserve.journal;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The numbers that stand for maps' names in frames. A number stays its map's while the log knows
 * the name, over restarts too; chunks say the names of the numbers they use, so each can be read
 * without the others. Thread-safe; looking a number up takes no lock.
 */
final class MapNames {
  private final Map<String, Integer> numbers = new HashMap<>();
  private volatile String[] names = new String[0];

  /** The number of a map, a new one if it has none. */
  synchronized int number(String name) {
    Integer known = numbers.get(name);
    return known != null ? known : put(names.length, name);
  }

  /** Takes a number that a chunk says, unless another map has it: then that map gets a new one. */
  synchronized int learn(int number, String name) {
    Integer known = numbers.get(name);
    if (known != null) {
      return known;
    }
    boolean free = number >= names.length || (number >= 0 && names[number].isEmpty());
    return put(free && number <= names.length + (1 << 16) ? number : names.length, name);
  }

  private int put(int number, String name) {
    int length = Math.max(names.length, number + 1);
    String[] longer = new String[length];
    Arrays.fill(longer, "");
    System.arraycopy(names, 0, longer, 0, names.length);
    longer[number] = name;
    numbers.put(name, number);
    names = longer;
    return number;
  }

  /** The name of a map, empty if the number is not known. */
  String name(int number) {
    String[] known = names;
    return number >= 0 && number < known.length ? known[number] : "";
  }

  byte[] bytes(int number) {
    String name = name(number);
    if (name.isEmpty()) {
      throw new IllegalArgumentException("no map has this number: " + number);
    }
    return name.getBytes(StandardCharsets.UTF_8);
  }
}
