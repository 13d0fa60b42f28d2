package io.keyvalueserve.journal;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * The state that all loaders of a replay share, and what they find out about the log. Thread-safe.
 */
final class LoaderState implements DeadBytes {
  /** The part of the log that a replay gives to its sink. */
  enum What {
    /** All records. */
    RECORDS,
    /** All records, those of indexed chunks with their keys only. */
    KEYS,
    /** The frames that were kept back when keys were read. */
    HELD_KEYS,
    /** Again what was put and is not known to be dead, now with the payload, and nothing else. */
    PAYLOADS
  }

  private final Disk disk;
  private final Manifest manifest;
  private final MapNames names;
  private final Blobs blobs;
  private final ChunkSource chunks;
  private final Set<Long> blobFiles;
  private final What what;
  private final long nowMillis;
  private final Predicate<String> held;
  private final Map<Long, Set<Long>> blobsSeen;
  private final Set<Long> badBlobs;

  LoaderState(
      Disk disk,
      Manifest manifest,
      MapNames names,
      Blobs blobs,
      ChunkSource chunks,
      Set<Long> blobFiles,
      What what,
      long nowMillis,
      Predicate<String> held) {
    this(
        disk,
        manifest,
        names,
        blobs,
        chunks,
        blobFiles,
        what,
        nowMillis,
        held,
        new ConcurrentHashMap<>(),
        ConcurrentHashMap.newKeySet());
  }

  private LoaderState(
      Disk disk,
      Manifest manifest,
      MapNames names,
      Blobs blobs,
      ChunkSource chunks,
      Set<Long> blobFiles,
      What what,
      long nowMillis,
      Predicate<String> held,
      Map<Long, Set<Long>> blobsSeen,
      Set<Long> badBlobs) {
    this.disk = disk;
    this.manifest = manifest;
    this.names = names;
    this.blobs = blobs;
    this.chunks = chunks;
    this.blobFiles = blobFiles;
    this.what = what;
    this.nowMillis = nowMillis;
    this.held = held;
    this.blobsSeen = blobsSeen;
    this.badBlobs = badBlobs;
  }

  Disk disk() {
    return disk;
  }

  MapNames names() {
    return names;
  }

  Blobs blobs() {
    return blobs;
  }

  What what() {
    return what;
  }

  /**
   * Returns whether a sink may want a frame that is no map's name. Blobs are not read again: there
   * are few, each in a file of its own.
   */
  boolean wants(long address, long position) {
    return what != What.PAYLOADS
        || (Frames.type(address) == Frames.PUT
            && !Frames.isBlob(address)
            && !isMarkedDead(position));
  }

  /** Returns whether only keys are read, where they can be read without payloads. */
  boolean isOfKeys() {
    return what == What.KEYS || what == What.HELD_KEYS;
  }

  /** Returns whether a map's frames are kept back, or were. */
  boolean isHeld(String map) {
    return held.test(map);
  }

  /** Returns the state for what was kept back. */
  LoaderState ofHeld() {
    return new LoaderState(
        disk,
        manifest,
        names,
        blobs,
        chunks,
        blobFiles,
        What.HELD_KEYS,
        nowMillis,
        held,
        blobsSeen,
        badBlobs);
  }

  /** Returns whether a record that is not a blob is known to be dead. */
  boolean isMarkedDead(long position) {
    return chunk(Position.chunk(position)).isMarkedDead(Position.offset(position));
  }

  long nowMillis() {
    return nowMillis;
  }

  Chunk chunk(long id) {
    Chunk chunk = chunks.get(id);
    if (chunk == null) {
      throw new IllegalStateException("no such chunk: " + id);
    }
    return chunk;
  }

  /** Returns whether a blob's file is there, and notes that a frame of a chunk refers to it. */
  boolean hasBlob(long id, long chunk) {
    blobsSeen.computeIfAbsent(id, key -> ConcurrentHashMap.newKeySet()).add(chunk);
    return blobFiles.contains(id);
  }

  boolean isBlobGone(long id) {
    return manifest.isBlobGone(id);
  }

  /**
   * Returns whether a frame's blob was lost to a crash before it was certain. The frame then counts
   * for nothing.
   */
  boolean isBlobNever(long id) {
    return manifest.isBlobNever(id);
  }

  boolean isBlobCertain(long id) {
    return manifest.hasBlob(id);
  }

  /** A blob is missing or not what was written. */
  void badBlob(long id) {
    badBlobs.add(id);
  }

  Set<Long> badBlobs() {
    return badBlobs;
  }

  /** The blobs that frames refer to, and the chunks of these frames. */
  Map<Long, Set<Long>> blobsSeen() {
    return blobsSeen;
  }

  @Override
  public void dead(long position, int payloadBytes) {
    chunks.dead(position, payloadBytes);
    if (Position.isBlob(position)) {
      blobs.dead(position, new long[0]);
    }
  }
}
