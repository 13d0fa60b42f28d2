package io.keyvalueserve.maps.readable;

import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Code of the operator's that runs on members for tenants: entry processors. Tenants cannot bring
 * code along; they can only name what is listed here. All members of a cluster need the same.
 *
 * @param classPath jars and folders with the classes
 * @param classes what may be made of a tenant's bytes: a class by its full name, or all classes of
 *     a package as {@code com.acme.*}; with a class path, {@link KnownProcessors} are added
 * @param factories Hazelcast's {@code DataSerializableFactory} classes by their ids, for clients in
 *     languages without Java serialization
 */
public record Extensions(
    List<Path> classPath, List<String> classes, Map<Integer, String> factories) {
  /** No such code. */
  public static final Extensions NONE = new Extensions(List.of(), List.of(), Map.of());

  private static final String ALL_OF_PACKAGE = ".*";

  public Extensions {
    classPath = List.copyOf(classPath);
    classes = classPath.isEmpty() ? List.copyOf(classes) : withKnown(classes);
    factories = Map.copyOf(factories);
  }

  private static List<String> withKnown(List<String> classes) {
    Set<String> all = new LinkedHashSet<>(classes);
    KnownProcessors.CLASSES.stream().sorted().forEach(all::add);
    return List.copyOf(all);
  }

  /** Returns whether objects of a class may be made. */
  public boolean names(String className) {
    for (String pattern : classes) {
      boolean named =
          pattern.endsWith(ALL_OF_PACKAGE)
              ? className.startsWith(pattern.substring(0, pattern.length() - 1))
              : className.equals(pattern);
      if (named) {
        return true;
      }
    }
    return factories.containsValue(className);
  }
}
