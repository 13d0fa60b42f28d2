package io.keyvalueserve.journal;

import java.nio.file.OpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's option for files without the system's cache. It is supported but not of Java itself,
 * and the compiler warns of whoever names it in a way that cannot be silenced: so it is looked up.
 */
final class DirectOption {
  /** Null in a JVM that has none. */
  static final @Nullable OpenOption DIRECT = find();

  private DirectOption() {}

  private static @Nullable OpenOption find() {
    try {
      Class<?> options = Class.forName("com.sun.nio.file.ExtendedOpenOption");
      return (OpenOption) options.getField("DIRECT").get(null);
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }
}
