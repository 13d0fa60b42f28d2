package io.keyvalueserve.journal;

import io.keyvalueserve.memory.Memory;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Makes frames of records and puts them into their streams. Any thread. */
final class LogAppender {
  /** The result in place of a position if the ring is full. */
  static final long FULL = Position.NONE;

  /** Records are refused when the disk is full. */
  private static final long WRITES = -1;

  private static final long WAIT_NANOS = 50_000;
  private static final int MOST_ATTEMPTS = 100;

  private final List<Stream> streams;
  private final Blobs blobs;
  private final Health health;
  private final int mostInlineBytes;
  private final long removesLeave;
  private final long endsLeave;
  private final ThreadLocal<Appender> appenders;

  /**
   * An appender.
   *
   * @param reserve what is left of a stream's chunks on a full disk
   */
  LogAppender(
      List<Stream> streams, Blobs blobs, Health health, int mostInlineBytes, DiskReserve reserve) {
    removesLeave = reserve.removesLeave();
    endsLeave = reserve.endsLeave();
    this.streams = streams;
    this.blobs = blobs;
    this.health = health;
    this.mostInlineBytes = mostInlineBytes;
    appenders = ThreadLocal.withInitial(() -> new Appender(streams.size()));
  }

  /** Appends a record or a remove whose payload is in memory; returns its position or FULL. */
  long record(
      boolean wait,
      int type,
      int partition,
      int map,
      long instant,
      int keyForm,
      long payload,
      int payloadBytes,
      int keyOffset,
      int keyBytes) {
    if (payloadBytes > mostInlineBytes) {
      return wait
          ? blob(type, partition, map, instant, keyForm, payload, payloadBytes, keyOffset, keyBytes)
          : FULL;
    }
    Stream stream = stream(partition);
    Appender at = appenders.get();
    int length = Frames.HEADER_BYTES + payloadBytes;
    if (!claim(stream, at, length, map, wait, leaves(type))) {
      return FULL;
    }
    Memory.copy(payload, at.address + Frames.HEADER_BYTES, payloadBytes);
    Frames.putHeader(at.address, type, keyForm, keyOffset, partition, instant, map, keyBytes);
    stream.publish(at, length);
    return at.position;
  }

  /** Appends a record whose payload is in an array. */
  long record(
      boolean wait,
      int type,
      int partition,
      int map,
      long instant,
      int keyForm,
      byte[] payload,
      int keyOffset,
      int keyBytes) {
    if (payload.length > mostInlineBytes) {
      try (AlignedMemory copy = AlignedMemory.allocate(payload.length)) {
        Memory.copy(payload, 0, copy.address(), payload.length);
        return record(
            wait,
            type,
            partition,
            map,
            instant,
            keyForm,
            copy.address(),
            payload.length,
            keyOffset,
            keyBytes);
      }
    }
    Stream stream = stream(partition);
    Appender at = appenders.get();
    int length = Frames.HEADER_BYTES + payload.length;
    if (!claim(stream, at, length, map, wait, leaves(type))) {
      return FULL;
    }
    Memory.copy(payload, 0, at.address + Frames.HEADER_BYTES, payload.length);
    Frames.putHeader(at.address, type, keyForm, keyOffset, partition, instant, map, keyBytes);
    stream.publish(at, length);
    return at.position;
  }

  /** Returns whether a payload would very likely be taken now without waiting. */
  boolean hasRoom(int partition, int payloadBytes) {
    return payloadBytes <= mostInlineBytes
        && health.isWritable()
        && stream(partition).hasRoom(Frames.aligned(Frames.HEADER_BYTES + payloadBytes));
  }

  /** Appends the end of a map's part or of a partition: of all before it, or before a position. */
  long end(boolean wait, int type, int partition, int map, long before) {
    Stream stream = stream(partition);
    Appender at = appenders.get();
    int named = type == Frames.CLEAR ? map : Stream.NO_MAP;
    if (!claim(stream, at, Frames.HEADER_BYTES, named, wait, endsLeave)) {
      return FULL;
    }
    long bound = before == Position.NONE ? at.position : before;
    Frames.putHeader(at.address, type, 0, 0, partition, bound, map, 0);
    stream.publish(at, Frames.HEADER_BYTES);
    return at.position;
  }

  private long blob(
      int type,
      int partition,
      int map,
      long instant,
      int keyForm,
      long payload,
      int payloadBytes,
      int keyOffset,
      int keyBytes) {
    PayloadDraft draft = draft(payload, payloadBytes);
    try {
      return drafted(type, partition, map, instant, keyForm, payload, keyOffset, keyBytes, draft);
    } finally {
      draft.discard(); // unless it was appended
    }
  }

  /** Returns whether a payload becomes a file of its own. */
  boolean isFile(int payloadBytes) {
    return payloadBytes > mostInlineBytes;
  }

  /** Writes the file of a payload that becomes one. Who is interrupted meanwhile stays so. */
  PayloadDraft draft(long payload, int payloadBytes) {
    health.requireWritable();
    boolean interrupted = false;
    try {
      for (int i = 1; ; i++) {
        interrupted |= Thread.interrupted();
        try {
          return blobs.draft(payload, payloadBytes);
        } catch (ClosedByInterruptException e) { // Java closes a file under who is interrupted
          if (i == MOST_ATTEMPTS) {
            throw new JournalRefusedException(
                "the caller was interrupted all the time, nothing was written", e);
          }
        }
      }
    } catch (NoSpaceException e) {
      throw new JournalFullException(
          "the journal's disk is full, nothing was written: " + e.getMessage(), e);
    } catch (IOException e) {
      throw health.fail("a blob cannot be written", e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Appends what refers to a draft. */
  long drafted(
      int type,
      int partition,
      int map,
      long instant,
      int keyForm,
      long payload,
      int keyOffset,
      int keyBytes,
      PayloadDraft draft) {
    draft.requireFresh();
    boolean keyFits = keyBytes <= mostInlineBytes - Frames.BLOB_REFERENCE_BYTES;
    int length = Frames.HEADER_BYTES + Frames.BLOB_REFERENCE_BYTES + (keyFits ? keyBytes : 0);
    Stream stream = stream(partition);
    Appender at = appenders.get();
    claim(stream, at, length, map, true, WRITES);
    long body = at.address + Frames.HEADER_BYTES + Frames.BLOB_REFERENCE_BYTES;
    if (keyFits) {
      Memory.copy(payload + keyOffset, body, keyBytes);
    }
    draft.appending();
    Frames.putBlobReference(at.address, draft.id(), draft.bytes(), draft.crc(), keyOffset);
    int flags = keyForm | Frames.BLOB | (keyFits ? 0 : Frames.KEY_IN_BLOB);
    Frames.putHeader(
        at.address, type, flags, Frames.BLOB_REFERENCE_BYTES, partition, instant, map, keyBytes);
    long position = Position.ofBlob(at.position);
    blobs.refer(position, draft.id(), draft.bytes());
    stream.publish(at, length);
    return position;
  }

  /** Appends a copy of a frame, its map's number aside; for the compactor, who is never refused. */
  long copy(long frame, int map) {
    int type = Frames.type(frame);
    Stream stream = stream(Frames.partition(frame));
    Appender at = appenders.get();
    int length = Frames.length(frame);
    if (!stream.claim(at, Frames.aligned(length), type == Frames.DROP ? Stream.NO_MAP : map)) {
      return FULL;
    }
    copyBody(frame, at, length);
    Frames.putHeader(
        at.address,
        type,
        Frames.flags(frame),
        Frames.keyOffset(frame),
        Frames.partition(frame),
        Frames.instant(frame),
        map,
        Frames.keyLength(frame));
    stream.publish(at, length);
    return Frames.isBlob(frame) ? Position.ofBlob(at.position) : at.position;
  }

  /** Appends a remove of a frame's key; for the compactor. */
  long tombstone(Frame frame) {
    if (frame.keyBytes() > mostInlineBytes) {
      return record(
          true,
          Frames.REMOVE,
          frame.partition(),
          frame.map(),
          0,
          frame.keyForm(),
          frame.keyAddress(),
          frame.keyBytes(),
          0,
          frame.keyBytes());
    }
    int length = Frames.HEADER_BYTES + frame.keyBytes();
    Stream stream = stream(frame.partition());
    Appender at = appenders.get();
    if (!stream.claim(at, Frames.aligned(length), frame.map())) {
      return FULL;
    }
    Memory.copy(frame.keyAddress(), at.address + Frames.HEADER_BYTES, frame.keyBytes());
    Frames.putHeader(
        at.address,
        Frames.REMOVE,
        frame.keyForm(),
        0,
        frame.partition(),
        0,
        frame.map(),
        frame.keyBytes());
    stream.publish(at, length);
    return at.position;
  }

  private static void copyBody(long frame, Appender at, int length) {
    Memory.copy(
        frame + Frames.HEADER_BYTES,
        at.address + Frames.HEADER_BYTES,
        length - Frames.HEADER_BYTES);
  }

  /** Returns whether a remove would be taken: on a full disk too, while its reserve lasts. */
  boolean takesRemove(int partition) {
    return health.isWritable()
        || (health.takesRemoves() && stream(partition).hasReserve(mostInlineBytes, removesLeave));
  }

  /** Returns whether the end of a map's part would be taken. */
  boolean takesEnd(int partition) {
    return health.isWritable()
        || (health.takesRemoves() && stream(partition).hasReserve(mostInlineBytes, endsLeave));
  }

  private long leaves(int type) {
    return type == Frames.REMOVE ? removesLeave : WRITES;
  }

  private boolean claim(
      Stream stream, Appender at, int length, int map, boolean wait, long leaves) {
    requireTaken(stream, length, leaves);
    while (!stream.claim(at, Frames.aligned(length), map)) {
      if (!wait) {
        return false;
      }
      requireTaken(stream, length, leaves);
      LockSupport.parkNanos(this, WAIT_NANOS); // the disk's pace
    }
    return true;
  }

  private void requireTaken(Stream stream, int length, long leaves) {
    if (leaves == WRITES || health.isWritable()) {
      health.requireWritable();
      return;
    }
    health.requireRemovable();
    if (!stream.hasReserve(Frames.aligned(length), leaves)) {
      throw health.reserveUsed();
    }
  }

  private Stream stream(int partition) {
    return streams.get(partition % streams.size());
  }
}
