package io.keyvalueserve.journal.spill;

import io.keyvalueserve.journal.Disk;
import io.keyvalueserve.journal.NoSpaceException;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;

/** The files of an area, by page. Files are added by one thread at a time; all else is for any. */
final class SpillFiles implements Closeable {
  private final Disk disk;
  private final String directory;
  private final SpillConfig config;
  private final SpillSpace space;
  private final List<SpillFile> files = new CopyOnWriteArrayList<>();

  /** An empty directory: what an area before has left there is removed. */
  SpillFiles(Disk disk, String directory, SpillConfig config, SpillSpace space) throws IOException {
    this.disk = disk;
    this.directory = directory;
    this.config = config;
    this.space = space;
    for (String left : disk.list(directory)) {
      if (left.endsWith(".spill")) {
        disk.delete(directory + "/" + left);
      }
    }
  }

  void requireFits(int length) {
    if (SpillFrame.bytes(length) > config.fileBytes()) {
      throw new IllegalArgumentException(
          "a value is shorter than a file of the area by %d bytes: length=%d fileBytes=%d; make fileBytes larger"
              .formatted(SpillFrame.HEADER_BYTES, length, config.fileBytes()));
    }
  }

  /**
   * Adds a file.
   *
   * @param frameBytes for which there is no room
   * @throws SpillFullException if there may not be another, or the disk has no room for it
   */
  void grow(long frameBytes) throws IOException {
    if (files.size() == config.mostFiles()) {
      throw new SpillFullException(
          "the spill area is full: value of %d bytes, used=%d capacity=%d; delete data, or give it more"
              .formatted(
                  frameBytes - SpillFrame.HEADER_BYTES, space.usedBytes(), config.capacityBytes()),
          null);
    }
    String name = String.format(Locale.ROOT, "%s/%08d.spill", directory, files.size());
    try {
      files.add(new SpillFile(disk, name, config.fileBytes()));
    } catch (NoSpaceException e) {
      throw new SpillFullException(
          "the disk of the spill area is full: %s; make room on it".formatted(e.getMessage()), e);
    }
    space.addFile();
  }

  /** Returns whether two pages are in one file. */
  boolean isSame(long page, long other) {
    return page / config.pagesPerFile() == other / config.pagesPerFile();
  }

  int read(long page, MemorySegment bytes) throws IOException {
    try {
      return file(page).read(offset(page), bytes);
    } catch (IOException e) {
      throw told("read", page, e);
    }
  }

  void write(long page, MemorySegment bytes) throws IOException {
    try {
      file(page).write(offset(page), bytes);
    } catch (NoSpaceException e) {
      throw e;
    } catch (IOException e) {
      throw told("write", page, e);
    }
  }

  private IOException told(String what, long page, IOException e) {
    return new IOException(
        "spill area: %s file=%s offset=%d: %s".formatted(what, path(page), offset(page), e), e);
  }

  /** Returns the path of the file that a page is in. */
  String path(long page) {
    return file(page).path();
  }

  /** Returns the offset of a page in its file. */
  long offset(long page) {
    return page % config.pagesPerFile() * SpillSpace.PAGE_BYTES;
  }

  private SpillFile file(long page) {
    int file = (int) (page / config.pagesPerFile());
    if (file >= files.size()) {
      throw new IllegalArgumentException("no such handle: page=" + page);
    }
    return files.get(file);
  }

  @Override
  public void close() throws IOException {
    IOException failure = null;
    for (SpillFile file : new ArrayList<>(files)) {
      try {
        file.close();
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
