package io.keyvalueserve.journal;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * The owner of the log that an inspection looks at. It is read from the identity file or, where
 * that is missing or damaged, from the headers of all chunks.
 *
 * @param identity whose
 * @param damage what is wrong with the file that should say so
 */
record Whose(LogIdentity identity, Optional<Damage> damage) {
  /**
   * Finds out.
   *
   * @throws DirectoryRefusedException if there is no log, or nothing says it
   */
  static Whose log(Disk disk) throws IOException {
    try {
      return new Whose(LogIdentity.read(disk), Optional.empty());
    } catch (DirectoryRefusedException e) {
      boolean missing = e.reason() == DirectoryRefusedException.Reason.NO_LOG;
      boolean damaged = e.reason() == DirectoryRefusedException.Reason.DAMAGED;
      if (!damaged && !(missing && !disk.list(LogFiles.CHUNKS).isEmpty())) {
        throw e;
      }
      String text = missing ? "it is missing" : "a line is missing or damaged";
      Damage damage =
          new Damage(
              Damage.Kind.BAD_IDENTITY,
              disk.path(LogFiles.IDENTITY),
              0,
              0,
              text + "; all chunks say the same, and were asked");
      return new Whose(LogIdentity.ofChunks(disk), Optional.of(damage));
    }
  }

  RecoveryReport addedTo(RecoveryReport report) {
    return damage.map(List::of).map(report::with).orElse(report);
  }
}
