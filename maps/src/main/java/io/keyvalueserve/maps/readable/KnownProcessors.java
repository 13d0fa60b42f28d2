package io.keyvalueserve.maps.readable;

import java.util.Set;

/**
 * Entry processors of public libraries that the operator need not list: having the library's jars
 * on the class path of the extensions is enough. Each only changes the entry that it is run on, by
 * what the tenant sends with it. See docs/tenancy.md, "Entry processors".
 */
final class KnownProcessors {
  /** The processors, with the classes that they and their entries are made of. */
  static final Set<String> CLASSES =
      Set.of(
          // Spring Session for Hazelcast
          "org.springframework.session.hazelcast.SessionUpdateEntryProcessor",
          "org.springframework.session.MapSession",
          // Bucket4j for Hazelcast
          "io.github.bucket4j.grid.hazelcast.HazelcastEntryProcessor",
          "io.github.bucket4j.grid.hazelcast.SimpleBackupProcessor",
          "io.github.bucket4j.grid.hazelcast.VersionedBackupProcessor");

  private KnownProcessors() {}
}
