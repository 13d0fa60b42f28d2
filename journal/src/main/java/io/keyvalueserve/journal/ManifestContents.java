package io.keyvalueserve.journal;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The contents of a manifest's lines taken together. {@link #text} writes as few lines as say the
 * same. A line that something is gone is needed until nothing can ask for it any more: a chunk's
 * until its file is gone for certain, a blob's while there are chunks with frames that refer to it.
 * Not thread-safe.
 */
final class ManifestContents {
  final SortedMap<Long, Manifest.Entry> chunks = new TreeMap<>();
  final Set<Long> chunksGone = new TreeSet<>();
  final Set<Long> blobs = new TreeSet<>();

  /** Blobs that are gone, and the chunks that may have frames of them; none if not known yet. */
  final SortedMap<Long, Set<Long>> blobsGone = new TreeMap<>();

  /** The blobs that never were certain, and the chunks that may have frames of them. */
  final SortedMap<Long, Set<Long>> blobsNever = new TreeMap<>();

  /** The number of places that were found damaged since the log was last trusted. */
  long suspect;

  private int ends; // of how many chunks it is known
  private long nextChunk = 1;
  private long nextBlob = 1;

  // ---- lines

  /** Takes a line; returns false if it says nothing that is known. */
  boolean apply(String line) {
    String[] words = line.split(" ", -1);
    try {
      long id = Long.parseLong(words[1]);
      switch (words[0]) {
        case "next" -> numbersFrom(id, Long.parseLong(words[2]));
        case "chunk" ->
            addChunk(
                new Manifest.Entry(
                    id,
                    Long.parseLong(words[2]),
                    Integer.parseInt(words[3]),
                    Integer.parseInt(words[4]),
                    Long.parseLong(words[5]),
                    -1));
        case "end" -> cut(id, Long.parseLong(words[2]));
        case "suspect" -> suspect = id;
        case "gone" -> removeChunk(id);
        case "blob" -> addBlob(id);
        case "blobgone" -> removeBlob(id, Set.of());
        case "blobnever" -> neverBlob(id, Set.of());
        default -> {
          return false;
        }
      }
      return true;
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      return false;
    }
  }

  static String line(Manifest.Entry chunk) {
    return CrcLines.line(
        "chunk %d %d %d %d %d"
            .formatted(
                chunk.chunk(),
                chunk.run(),
                chunk.stream(),
                chunk.blockBytes(),
                chunk.chunkBytes()));
  }

  static String endLine(long id, long offset) {
    return CrcLines.line("end " + id + " " + offset);
  }

  static String line(String what, long id) {
    return CrcLines.line(what + " " + id);
  }

  /** Returns the number of lines that {@link #text} has. */
  int lines() {
    return 1
        + (suspect > 0 ? 1 : 0)
        + chunks.size()
        + ends
        + chunksGone.size()
        + blobs.size()
        + blobsGone.size()
        + blobsNever.size();
  }

  /** These lines. */
  String text() {
    StringBuilder text = new StringBuilder();
    text.append(CrcLines.line("next " + nextChunk + " " + nextBlob));
    if (suspect > 0) {
      text.append(line("suspect", suspect));
    }
    for (Manifest.Entry chunk : chunks.values()) {
      text.append(line(chunk));
      if (chunk.end() >= 0) {
        text.append(endLine(chunk.chunk(), chunk.end()));
      }
    }
    chunksGone.forEach(id -> text.append(line("gone", id)));
    blobs.forEach(id -> text.append(line("blob", id)));
    blobsGone.keySet().forEach(id -> text.append(line("blobgone", id)));
    blobsNever.keySet().forEach(id -> text.append(line("blobnever", id)));
    return text.toString();
  }

  // ---- changes

  /** Numbers below these have been given. */
  void numbersFrom(long chunk, long blob) {
    nextChunk = Math.max(nextChunk, chunk);
    nextBlob = Math.max(nextBlob, blob);
  }

  /** Numbers that are taken there have been given. */
  void numbersFrom(ManifestContents other) {
    numbersFrom(other.nextChunk, other.nextBlob);
  }

  long takeChunkNumber() {
    return nextChunk++;
  }

  long takeBlobNumber() {
    return nextBlob++;
  }

  void addChunk(Manifest.Entry chunk) {
    chunks.put(chunk.chunk(), chunk);
    ends += chunk.end() >= 0 ? 1 : 0;
    numbersFrom(chunk.chunk() + 1, 0);
  }

  void cut(long id, long offset) {
    Manifest.Entry chunk = chunks.get(id);
    if (chunk != null) {
      ends += chunk.end() >= 0 ? 0 : 1;
      chunks.put(id, chunk.cutAt(offset));
    }
  }

  void removeChunk(long id) {
    Manifest.Entry removed = chunks.remove(id);
    ends -= removed != null && removed.end() >= 0 ? 1 : 0;
    chunksGone.add(id);
    numbersFrom(id + 1, 0);
  }

  /** A chunk's file is gone for certain: so are its frames. */
  void forgetChunk(long id) {
    chunksGone.remove(id);
    for (SortedMap<Long, Set<Long>> ended : List.of(blobsGone, blobsNever)) {
      ended.values().removeIf(frames -> frames.remove(id) && frames.isEmpty());
    }
  }

  void addBlob(long id) {
    blobs.add(id);
    numbersFrom(0, id + 1);
  }

  /**
   * A blob is gone.
   *
   * @param frames the chunks that may have frames that refer to it
   */
  void removeBlob(long id, Set<Long> frames) {
    blobs.remove(id);
    blobsGone.put(id, new HashSet<>(frames));
    numbersFrom(0, id + 1);
  }

  /** Forgets blobs that are gone and that no chunk has frames of. */
  void forgetBlob(long id) {
    Set<Long> frames = blobsGone.get(id);
    if (frames != null) {
      frames.removeIf(chunk -> !chunks.containsKey(chunk) && !chunksGone.contains(chunk));
      if (frames.isEmpty()) {
        blobsGone.remove(id);
      }
    }
  }

  /** A blob never was certain; parameters as of {@link #removeBlob}. */
  void neverBlob(long id, Set<Long> frames) {
    blobsNever.put(id, new HashSet<>(frames));
    numbersFrom(0, id + 1);
  }
}
