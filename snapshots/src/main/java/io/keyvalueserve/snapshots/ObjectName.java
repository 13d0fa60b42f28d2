package io.keyvalueserve.snapshots;

import java.util.regex.Pattern;

/**
 * The rule for names of objects: segments of {@code a-z 0-9 . _ -} joined by {@code /}, each of
 * them beginning with a letter or a digit. A name can therefore not leave the repository, and is no
 * hidden file.
 */
final class ObjectName {
  private static final int LONGEST = 512;
  private static final int LONGEST_SEGMENT = 200;
  private static final Pattern SEGMENT = Pattern.compile("[a-z0-9][a-z0-9._-]*");
  private static final Pattern START = Pattern.compile("[a-z0-9._-]*");

  private ObjectName() {}

  /**
   * Returns the name, checked.
   *
   * @throws SnapshotException if it breaks the rule
   */
  static String checked(String name) {
    if (!isValid(name)) {
      throw SnapshotException.invalid(
          "name",
          "'"
              + shown(name)
              + "' is no name of an object: join segments of a-z, 0-9, '.', '_' and '-' with '/'");
    }
    return name;
  }

  /**
   * Returns the start of names, checked: whole segments, each with a slash behind it, then the
   * start of a segment. It may be empty.
   */
  static String checkedPrefix(String prefix) {
    int slash = prefix.lastIndexOf('/');
    boolean valid =
        (slash < 0 || isValid(prefix.substring(0, slash)))
            && START.matcher(prefix.substring(slash + 1)).matches()
            && prefix.length() <= LONGEST;
    if (!valid) {
      throw SnapshotException.invalid(
          "prefix", "'" + shown(prefix) + "' is no start of a name: give segments of a name");
    }
    return prefix;
  }

  static boolean isValid(String name) {
    if (name.isEmpty() || name.length() > LONGEST) {
      return false;
    }
    int from = 0;
    while (true) {
      int slash = name.indexOf('/', from);
      int to = slash < 0 ? name.length() : slash;
      if (to - from > LONGEST_SEGMENT || !SEGMENT.matcher(name).region(from, to).matches()) {
        return false;
      }
      if (slash < 0) {
        return true;
      }
      from = slash + 1;
    }
  }

  private static String shown(String name) {
    return name.length() <= 80 ? name : name.substring(0, 80) + "…";
  }
}
