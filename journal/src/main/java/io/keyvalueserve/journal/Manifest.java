package io.keyvalueserve.journal;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The list of chunks and blobs, by which a missing one is noticed. It is a file of lines that is
 * appended to. Each line is certain before what it speaks of is relied on:
 *
 * <pre>
 *   next CHUNK BLOB                     numbers below these have been given
 *   chunk ID RUN STREAM BLOCK BYTES     before its first frame is written
 *   end ID OFFSET                       a torn tail was cut off there, or it was sealed: what is
 *                                       missing before that is damage
 *   suspect PLACES                      so many places were damaged, and the log was not trusted since
 *   gone ID                             before its file is removed
 *   blob ID                             when all its bytes are certain
 *   blobgone ID                         before its file is removed
 *   blobnever ID                        a crash came before its bytes were certain: its frame says nothing
 * </pre>
 *
 * <p>It is written anew whenever the log is opened, and when it has grown to several times the
 * lines that it needs. A crash then leaves the old file or the new one, all of it, and both say the
 * same.
 *
 * <p>When the disk has refused a change nobody knows what the file says: all later changes are
 * refused. Thread-safe.
 */
final class Manifest implements Closeable {
  /** A chunk as the manifest knows it; {@code end} is where its frames end, -1 if not known yet. */
  record Entry(long chunk, long run, int stream, int blockBytes, long chunkBytes, long end) {
    Entry cutAt(long offset) {
      return new Entry(chunk, run, stream, blockBytes, chunkBytes, offset);
    }
  }

  private static final int MOST_GROWTH = 4;
  private static final int LEAST_LINES = 16; // below these it is left alone

  private final Disk disk;
  private ManifestContents contents = new ManifestContents();
  private OptionalLong damagedAt = OptionalLong.empty();
  private boolean missing;
  private @Nullable DiskFile file;
  private @Nullable IOException failure;
  private long bytes;
  private long lines;
  private long linesToShrinkAt;
  private int shrinkings;

  private Manifest(Disk disk) {
    this.disk = disk;
  }

  /** Reads the manifest. It is not open for changes yet. */
  static Manifest read(Disk disk) throws IOException {
    Manifest manifest = new Manifest(disk);
    if (!disk.exists(LogFiles.MANIFEST)) {
      manifest.missing = true;
      return manifest;
    }
    String text = CrcLines.read(disk, LogFiles.MANIFEST);
    int bad = -1;
    for (int from = 0; from < text.length(); ) {
      int end = text.indexOf('\n', from);
      String line = text.substring(from, end < 0 ? text.length() : end);
      boolean valid = end >= 0 && CrcLines.text(line).map(manifest.contents::apply).orElse(false);
      if (!valid && bad < 0) {
        bad = from;
      } else if (valid && bad >= 0) {
        manifest.damagedAt = OptionalLong.of(bad); // a torn end would have nothing behind it
      }
      from = end < 0 ? text.length() : end + 1;
    }
    return manifest;
  }

  // ---- what it said

  synchronized SortedMap<Long, Entry> chunks() {
    return new TreeMap<>(contents.chunks);
  }

  /** Returns the entry of a chunk, or null if the manifest does not name the chunk. */
  synchronized @Nullable Entry chunk(long id) {
    return contents.chunks.get(id);
  }

  synchronized boolean isChunkGone(long id) {
    return contents.chunksGone.contains(id);
  }

  synchronized boolean hasBlob(long id) {
    return contents.blobs.contains(id);
  }

  synchronized boolean isBlobGone(long id) {
    return contents.blobsGone.containsKey(id);
  }

  synchronized boolean isBlobNever(long id) {
    return contents.blobsNever.containsKey(id);
  }

  /**
   * Returns the number of places that were found damaged since the log was last trusted; 0 if it
   * is.
   */
  synchronized long suspect() {
    return contents.suspect;
  }

  /** Returns the offset of the first line that is not valid and has valid ones behind it. */
  OptionalLong damagedAt() {
    return damagedAt;
  }

  boolean isMissing() {
    return missing;
  }

  /** Returns whether the manifest is missing or names nothing yet. */
  synchronized boolean isNew() {
    return missing || (damagedAt.isEmpty() && contents.lines() <= 1);
  }

  /** Returns the number of times that it was written anew because it had grown. */
  synchronized int shrinkings() {
    return shrinkings;
  }

  // ---- changes

  /** Numbers below these have been given, whatever the lines say. */
  synchronized void numbersFrom(long chunk, long blob) {
    contents.numbersFrom(chunk, blob);
  }

  synchronized long nextChunk() {
    return contents.takeChunkNumber();
  }

  synchronized long nextBlob() {
    return contents.takeBlobNumber();
  }

  /**
   * Has it say what a recovery decided, and opens it for changes.
   *
   * @param chunks the chunks there are
   * @param gone chunks whose files are about to be removed
   * @param blobs the blobs there are
   * @param blobsGone blobs that are gone, and the chunks with frames that still refer to them
   * @param blobsNever the same of blobs that never were certain
   * @param suspect how many places are damaged, with those that were found before
   */
  synchronized void rewrite(
      long suspect,
      List<Entry> chunks,
      Set<Long> gone,
      Set<Long> blobs,
      Map<Long, Set<Long>> blobsGone,
      Map<Long, Set<Long>> blobsNever)
      throws IOException {
    ManifestContents decided = new ManifestContents();
    decided.suspect = suspect;
    decided.numbersFrom(contents);
    gone.forEach(decided::removeChunk);
    chunks.forEach(decided::addChunk);
    blobs.forEach(decided::addBlob);
    blobsGone.forEach(decided::removeBlob);
    blobsNever.forEach(decided::neverBlob);
    contents = decided;
    writeAnew();
  }

  synchronized void addChunk(Entry chunk) throws IOException {
    change(ManifestContents.line(chunk), 1, all -> all.addChunk(chunk));
  }

  /** A chunk was sealed: from now on whatever of it is missing before its end is damage. */
  synchronized void sealChunk(long id, long end) throws IOException {
    change(ManifestContents.endLine(id, end), 1, all -> all.cut(id, end));
  }

  /** Declares the log complete again: damaged records are in it anew, or are known to be lost. */
  synchronized void trust() throws IOException {
    if (contents.suspect > 0) {
      change(ManifestContents.line("suspect", 0), 1, all -> all.suspect = 0);
    }
  }

  synchronized void removeChunk(long id) throws IOException {
    change(ManifestContents.line("gone", id), 1, all -> all.removeChunk(id));
  }

  /** A removed chunk's file is gone for certain; that needs no line. */
  synchronized void forgetChunk(long id) {
    contents.forgetChunk(id);
  }

  synchronized void addBlobs(List<Long> ids) throws IOException {
    StringBuilder text = new StringBuilder();
    ids.forEach(id -> text.append(ManifestContents.line("blob", id)));
    change(text.toString(), ids.size(), all -> ids.forEach(all::addBlob));
  }

  /** Blobs are about to be removed; with the chunks that may have frames that refer to them. */
  synchronized void removeBlobs(Map<Long, Set<Long>> gone) throws IOException {
    StringBuilder text = new StringBuilder();
    gone.keySet().forEach(id -> text.append(ManifestContents.line("blobgone", id)));
    change(text.toString(), gone.size(), all -> gone.forEach(all::removeBlob));
    gone.keySet().forEach(contents::forgetBlob);
  }

  private void change(String text, int count, Consumer<ManifestContents> change)
      throws IOException {
    DiskFile open = file;
    if (open == null) {
      throw new IllegalStateException("the manifest is not open");
    }
    if (failure != null) {
      throw new IOException("file=%s failed before".formatted(path()), failure);
    }
    try {
      open.write(bytes, CrcLines.bytes(text));
      open.sync();
      bytes += text.length();
      lines += count;
      change.accept(contents);
      shrinkIfGrown();
    } catch (NoSpaceException e) {
      cutOff(open, e);
      throw e;
    } catch (IOException e) {
      failure = new IOException("file=%s offset=%d: %s".formatted(path(), bytes, e), e);
      throw failure;
    }
  }

  /** A part of the lines may have been written: nothing may be behind what is written next. */
  private void cutOff(DiskFile open, NoSpaceException full) throws IOException {
    try {
      open.truncate(bytes);
    } catch (IOException e) {
      e.addSuppressed(full);
      failure = e;
      throw e;
    }
  }

  private void shrinkIfGrown() throws IOException {
    if (lines < linesToShrinkAt || lines <= MOST_GROWTH * (long) contents.lines()) {
      return;
    }
    try {
      writeAnew();
      shrinkings++;
    } catch (NoSpaceException e) {
      linesToShrinkAt = 2 * lines; // the old one is as good as it was
    }
  }

  private void writeAnew() throws IOException {
    CrcLines.replace(disk, LogFiles.MANIFEST, contents.text());
    DiskFile old = file;
    file = disk.open(LogFiles.MANIFEST, Disk.Access.CACHED);
    if (old != null) {
      old.close();
    }
    bytes = file.size();
    lines = contents.lines();
    linesToShrinkAt = LEAST_LINES;
  }

  private String path() {
    return disk.path(LogFiles.MANIFEST);
  }

  @Override
  public synchronized void close() throws IOException {
    DiskFile open = file;
    file = null;
    if (open != null) {
      open.close();
    }
  }
}
