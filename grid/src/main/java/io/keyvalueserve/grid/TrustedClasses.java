package io.keyvalueserve.grid;

import com.hazelcast.config.JavaSerializationFilterConfig;
import io.keyvalueserve.maps.readable.Extensions;
import java.io.ObjectInputFilter;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The class loader that Hazelcast makes objects with: it knows Hazelcast, the grid and the plain
 * types of the JDK, and nothing else that happens to be on the class path. So bytes that a tenant
 * sends cannot be made into an object of, say, a logging or a network library.
 */
final class TrustedClasses extends ClassLoader {
  private static final String[] PREFIXES = {
    "com.hazelcast.",
    "io.keyvalueserve.grid.",
    "io.keyvalueserve.maps.",
    "io.keyvalueserve.hazelcast.",
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

  private final Extensions extensions;
  private final ClassLoader extensionLoader;

  /** Knows the operator's classes too. */
  TrustedClasses(Extensions extensions) {
    super(TrustedClasses.class.getClassLoader());
    this.extensions = extensions;
    this.extensionLoader = loaderOf(extensions);
  }

  private static ClassLoader loaderOf(Extensions extensions) {
    ClassLoader own = TrustedClasses.class.getClassLoader();
    if (extensions.classPath().isEmpty()) {
      return own;
    }
    try {
      URL[] places = new URL[extensions.classPath().size()];
      for (int i = 0; i < places.length; i++) {
        Path place = extensions.classPath().get(i);
        if (!Files.exists(place)) {
          throw new GridStartException(
              "extensions.class-path: there is no " + place + "; name jars or folders that exist");
        }
        places[i] = place.toUri().toURL();
      }
      return new URLClassLoader("extensions", places, own);
    } catch (MalformedURLException e) {
      throw new GridStartException("extensions.class-path: " + e.getMessage(), e);
    }
  }

  /** The same rule for Java serialization, whose streams resolve classes by other ways too. */
  static JavaSerializationFilterConfig filter(Extensions extensions) {
    JavaSerializationFilterConfig filter = new JavaSerializationFilterConfig();
    filter.setDefaultsDisabled(true);
    filter.getWhitelist().addPrefixes(PREFIXES);
    filter.getWhitelist().addPrefixes("["); // arrays; their elements are classes again
    for (String name : extensions.classes()) {
      if (name.endsWith("*")) {
        filter.getWhitelist().addPrefixes(name.substring(0, name.length() - 1));
      } else {
        filter.getWhitelist().addClasses(name);
      }
    }
    return filter;
  }

  /**
   * The same rule for all Java serialization of the process, whoever reads. Other libraries in the
   * process would otherwise set one that shuts Hazelcast's members off from each other's errors.
   * Does nothing if a rule is set already.
   */
  static synchronized void installProcessFilter(Extensions extensions) {
    if (ObjectInputFilter.Config.getSerialFilter() == null) {
      StringBuilder pattern = new StringBuilder();
      for (String prefix : PREFIXES) {
        pattern.append(prefix).append("**;");
      }
      for (String name : extensions.classes()) {
        pattern.append(name.endsWith("*") ? name + "*" : name).append(';');
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
    if (extensions.names(name)) {
      return extensionLoader.loadClass(name);
    }
    throw new ClassNotFoundException(
        name + " is not among the classes that a member makes objects of");
  }
}
