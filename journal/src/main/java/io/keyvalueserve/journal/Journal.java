package io.keyvalueserve.journal;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The hot-restart log of one member: what is appended survives a crash once it is certain, and
 * comes back when the log is opened.
 *
 * <p>Whoever appends holds its partition: two threads must not append for one partition at a time.
 * For different partitions any threads may, also to the same stream; an append takes no lock and
 * allocates nothing. What was appended is certain within the sync interval, or earlier if somebody
 * waits for it ({@link #whenDurable}); one sync is shared by all who wait.
 *
 * <p>Every append returns the record's position, which the caller keeps with the record: the
 * compactor asks for it, and {@link #dead} takes it when the record is gone.
 */
public final class Journal implements DeadBytes, Closeable {
  /**
   * The result of a {@code try} method if the ring in memory is full. Nothing was appended then.
   */
  public static final long FULL = LogAppender.FULL;

  private final JournalConfig config;
  private final Disk disk;
  private final Closeable lock;
  private final Recovery recovery;
  private final RecoveryReport report;
  private final Manifest manifest;
  private final MapNames names;
  private final Blobs blobs;
  private final ChunkSource chunks;
  private final DeadNotes deadNotes;
  private final List<Stream> streams;
  private final List<StreamWriter> writers = new ArrayList<>();
  private final Health health = new Health();
  private final Doorbell writerBell = new Doorbell();
  private final DiskReserve reserve;
  private final CertainFile certainFile;
  private final LogAppender appender;
  private final LogWriter writer;
  private final LogSync sync;
  private final JournalClock clock;
  private final List<Thread> threads = new ArrayList<>();
  private final @Nullable HeldKeys heldKeys;
  private volatile @Nullable Compactor compactor;
  private boolean closed;

  private Journal(
      JournalConfig config,
      Disk disk,
      JournalClock clock,
      Closeable lock,
      Recovery recovery,
      RecoveryReport report) {
    this.config = config;
    this.disk = disk;
    this.clock = clock;
    this.lock = lock;
    this.recovery = recovery;
    this.report = report;
    manifest = recovery.manifest;
    names = recovery.names;
    blobs = recovery.blobs;
    chunks = recovery.chunks;
    deadNotes = new DeadNotes(chunks, Runtime.getRuntime().availableProcessors());
    streams =
        Ending.makeAll(
            config.streams(),
            i -> new Stream(i, config.blocks(), config.blockBytes(), names, writerBell::ring));
    for (Stream stream : streams) {
      writers.add(new StreamWriter(stream, disk.blockBytes(), config.streams(), health::isFull));
    }
    reserve = new DiskReserve(config.chunkBytes(), config.blockBytes());
    appender = new LogAppender(streams, blobs, health, config.mostInlineBytes(), reserve);
    certainFile = new CertainFile(disk, clock, config.streams());
    sync = new LogSync(writers, chunks, blobs, certainFile, health, clock, writerBell);
    writer = new LogWriter(writers, sync, health, clock, config, writerBell);
    heldKeys = recovery.takeHeld(); // the last: what was made is closed with the recovery till then
  }

  /**
   * Opens a log, a new one if the directory is empty, and replays it.
   *
   * @throws DirectoryRefusedException if the directory is not this member's log, or is in use
   * @throws IOException if the directory cannot be read or written; nothing was changed
   */
  public static Journal open(JournalConfig config, Disk disk, RecoverySink sink)
      throws IOException {
    return open(config, disk, JournalClock.SYSTEM, sink, false, KeysLater.NONE).started();
  }

  /**
   * Opens a log, and replays keys and positions only, which where chunks have an index is far less
   * to read; the rest can be had by {@link #read} and {@link #replayPayloads}.
   *
   * @throws DirectoryRefusedException if the directory is not this member's log, or is in use
   * @throws IOException if the directory cannot be read or written; nothing was changed
   */
  public static Journal openKeys(JournalConfig config, Disk disk, RecoverySink sink)
      throws IOException {
    return openKeys(config, disk, sink, KeysLater.NONE);
  }

  /**
   * Does the same as {@link #openKeys(JournalConfig, Disk, RecoverySink)}, but may keep back the
   * keys of some maps. {@link #heldKeys} has the keys that were not given to the sink.
   *
   * @throws DirectoryRefusedException if the directory is not this member's log, or is in use
   * @throws IOException if the directory cannot be read or written; nothing was changed
   */
  public static Journal openKeys(
      JournalConfig config, Disk disk, RecoverySink sink, KeysLater later) throws IOException {
    return open(config, disk, JournalClock.SYSTEM, sink, true, later).started();
  }

  /**
   * Gives a log up: all that it has is gone for certain when this returns. If it does not return,
   * the log is what it was, or is gone when it is opened.
   *
   * @throws DirectoryRefusedException if the log is in use
   * @throws IOException if the directory cannot be written
   */
  public static void erase(Disk disk) throws IOException {
    Erasure.erase(disk);
  }

  /** Returns whether a disk has a log that was not given up, whole or damaged. */
  public static boolean isThere(Disk disk) throws IOException {
    return disk.exists(LogFiles.IDENTITY) && !Erasure.isBegun(disk);
  }

  /** Opens a log without threads: {@link #turn} does what they would. */
  static Journal open(
      JournalConfig config, Disk disk, JournalClock clock, RecoverySink sink, boolean keysOnly)
      throws IOException {
    return open(config, disk, clock, sink, keysOnly, KeysLater.NONE);
  }

  /** Opens a log whose keys may be kept back. */
  static Journal open(
      JournalConfig config,
      Disk disk,
      JournalClock clock,
      RecoverySink sink,
      boolean keysOnly,
      KeysLater later)
      throws IOException {
    if (config.blockBytes() % disk.blockBytes() != 0) {
      throw new IllegalArgumentException("blockBytes must be a multiple of " + disk.blockBytes());
    }
    Closeable lock = disk.lock(LogFiles.LOCK);
    Recovery recovery = null;
    try {
      Erasure.finish(disk);
      LogIdentity.claim(
          disk, new LogIdentity(config.cluster(), config.member(), config.payloadFormat()));
      disk.makeDirectory(LogFiles.CHUNKS);
      disk.makeDirectory(LogFiles.BLOBS);
      recovery = new Recovery(disk, config, clock);
      recovery.requireKnownFiles();
      RecoveryReport report = recovery.replay(keysOnly, later, sink);
      recovery.settle();
      return new Journal(config, disk, clock, lock, recovery, report);
    } catch (IOException | RuntimeException | Error e) {
      Ending ending = new Ending();
      ending.add(e);
      if (recovery != null) {
        HeldKeys held = recovery.takeHeld();
        if (held != null) {
          ending.step(held::close);
        }
        ending.step(recovery.chunks::release);
        ending.step(recovery.manifest::close);
      }
      ending.step(lock::close);
      throw e;
    }
  }

  private Journal started() {
    try {
      threads.add(
          Thread.ofPlatform().name("kvs-journal-writer").daemon().start(guarded(writer::run)));
      threads.add(Thread.ofPlatform().name("kvs-journal-sync").daemon().start(guarded(sync::run)));
      return this;
    } catch (RuntimeException | Error e) {
      Ending ending = new Ending();
      ending.add(e);
      ending.step(this::close);
      throw e;
    }
  }

  /** A thread that ends by an error of ours must not leave anybody waiting. */
  private Runnable guarded(Runnable life) {
    return () -> {
      try {
        life.run();
      } catch (RuntimeException | Error e) {
        JournalFailedException failure = health.fail("a thread ended", new IOException(e));
        writers.forEach(each -> each.waiters.fail(failure));
        throw e;
      }
    };
  }

  /** Does once what the threads do all the time; for simulations. */
  void turn() {
    if (health.failure() == null) { // nor do they go on after that
      writer.turn();
      sync.turn();
    }
  }

  // ---- compaction

  /** Starts compaction, on a thread of its own; once. */
  public void compact(RecordOwner owner, CompactionPolicy policy) {
    compact(owner, policy, Duration.ZERO);
  }

  /**
   * Does the same as {@link #compact(RecordOwner, CompactionPolicy)}, and has the thread look for
   * damage.
   *
   * @param scrubEach in which time all sealed chunks and blobs are read once; zero for never
   */
  public void compact(RecordOwner owner, CompactionPolicy policy, Duration scrubEach) {
    Compactor made = compactor(owner, policy, scrubEach);
    threads.add(
        Thread.ofPlatform().name("kvs-journal-compactor").daemon().start(guarded(made::run)));
  }

  /** A compactor whose turns somebody else takes. */
  Compactor compactor(RecordOwner owner, CompactionPolicy policy) {
    return compactor(owner, policy, Duration.ZERO);
  }

  /** Makes a compactor, and a scrubber, whose turns the caller takes. */
  synchronized Compactor compactor(RecordOwner owner, CompactionPolicy policy, Duration scrubEach) {
    if (compactor != null) {
      throw new IllegalStateException("compaction was started before");
    }
    boolean once = policy.equals(CompactionPolicy.ALL); // then what it writes itself is left alone
    long slack = once ? 0 : config.chunkBytes() * config.streams();
    long below = once ? chunks.run() : Long.MAX_VALUE;
    Repairs repairs = new Repairs(owner, !once);
    Scrubber scrubber =
        new Scrubber(
            disk,
            clock,
            chunks,
            blobs,
            repairs,
            new ScrubPace(scrubEach, clock),
            this::isBehind,
            config.blockBytes());
    Compactor made =
        new Compactor(
            disk,
            clock,
            chunks,
            appender,
            names,
            blobs,
            owner,
            new VictimChoice(
                chunks,
                deadNotes,
                policy,
                slack,
                below,
                health::isFull,
                chunk -> once || fits(chunk)),
            this::keep,
            this::hasten,
            new CompactionPace(policy, clock, this::appendedBytes),
            this::tails,
            sync::certain,
            health,
            config.blockBytes(),
            repairs,
            scrubber);
    compactor = made;
    return made;
  }

  /** Returns whether a chunk can be written anew without another one. */
  private boolean fits(Chunk chunk) {
    long needed = reserve.toCompact(chunk.liveBytes());
    return streams.stream()
        .filter(stream -> isOf(chunk, stream))
        .allMatch(stream -> stream.room() >= needed);
  }

  private void keep(Chunk chunk, long liveBytes) {
    for (Stream stream : streams) {
      if (isOf(chunk, stream)) {
        if (liveBytes == Compactor.ENDED) {
          stream.keepNothing();
        } else {
          stream.keep(reserve.toCompact(liveBytes));
        }
      }
    }
  }

  /** Has what was appended made certain soon, and room that came back put to use. */
  private void hasten() {
    writer.hasten();
    sync.ring();
  }

  /** Returns whether a chunk's frames may be appended to a stream: there may have been more. */
  private boolean isOf(Chunk chunk, Stream stream) {
    return chunk.stream == stream.index || chunk.stream >= streams.size();
  }

  /** Returns whether appends wait for the disk, or soon will. */
  private boolean isBehind() {
    return health.isFull()
        || streams.stream().anyMatch(stream -> !stream.hasRoom(config.blockBytes() / 2));
  }

  /**
   * Has all sealed chunks and blobs read once from now on, as fast as the disk does, once {@link
   * #compact} was called. Returns at once: {@link #scrubFigures} says how far it is.
   */
  public void scrub() {
    Compactor running = compactor;
    if (running != null) {
      running.scrub();
    }
  }

  /** Returns the results of scrubbing, and of the repairs that followed. */
  public ScrubFigures scrubFigures() {
    Compactor running = compactor;
    return running == null ? ScrubFigures.NONE : running.scrubber().figures();
  }

  private long appendedBytes() {
    return writers.stream().mapToLong(StreamWriter::appendedBytes).sum();
  }

  /** Returns why compaction stands still and tries again each second, or null while it goes on. */
  public synchronized @Nullable IOException compactionFailure() {
    Compactor running = compactor;
    return running == null ? null : running.failure();
  }

  /**
   * Returns the damage that compaction has found since the log was opened. The files are kept
   * aside. Records that were only there will be missing when the log is opened again, unless their
   * owner puts them anew.
   */
  public synchronized List<Damage> damageFoundSince() {
    Compactor running = compactor;
    return running == null ? List.of() : running.damage();
  }

  /** Returns the bytes that the log takes on the disk, and how many of them are needed. */
  public JournalStatistics statistics() {
    deadNotes.flush();
    return JournalStatistics.of(chunks.all(), blobs.liveBytes(), sync.syncs(), appendedBytes());
  }

  /** Returns the report of what was found when the log was opened. */
  public RecoveryReport report() {
    return report;
  }

  /**
   * Returns the number of places of the log that were found damaged, when it was opened or before,
   * since {@link #trust} was last called; 0 if the log has all that was certain. While it is more,
   * each partition may lack records that were certain, have older ones, or have what was removed.
   */
  public long suspect() {
    return manifest.suspect();
  }

  /** Reads what can still be read of what was found damaged when the log was opened. Blocks. */
  public DamagedRecords damagedRecords() {
    return DamagedRecords.of(disk, names, report.damage());
  }

  /** Returns whether a damaged file is still a part of the log. It will be set aside. */
  public boolean hasDamagedFiles() {
    return chunks.all().stream().anyMatch(Chunk::isDamaged);
  }

  /**
   * Declares the log complete again: damaged records were put into it anew, or their owner has
   * noted that they are lost.
   *
   * @throws IOException if that cannot be written: the log stays {@link #suspect}
   */
  public void trust() throws IOException {
    manifest.trust();
  }

  /** The number of a map in this log; the same as long as the log knows it. */
  public int map(String name) {
    if (name.isEmpty() || name.length() > config.mostInlineBytes() / 8) {
      throw new IllegalArgumentException(
          "a map's name has 1 to %d characters: length=%d"
              .formatted(config.mostInlineBytes() / 8, name.length()));
    }
    return names.number(name);
  }

  /** The name of a map, empty if the number is nobody's. */
  public String mapName(int map) {
    return names.name(map);
  }

  // ---- appending

  /**
   * Appends a record, waiting for the disk if the ring is full.
   *
   * @param partition 0 or more; the caller holds it
   * @param map from {@link #map}
   * @param expiresAt milliseconds since 1970, 0 for never
   * @param keyForm 0 to 15, part of the key
   * @param payload the address of the record's bytes, which are copied
   * @param payloadBytes how many
   * @param keyOffset where in them the key is, at most 65535
   * @param keyBytes how long the key is
   * @return its position
   * @throws JournalFullException if the disk is full; nothing was appended
   * @throws JournalRefusedException if no file of its own can be made; nothing was appended
   * @throws JournalFailedException if the journal has failed or is closed; nothing was appended
   */
  public long put(
      int partition,
      int map,
      long expiresAt,
      int keyForm,
      long payload,
      int payloadBytes,
      int keyOffset,
      int keyBytes) {
    return appender.record(
        true,
        Frames.PUT,
        partition,
        map,
        expiresAt,
        keyForm,
        payload,
        payloadBytes,
        keyOffset,
        keyBytes);
  }

  /** Returns whether the payload of a {@link #put} of so many bytes becomes a file of its own. */
  public boolean isFile(int payloadBytes) {
    return appender.isFile(payloadBytes);
  }

  /**
   * Writes the file of a payload that becomes one, ahead of {@link #put(int, int, long, int, long,
   * int, int, PayloadDraft)}: waits for the disk.
   *
   * @param payload the address of the bytes; those that change meanwhile are as they were before or
   *     after
   * @throws JournalFullException if the disk is full
   * @throws JournalRefusedException if no file can be made
   * @throws JournalFailedException if the journal has failed or is closed
   */
  public PayloadDraft draft(long payload, int payloadBytes) {
    return appender.draft(payload, payloadBytes);
  }

  /**
   * Does the same as {@link #put(int, int, long, int, long, int, int, int)} for a record whose
   * payload was written ahead. It copies only the key.
   *
   * @param payload the address of the payload; what it has is what was drafted, or means the same
   * @param draft not appended or discarded yet; if this throws, it stays so
   */
  public long put(
      int partition,
      int map,
      long expiresAt,
      int keyForm,
      long payload,
      int keyOffset,
      int keyBytes,
      PayloadDraft draft) {
    return appender.drafted(
        Frames.PUT, partition, map, expiresAt, keyForm, payload, keyOffset, keyBytes, draft);
  }

  /**
   * Does the same as {@link #put}, but returns {@link #FULL} where that would wait or write a file.
   */
  public long tryPut(
      int partition,
      int map,
      long expiresAt,
      int keyForm,
      long payload,
      int payloadBytes,
      int keyOffset,
      int keyBytes) {
    return appender.record(
        false,
        Frames.PUT,
        partition,
        map,
        expiresAt,
        keyForm,
        payload,
        payloadBytes,
        keyOffset,
        keyBytes);
  }

  /**
   * Returns whether {@link #tryPut} or {@link #tryRemove} would very likely take a payload of that
   * length now. This is a hint: other threads may be faster, and the length of the map's name is
   * not considered. Any thread, also one that does not hold the partition; it takes no lock and
   * allocates nothing.
   *
   * @param payloadBytes of a remove the key's
   * @return false if the ring or the disk is full, the journal has failed or is closed, or the
   *     payload would become a file of its own
   */
  public boolean hasRoom(int partition, int payloadBytes) {
    return appender.hasRoom(partition, payloadBytes);
  }

  /**
   * Returns whether a remove of a partition would be taken now: on a full disk too, while there is
   * room in what is kept for removes. Any thread.
   */
  public boolean takesRemove(int partition) {
    return appender.takesRemove(partition);
  }

  /** Returns whether a {@link #clear} or {@link #drop} would be taken now. Any thread. */
  public boolean takesEnd(int partition) {
    return appender.takesEnd(partition);
  }

  /**
   * Returns the bytes that {@link #put} of such a payload, or {@link #remove} of such a key,
   * appends: 32 bytes and the payload, in whole 8 bytes. For a payload that becomes a file of its
   * own, this is the size of the payload too, without the reference to it.
   *
   * @param payloadBytes 0 or more; 0 of {@link #clear}
   */
  public static long bytesOf(int payloadBytes) {
    return (Frames.HEADER_BYTES + (long) payloadBytes + Frames.ALIGNMENT - 1)
        / Frames.ALIGNMENT
        * Frames.ALIGNMENT;
  }

  /** Does the same as {@link #put} for a payload in an array. */
  public long put(
      int partition,
      int map,
      long expiresAt,
      int keyForm,
      byte[] payload,
      int keyOffset,
      int keyBytes) {
    return appender.record(
        true, Frames.PUT, partition, map, expiresAt, keyForm, payload, keyOffset, keyBytes);
  }

  /** Appends that a record was removed; parameters and outcomes are those of {@link #put}. */
  public long remove(int partition, int map, int keyForm, byte[] key) {
    return appender.record(true, Frames.REMOVE, partition, map, 0, keyForm, key, 0, key.length);
  }

  /**
   * Does the same as {@link #remove}, but returns {@link #FULL} where that would wait or write a
   * file.
   */
  public long tryRemove(int partition, int map, int keyForm, byte[] key) {
    return appender.record(false, Frames.REMOVE, partition, map, 0, keyForm, key, 0, key.length);
  }

  /** Does the same as {@link #remove} for a key in memory. */
  public long remove(int partition, int map, int keyForm, long key, int keyBytes) {
    return appender.record(
        true, Frames.REMOVE, partition, map, 0, keyForm, key, keyBytes, 0, keyBytes);
  }

  /** Does the same as {@link #tryRemove} for a key in memory. */
  public long tryRemove(int partition, int map, int keyForm, long key, int keyBytes) {
    return appender.record(
        false, Frames.REMOVE, partition, map, 0, keyForm, key, keyBytes, 0, keyBytes);
  }

  /** Appends that all records of a map in a partition are gone; outcomes as of {@link #put}. */
  public long clear(int partition, int map) {
    return appender.end(true, Frames.CLEAR, partition, map, Position.NONE);
  }

  /** Appends that all records of a partition are gone; outcomes as of {@link #put}. */
  public long drop(int partition) {
    return appender.end(true, Frames.DROP, partition, 0, Position.NONE);
  }

  /**
   * A record's frame is not needed any more; called after what replaced or removed it was appended,
   * or when it has expired. Once for each frame.
   */
  @Override
  public void dead(long position, int payloadBytes) {
    if (Position.isBlob(position)) {
      chunks.dead(position, payloadBytes);
      blobs.dead(position, tails());
      sync.ring();
    } else {
      deadNotes.add(position, payloadBytes);
    }
  }

  /** Returns the bytes of files that are left of the log as it was opened. */
  long oldBytes() {
    return chunks.bytesBefore(chunks.run());
  }

  long chunkBytes() {
    return config.chunkBytes();
  }

  /** Returns the number of times that the manifest was written anew since the log was opened. */
  int manifestShrinkings() {
    return manifest.shrinkings();
  }

  long[] tails() {
    return writers.stream().mapToLong(StreamWriter::appendedPosition).toArray();
  }

  // ---- durability

  /** Returns the number of streams, 1 or more. */
  public int streams() {
    return streams.size();
  }

  /**
   * Returns the stream of a partition's records, from 0 on. Later records have greater positions.
   */
  public int stream(int partition) {
    return partition % streams.size();
  }

  /** Tells the waiter when a record, and all before it in its partition, is certain. */
  public void whenDurable(long position, DurabilityWaiter waiter) {
    Chunk chunk = chunks.get(Position.chunk(position));
    if (chunk == null || chunk.isSealed()) {
      waiter.durable();
      return;
    }
    StreamWriter stream = writers.get(chunk.stream);
    if (position < stream.certainPosition()) {
      waiter.durable();
      return;
    }
    enter(stream, position, waiter);
  }

  private void enter(StreamWriter stream, long position, DurabilityWaiter waiter) {
    waiter.position = position;
    stream.waiters.enter(waiter);
    JournalFailedException failure = health.failure();
    if (failure != null) {
      stream.waiters.fail(failure);
    } else {
      writerBell.ring();
    }
  }

  /**
   * Waits until all that had been appended when it was called is certain.
   *
   * @throws JournalFailedException if that will never be
   */
  public void awaitCertain() throws InterruptedException {
    List<Certainty> awaited = new ArrayList<>();
    for (StreamWriter stream : writers) {
      long appended = stream.appendedPosition();
      if (stream.certainPosition() < appended) {
        Certainty certainty = new Certainty();
        enter(stream, appended - 1, certainty);
        awaited.add(certainty);
      }
    }
    for (Certainty certainty : awaited) {
      certainty.await();
    }
  }

  private static final class Certainty extends DurabilityWaiter {
    private final CountDownLatch told = new CountDownLatch(1);
    private volatile @Nullable JournalException failure;

    void await() throws InterruptedException {
      told.await();
      JournalException failed = failure;
      if (failed != null) {
        throw failed;
      }
    }

    @Override
    protected void durable() {
      told.countDown();
    }

    @Override
    protected void failed(JournalException e) {
      failure = e;
      told.countDown();
    }

    @Override
    protected boolean waitsForRoom() {
      return true;
    }
  }

  /** The failure after which nothing is appended any more; null while there was none. */
  public @Nullable JournalFailedException failure() {
    return health.failure();
  }

  /**
   * Has something done when the journal fails: by any thread, at once if it has. One task at a
   * time.
   *
   * @param task does not block and does not throw
   */
  public void whenFailed(Runnable task) {
    health.whenFailed(task);
  }

  /** Returns whether appends are refused because the disk is full. */
  public boolean isDiskFull() {
    return health.isFull();
  }

  /** Returns the mode in which the disk is used: {@code direct}, or why not. */
  public String diskMode() {
    return disk.mode();
  }

  // ---- reading

  /**
   * Reads a record where it is in the log.
   *
   * @param payloadBytes how long its payload is
   * @param to called with it, if it is there
   * @return false if it is not in a file yet; it is when {@link #whenDurable} says so
   * @throws IOException if it cannot be read or is not what was written; the message says where
   */
  public boolean read(long position, int payloadBytes, Consumer<Frame> to) throws IOException {
    return new RecordReader(disk, names, chunks, writers).read(position, payloadBytes, to);
  }

  /**
   * The keys that were kept back when the log was opened; null if none were. Until they are given,
   * nothing may be appended of their maps in their partitions, and {@link #compact} may not be
   * called. Closed with the journal, if not before.
   */
  public @Nullable HeldKeys heldKeys() {
    return heldKeys;
  }

  /**
   * After {@link #openKeys}: gives what was put in the chunks of which only the keys were read to a
   * sink, as {@link RecoverySink#put}, with the payloads; also some of what has expired, was
   * replaced or removed since: what is known to be {@link #dead} is left out. For each partition
   * one call at a time, different partitions by different threads. Blobs are not among it, and what
   * was not read whole: {@link #read} has those. Before {@link #compact}. Blocks; ends with what
   * the sink throws.
   *
   * @param chunks which chunks, see {@link #chunkOf}
   * @return what was read, and what was not as it was written
   * @throws IOException if the directory cannot be read
   */
  public RecoveryReport replayPayloads(LongPredicate chunks, RecoverySink sink) throws IOException {
    return recovery.replayPayloads(chunks, sink);
  }

  /**
   * After {@link #openKeys}: reads all that was not read then and is still needed, to find out
   * whether it is as it was written. Nothing is put back, and needs little memory. Chunks with
   * damaged frames are set aside by compaction when their good records have been written anew.
   * Before {@link #compact}. Blocks for as long as the disk takes to read the log.
   *
   * @throws IOException if a file is there and cannot be opened
   */
  public LogCheck check() throws IOException {
    return recovery.check();
  }

  /** The number of the chunk that a position is in. */
  public static long chunkOf(long position) {
    return Position.chunk(position);
  }

  // ---- closing

  /**
   * Makes certain and seals what there is, unless the journal has failed. Nobody may append any
   * more.
   *
   * @throws IOException if that failed: what was appended last may be lost
   */
  @Override
  public synchronized void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    Compactor running = compactor;
    if (running != null) {
      running.stop();
    }
    health.close();
    writer.stop();
    sync.stop();
    joinThreads();
    Ending ending = new Ending();
    if (running != null) {
      ending.step(running::close);
    }
    if (health.failure() == null) {
      ending.step(
          () -> {
            writer.finish();
            sync.finish();
          });
    }
    release(ending);
    ending.end();
  }

  /** Gives back files, memory and the lock; that last, so that whoever takes it finds the rest. */
  private void release(Ending ending) {
    for (StreamWriter each : writers) {
      for (ChunkWriter chunk : each.unsealed()) {
        ending.step(chunk::close);
      }
      for (ChunkWriter spare = each.takeSpare(); spare != null; spare = each.takeSpare()) {
        ending.step(spare::close);
      }
      ending.step(
          () -> each.waiters.fail(new JournalFailedException("the journal is closed", null)));
    }
    if (heldKeys != null) {
      ending.step(heldKeys::close);
    }
    ending.step(chunks::release);
    ending.step(blobs::close);
    ending.step(certainFile::close);
    ending.step(manifest::close);
    streams.forEach(stream -> ending.step(stream::close));
    ending.step(lock::close);
  }

  private void joinThreads() {
    boolean interrupted = false;
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
