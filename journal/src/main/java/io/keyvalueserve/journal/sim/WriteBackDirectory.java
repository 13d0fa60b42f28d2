package io.keyvalueserve.journal.sim;

import io.keyvalueserve.journal.FileDisk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A directory of a {@link WriteBackDisk}: where it is on the medium, and its changes, in order,
 * that were not synced. Guarded by the disk's monitor.
 */
final class WriteBackDirectory {
  /** A name on the medium. */
  record Place(WriteBackDirectory directory, String base) {
    String path() {
      String parent = directory.path();
      return parent.isEmpty() ? base : parent + "/" + base;
    }
  }

  /** A change of the directory that a name is in. */
  private sealed interface Change {
    /** A directory was made. */
    record Made(Place place, WriteBackDirectory directory) implements Change {}

    /** A file got a name, and lost the one it had. */
    record Named(Place place, WriteBackFile file, long number) implements Change {}

    /** A file was removed. */
    record Removed(Place place, WriteBackFile file) implements Change {}
  }

  private final FileDisk medium;
  private final List<Change> changes = new ArrayList<>();

  /** Files on the medium, as far as they were asked for. */
  private final Map<String, WriteBackFile> certain = new HashMap<>();

  private @Nullable Place place;

  /** A directory of the medium; the first of all has no place. */
  WriteBackDirectory(FileDisk medium, @Nullable Place place) {
    this.medium = medium;
    this.place = place;
  }

  String path() {
    return place == null ? "" : place.path();
  }

  Place place(String base) {
    return new Place(this, base);
  }

  /** The file is here, on the medium too. */
  void has(String base, WriteBackFile file) {
    certain.put(base, file);
  }

  // ---- changes

  void made(String base, WriteBackDirectory directory) {
    changes.add(new Change.Made(place(base), directory));
  }

  /**
   * A file gets a name here.
   *
   * @param number greater than that of each change before
   */
  void named(String base, WriteBackFile file, long number) {
    changes.add(new Change.Named(place(base), file, number));
  }

  void removed(String base, WriteBackFile file) {
    changes.add(new Change.Removed(place(base), file));
  }

  int changes() {
    return changes.size();
  }

  /** Has the first so many changes reach the medium. */
  void settle(int count, WriteBackDisk disk) throws IOException {
    for (; count > 0; count--) {
      switch (changes.removeFirst()) {
        case Change.Made made -> made.directory.moveTo(made.place);
        case Change.Named named -> settle(named, disk);
        case Change.Removed removed -> settle(removed);
      }
    }
  }

  private void moveTo(Place to) throws IOException {
    medium.rename(path(), to.path());
    place = to;
  }

  private void settle(Change.Named named, WriteBackDisk disk) throws IOException {
    WriteBackFile file = named.file;
    Place from = file.place;
    if (from == null || named.number < file.placedBy) {
      return; // the directory that it went on to was synced before this one
    }
    Place to = named.place;
    WriteBackFile replaced = certain.get(to.base);
    if (replaced != null) {
      disk.keepIfNamed(replaced);
    }
    medium.rename(from.path(), to.path());
    from.directory.certain.remove(from.base, file);
    certain.put(to.base, file);
    file.place = to;
    file.placedBy = named.number;
  }

  private void settle(Change.Removed removed) throws IOException {
    Place at = removed.place;
    if (certain.remove(at.base, removed.file)) {
      medium.delete(at.path());
      removed.file.place = null;
    }
  }
}
