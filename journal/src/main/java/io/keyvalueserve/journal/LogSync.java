package io.keyvalueserve.journal;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The thread that makes certain what was written, so that writing goes on meanwhile. One sync
 * covers all streams: first the blobs, then the chunks, then whoever waited is told. It also makes
 * new chunks before they are needed and seals those that are full.
 */
final class LogSync {
  private static final long RETRY_NANOS = 100_000_000;
  private static final long IDLE_NANOS = 1_000_000_000;

  /** The time without any progress on a full disk after which waiters are told to give up. */
  static final long FULL_PATIENCE_NANOS = 10_000_000_000L;

  private final List<StreamWriter> streams;
  private final ChunkSource source;
  private final Blobs blobs;
  private final CertainFile certainFile;
  private final Health health;
  private final JournalClock clock;
  private final Doorbell bell = new Doorbell();
  private final Doorbell writerBell;
  private final AtomicBoolean requested = new AtomicBoolean();
  private volatile boolean syncing;
  private volatile boolean stopped;
  private final AtomicLong syncs = new AtomicLong();
  private long written; // and certain, of all streams together: when this was looked at last
  private boolean stuck; // the disk was full, and nothing came through since
  private long stuckSince;

  LogSync(
      List<StreamWriter> streams,
      ChunkSource source,
      Blobs blobs,
      CertainFile certainFile,
      Health health,
      JournalClock clock,
      Doorbell writerBell) {
    this.streams = streams;
    this.source = source;
    this.blobs = blobs;
    this.certainFile = certainFile;
    this.health = health;
    this.clock = clock;
    this.writerBell = writerBell;
    streams.forEach(this::reserve);
  }

  /** Asks for a sync of what was written until now; any thread. */
  void request() {
    requested.set(true);
    bell.ring();
  }

  /** Wakes the thread; any thread. */
  void ring() {
    bell.ring();
  }

  /** Returns whether a sync is wanted or under way. */
  boolean isBusy() {
    return syncing || requested.get();
  }

  /** Returns the number of syncs. */
  long syncs() {
    return syncs.get();
  }

  /** The thread's whole life. */
  void run() {
    while (!stopped && health.failure() == null) {
      turn();
      if (!requested.get()) {
        bell.await(health.isFull() ? RETRY_NANOS : IDLE_NANOS);
      }
    }
  }

  void stop() {
    stopped = true;
    bell.ring();
  }

  /** Does what there is to do. */
  void turn() {
    try {
      giveUpWaiting();
      supplyIfRoom();
      certainFile.open();
      if (requested.get()) {
        syncing = true;
        requested.set(false);
        sync();
        syncing = false;
        writerBell.ring();
      }
      certainFile.syncIfDue();
      sealComplete();
      if (blobs.hasDead()) {
        blobs.removeDead(certain());
      }
    } catch (NoSpaceException e) {
      syncing = false;
      health.full(e);
    } catch (IOException e) {
      JournalFailedException failure = health.fail("the log cannot be made certain", e);
      streams.forEach(stream -> stream.waiters.fail(failure));
    }
  }

  /**
   * Tells who waits that the disk has been full for long. Whether it is can change from one look to
   * the next, as each attempt to go on begins with the hope that it is not: what counts is whether
   * anything has come through.
   */
  private void giveUpWaiting() {
    NoSpaceException full = health.fullness();
    if (full == null && !stuck) {
      return;
    }
    long now = streams.stream().mapToLong(s -> s.writtenPosition() + s.certainPosition()).sum();
    if (now != written || streams.stream().noneMatch(s -> s.waiters.isAwaited())) {
      written = now;
      stuck = false;
    }
    if (full != null && !stuck) {
      stuck = true;
      stuckSince = clock.nanoTime();
    } else if (full != null && clock.nanoTime() - stuckSince >= FULL_PATIENCE_NANOS) {
      JournalFullException told =
          new JournalFullException(
              "the journal's disk has been full for long: " + full.getMessage(), full);
      streams.forEach(s -> s.waiters.giveUp(told));
    }
  }

  /** Without room for more chunks, what is in the present ones still becomes certain. */
  private void supplyIfRoom() throws IOException {
    try {
      supply();
    } catch (NoSpaceException e) {
      health.noChunk(e);
    }
  }

  /** Each stream has a chunk to go on with, before it needs it, and some for a full disk. */
  private void supply() throws IOException {
    boolean given = false;
    for (StreamWriter stream = neediest(); stream != null; stream = neediest()) {
      stream.giveSpare(source.create(stream.stream.index));
      given = true;
    }
    if (health.isFull()) {
      health.roomAgain(); // there was room for all that is needed now
      given = true;
    }
    if (given) {
      writerBell.ring();
    }
  }

  private void reserve(StreamWriter stream) {
    stream.reserve(DiskReserve.spares(source.sealedOf(stream.stream.index)));
  }

  /** Returns the stream that lacks most spare chunks; null if none lacks any. */
  private @Nullable StreamWriter neediest() {
    StreamWriter found = null;
    for (StreamWriter stream : streams) {
      if (stream.missingSpares() > (found == null ? 0 : found.missingSpares())) {
        found = stream;
      }
    }
    return found;
  }

  private void sync() throws IOException {
    long[] written = new long[streams.size()];
    for (int i = 0; i < written.length; i++) {
      written[i] = streams.get(i).writtenPosition(); // before the blobs: they are older than frames
    }
    blobs.sync();
    for (StreamWriter stream : streams) {
      for (ChunkWriter chunk : stream.unsealed()) {
        chunk.sync();
      }
    }
    health.requireSound();
    certainFile.note(written); // before anybody is told
    for (int i = 0; i < written.length; i++) {
      streams.get(i).setCertain(written[i]);
      streams.get(i).waiters.complete(written[i]);
    }
    syncs.incrementAndGet();
  }

  private void sealComplete() throws IOException {
    for (StreamWriter stream : streams) {
      for (ChunkWriter chunk : stream.unsealed()) {
        if (chunk.isReadyToSeal()) {
          chunk.seal();
          source.sealed(chunk);
          stream.sealed(chunk);
          reserve(stream);
        } else if (chunk.isComplete()) {
          request();
        }
      }
    }
  }

  long[] certain() {
    return streams.stream().mapToLong(StreamWriter::certainPosition).toArray();
  }

  /**
   * Makes all certain and seals it; when nothing is written any more and the threads have ended.
   */
  void finish() throws IOException {
    sync();
    certainFile.sync(); // on a full disk nothing else says where chunks end
    for (StreamWriter stream : streams) {
      for (ChunkWriter chunk : stream.unsealed()) {
        finish(chunk);
        stream.sealed(chunk);
      }
      for (ChunkWriter spare = stream.takeSpare(); spare != null; spare = stream.takeSpare()) {
        finish(spare);
      }
    }
    blobs.removeDead(certain());
  }

  private void finish(ChunkWriter chunk) throws IOException {
    if (chunk.isEmpty()) {
      chunk.close();
      source.remove(chunk.chunk);
    } else {
      chunk.end();
      chunk.seal();
      source.sealed(chunk);
    }
  }
}
