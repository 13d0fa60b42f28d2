package io.keyvalueserve.journal;

import java.io.Closeable;
import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which chunks and blobs there are, so that one that is missing is noticed. A file of lines that is
 * appended to, each line certain before what it speaks of is relied on:
 *
 * <pre>
 *   next CHUNK BLOB                     numbers below these have been given
 *   chunk ID RUN STREAM BLOCK BYTES     before its first frame is written
 *   end ID OFFSET                       a torn tail was cut off there, once and for all
 *   gone ID                             before its file is removed
 *   blob ID                             when all its bytes are certain
 *   blobgone ID                         before its file is removed
 *   blobnever ID                        a crash came before its bytes were certain: its frame says nothing
 * </pre>
 *
 * <p>It is written anew whenever the log is opened. Thread-safe.
 */
final class Manifest implements Closeable {
  /** A chunk as the manifest knows it; {@code end} is where a torn tail was cut off, or -1. */
  record Entry(long chunk, long run, int stream, int blockBytes, long chunkBytes, long end) {
    Entry cutAt(long offset) {
      return new Entry(chunk, run, stream, blockBytes, chunkBytes, offset);
    }
  }

  private final Disk disk;
  private final SortedMap<Long, Entry> chunks = new TreeMap<>();
  private final Set<Long> chunksGone = new HashSet<>();
  private final Set<Long> blobs = new HashSet<>();
  private final Set<Long> blobsGone = new HashSet<>();
  private final Set<Long> blobsNever = new HashSet<>();
  private long nextChunk = 1;
  private long nextBlob = 1;
  private OptionalLong damagedAt = OptionalLong.empty();
  private boolean missing;
  private @Nullable DiskFile file;
  private long bytes;

  private Manifest(Disk disk) {
    this.disk = disk;
  }

  /** What the manifest says; it is not open for changes yet. */
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
      boolean valid = end >= 0 && CrcLines.text(line).map(manifest::apply).orElse(false);
      if (!valid && bad < 0) {
        bad = from;
      } else if (valid && bad >= 0) {
        manifest.damagedAt = OptionalLong.of(bad); // a torn end would have nothing behind it
      }
      from = end < 0 ? text.length() : end + 1;
    }
    return manifest;
  }

  private boolean apply(String text) {
    String[] words = text.split(" ", -1);
    try {
      long id = Long.parseLong(words[1]);
      switch (words[0]) {
        case "next" -> {
          nextChunk = Math.max(nextChunk, id);
          nextBlob = Math.max(nextBlob, Long.parseLong(words[2]));
        }
        case "chunk" ->
            applyChunk(
                new Entry(
                    id,
                    Long.parseLong(words[2]),
                    Integer.parseInt(words[3]),
                    Integer.parseInt(words[4]),
                    Long.parseLong(words[5]),
                    -1));
        case "end" ->
            chunks.computeIfPresent(id, (key, old) -> old.cutAt(Long.parseLong(words[2])));
        case "gone" -> applyGone(id);
        case "blob" -> applyBlob(id);
        case "blobgone" -> applyBlobGone(id);
        case "blobnever" -> applyBlobNever(id);
        default -> {
          return false;
        }
      }
      return true;
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      return false;
    }
  }

  private void applyChunk(Entry entry) {
    chunks.put(entry.chunk, entry);
    nextChunk = Math.max(nextChunk, entry.chunk + 1);
  }

  private void applyGone(long id) {
    chunks.remove(id);
    chunksGone.add(id);
    nextChunk = Math.max(nextChunk, id + 1);
  }

  private void applyBlob(long id) {
    blobs.add(id);
    nextBlob = Math.max(nextBlob, id + 1);
  }

  private void applyBlobGone(long id) {
    blobs.remove(id);
    blobsGone.add(id);
    nextBlob = Math.max(nextBlob, id + 1);
  }

  private void applyBlobNever(long id) {
    blobsNever.add(id);
    nextBlob = Math.max(nextBlob, id + 1);
  }

  // ---- what it said

  synchronized SortedMap<Long, Entry> chunks() {
    return new TreeMap<>(chunks);
  }

  synchronized boolean isChunkGone(long id) {
    return chunksGone.contains(id);
  }

  synchronized boolean hasBlob(long id) {
    return blobs.contains(id);
  }

  synchronized boolean isBlobGone(long id) {
    return blobsGone.contains(id);
  }

  synchronized boolean isBlobNever(long id) {
    return blobsNever.contains(id);
  }

  /** Where the first line is that is not valid and has valid ones behind it. */
  OptionalLong damagedAt() {
    return damagedAt;
  }

  boolean isMissing() {
    return missing;
  }

  // ---- changes

  /** Numbers below these have been given, whatever the lines say. */
  synchronized void numbersFrom(long chunk, long blob) {
    nextChunk = Math.max(nextChunk, chunk);
    nextBlob = Math.max(nextBlob, blob);
  }

  synchronized long nextChunk() {
    return nextChunk++;
  }

  synchronized long nextBlob() {
    return nextBlob++;
  }

  /**
   * Writes the manifest anew and opens it for changes.
   *
   * @param chunks the chunks there are
   * @param gone chunks whose files are about to be removed
   * @param blobs the blobs there are
   * @param blobsGone blobs that frames still refer to, and that are gone
   * @param blobsNever blobs that frames still refer to, and that never were certain
   */
  synchronized void rewrite(
      Collection<Entry> chunks,
      Set<Long> gone,
      Set<Long> blobs,
      Set<Long> blobsGone,
      Set<Long> blobsNever)
      throws IOException {
    this.chunks.clear();
    chunksGone.clear();
    gone.forEach(this::applyGone);
    chunks.forEach(this::applyChunk);
    this.blobs.clear();
    blobs.forEach(this::applyBlob);
    this.blobsGone.clear();
    blobsGone.forEach(this::applyBlobGone);
    this.blobsNever.clear();
    blobsNever.forEach(this::applyBlobNever);
    StringBuilder text = new StringBuilder();
    text.append(CrcLines.line("next " + nextChunk + " " + nextBlob));
    for (Entry chunk : this.chunks.values()) {
      text.append(CrcLines.line(text(chunk)));
      if (chunk.end >= 0) {
        text.append(CrcLines.line("end " + chunk.chunk + " " + chunk.end));
      }
    }
    chunksGone.forEach(chunk -> text.append(CrcLines.line("gone " + chunk)));
    this.blobs.forEach(blob -> text.append(CrcLines.line("blob " + blob)));
    this.blobsGone.forEach(blob -> text.append(CrcLines.line("blobgone " + blob)));
    this.blobsNever.forEach(blob -> text.append(CrcLines.line("blobnever " + blob)));
    close();
    CrcLines.replace(disk, LogFiles.MANIFEST, text.toString());
    file = disk.open(LogFiles.MANIFEST, Disk.Access.CACHED);
    bytes = file.size();
  }

  synchronized void addChunk(Entry entry) throws IOException {
    append(CrcLines.line(text(entry)));
    applyChunk(entry);
  }

  synchronized void removeChunk(long id) throws IOException {
    append(CrcLines.line("gone " + id));
    applyGone(id);
  }

  synchronized void addBlobs(List<Long> ids) throws IOException {
    StringBuilder lines = new StringBuilder();
    ids.forEach(id -> lines.append(CrcLines.line("blob " + id)));
    append(lines.toString());
    ids.forEach(this::applyBlob);
  }

  synchronized void removeBlobs(List<Long> ids) throws IOException {
    StringBuilder lines = new StringBuilder();
    ids.forEach(id -> lines.append(CrcLines.line("blobgone " + id)));
    append(lines.toString());
    ids.forEach(this::applyBlobGone);
  }

  private void append(String lines) throws IOException {
    if (file == null) {
      throw new IllegalStateException("the manifest is not open");
    }
    try {
      file.write(bytes, CrcLines.bytes(lines));
      file.sync();
    } catch (NoSpaceException e) {
      throw e;
    } catch (IOException e) {
      throw new IOException(
          "file=%s offset=%d: %s".formatted(disk.path(LogFiles.MANIFEST), bytes, e), e);
    }
    bytes += lines.length();
  }

  private static String text(Entry chunk) {
    return "chunk %d %d %d %d %d"
        .formatted(chunk.chunk, chunk.run, chunk.stream, chunk.blockBytes, chunk.chunkBytes);
  }

  @Override
  public synchronized void close() throws IOException {
    if (file != null) {
      file.close();
      file = null;
    }
  }
}
