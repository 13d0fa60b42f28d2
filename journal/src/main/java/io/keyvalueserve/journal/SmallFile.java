package io.keyvalueserve.journal;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** Files that are read and replaced as a whole. */
public final class SmallFile {
  private SmallFile() {}

  /**
   * All of a file.
   *
   * @throws java.nio.file.NoSuchFileException if there is none
   */
  public static byte[] read(Disk disk, String name) throws IOException {
    try (DiskFile file = disk.open(name, Disk.Access.CACHED)) {
      byte[] bytes = new byte[Math.toIntExact(file.size())];
      int length = file.read(0, MemorySegment.ofArray(bytes));
      if (length < bytes.length) {
        throw new IOException(
            "cut off while it was read: file=%s bytes=%d".formatted(disk.path(name), length));
      }
      return bytes;
    }
  }

  /**
   * Replaces a file of the disk's own directory, at once and for certain: a crash leaves the old
   * content or the new one. One thread for a name.
   *
   * @throws NoSpaceException if there is no space; the file is what it was
   */
  public static void replace(Disk disk, String name, byte[] content) throws IOException {
    String fresh = name + ".new";
    disk.delete(fresh);
    disk.create(fresh, 0).close(); // it may want whole blocks
    try (DiskFile file = disk.open(fresh, Disk.Access.CACHED)) {
      file.write(0, MemorySegment.ofArray(content));
      file.sync();
    } catch (NoSpaceException e) {
      Ending ending = new Ending();
      ending.add(e);
      ending.step(() -> disk.delete(fresh)); // it takes what little space there is
      throw e;
    }
    disk.rename(fresh, name);
    disk.syncDirectory("");
  }
}
