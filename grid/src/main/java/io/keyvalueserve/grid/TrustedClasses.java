package io.keyvalueserve.grid;

import com.hazelcast.config.JavaSerializationFilterConfig;
import java.io.ObjectInputFilter;

/**
 * The class loader that Hazelcast makes objects with: it knows Hazelcast, the grid and the plain
 * types of the JDK, and nothing else that happens to be on the class path. So bytes that a tenant
 * sends cannot be made into an object of, say, a logging or a network library.
 */
final class TrustedClasses extends ClassLoader {
  private static final String[] PREFIXES = {
    "com.hazelcast.",
    "io.keyvalueserve.grid.",
    "java.io.",
    "java.lang.",
    "java.math.",
    "java.net.",
    "java.nio.",
    "java.security.",
    "java.time.",
    "java.util.",
    "javax.security.auth."
  };

  TrustedClasses() {
    super(TrustedClasses.class.getClassLoader());
  }

  /** The same rule for Java serialization, whose streams resolve classes by other ways too. */
  static JavaSerializationFilterConfig filter() {
    JavaSerializationFilterConfig filter = new JavaSerializationFilterConfig();
    filter.setDefaultsDisabled(true);
    filter.getWhitelist().addPrefixes(PREFIXES);
    filter.getWhitelist().addPrefixes("["); // arrays; their elements are classes again
    return filter;
  }

  /**
   * The same rule for all Java serialization of the process, whoever reads. Other libraries in the
   * process would otherwise set one that shuts Hazelcast's members off from each other's errors.
   * Does nothing if a rule is set already.
   */
  static void installProcessFilter() {
    if (ObjectInputFilter.Config.getSerialFilter() == null) {
      StringBuilder pattern = new StringBuilder();
      for (String prefix : PREFIXES) {
        pattern.append(prefix).append("**;");
      }
      ObjectInputFilter.Config.setSerialFilter(
          ObjectInputFilter.Config.createFilter(pattern.append("!*").toString()));
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    for (String prefix : PREFIXES) {
      if (name.startsWith(prefix)) {
        return super.loadClass(name, resolve);
      }
    }
    throw new ClassNotFoundException(
        name + " is not among the classes that a member makes objects of");
  }
}
