package io.keyvalueserve.hazelcast;

import java.util.List;
import java.util.function.Function;

/** Short ways to maps of a test. */
final class DirectDoors {
  private static final int OWN_FACTORY = 1;

  /** To find them takes longer than what most tests do. */
  private static final ForeignTypes FOREIGN_TYPES = findForeignTypes();

  private DirectDoors() {}

  static DirectDoor of(Function<String, AnsweringMap> maps) {
    return new DirectDoor(
        (name, tenant) -> maps.apply(name), Messages.PARTITIONS, foreignTypes(), () -> true);
  }

  static ForeignTypes foreignTypes() {
    return FOREIGN_TYPES;
  }

  private static ForeignTypes findForeignTypes() {
    try {
      return new ForeignTypes(DirectDoors.class.getClassLoader(), List.of(OWN_FACTORY));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
