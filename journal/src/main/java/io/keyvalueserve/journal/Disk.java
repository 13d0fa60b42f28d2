package io.keyvalueserve.journal;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * A directory on a disk: all that the journal asks of one. Names are relative, with {@code /}
 * between a subdirectory and a file.
 *
 * <p>What a disk promises, and no more: bytes of a file are certain after {@link DiskFile#sync};
 * that a file is there, gone or has another name is certain after {@link #syncDirectory}. Until
 * then a crash may keep any part of what was written, in units of sectors.
 *
 * <p>Thread-safe; a {@link DiskFile} is as far as its methods say so.
 */
public interface Disk {
  /** The access with which a file is opened. */
  enum Access {
    /** Access to read at multiples of {@link #blockBytes}. */
    READ,
    /** Access to read and write at multiples of {@link #blockBytes}. */
    WRITE,
    /** Access to read and write anywhere, through the system's cache. */
    CACHED
  }

  /** Offsets, lengths and addresses of reads and writes are multiples of this. */
  int blockBytes();

  /** Returns the mode in which the disk is used, for a log line: {@code direct} or why not. */
  String mode();

  /**
   * Makes a file that is not there yet, with all the space it will need.
   *
   * @throws NoSpaceException if there is not so much space; no file is left
   * @throws IOException if it cannot be made otherwise; none is left either
   */
  DiskFile create(String name, long bytes) throws IOException;

  /**
   * Opens a file that is there.
   *
   * @throws java.nio.file.NoSuchFileException if there is none
   */
  DiskFile open(String name, Access access) throws IOException;

  /** The names of the files in a subdirectory, sorted; none if there is no such directory. */
  List<String> list(String directory) throws IOException;

  /** Returns whether there is such a file. */
  boolean exists(String name) throws IOException;

  /** Makes a subdirectory unless it is there. */
  void makeDirectory(String directory) throws IOException;

  /** Gives a file another name; one that has the name already is replaced, all at once. */
  void rename(String from, String to) throws IOException;

  /** Removes a file, if it is there. */
  void delete(String name) throws IOException;

  /** Makes certain which files a subdirectory has; {@code ""} is the directory itself. */
  void syncDirectory(String directory) throws IOException;

  /** Returns the bytes that can still be written. */
  long freeBytes() throws IOException;

  /** Returns the path of a file, as an operator would name it. */
  String path(String name);

  /**
   * Keeps every other process, and everybody else in this one, from locking the same name until the
   * lock is closed.
   *
   * @throws DirectoryRefusedException if somebody has it
   */
  Closeable lock(String name) throws IOException;
}
