package io.keyvalueserve.journal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes what is needed of a chunk to the heads of the streams, and then ends the chunk. It goes
 * through the victim block by block and through each block partition by partition, and decides for
 * a slice of frames at a time while nobody changes their partition:
 *
 * <pre>
 *   frame            the record is        what happens
 *   ---------------  -------------------  ------------------------------------------------------------
 *   PUT              at this position     a copy is appended, the owner learns its position
 *   PUT              elsewhere            nothing: a later frame has it
 *   PUT, expires     not there            a remove is appended, while an older chunk may have the key
 *   PUT, never       not there            nothing: its remove, clear or drop is later in the log
 *   PUT, never       marked as dead       nothing, and nobody is asked: one of the last two
 *   REMOVE           there                nothing: a later frame has it
 *   REMOVE           not there            a copy is appended, while an older chunk may have the key
 *   CLEAR, DROP      -                    a copy with the same bound, while an older chunk may have any
 * </pre>
 *
 * <p><b>Why nothing that is needed is lost.</b> The victim goes only when all that was appended up
 * to the last decision is certain: the copies, and the later frames on whose account something was
 * not copied. Before that a crash leaves the victim; a record is then found twice, the copy having
 * the greater position, which is the one that counts.
 *
 * <p><b>Why nothing that was removed returns.</b> A frame can only return if it is in a chunk older
 * than what hid it. What hides, a later put, remove, clear or drop, is given up only if nothing
 * older is left to hide, or if there is a later put of the key in its place; a put that expires and
 * that hid an older one leaves a remove behind. A clear that is copied has a greater position than
 * records that were put after it: so it carries the bound of the original, and hides only what is
 * before that.
 *
 * <p><b>What a damaged chunk lacks.</b> Its good frames are copied as those of any other. Then its
 * owner writes every record anew that still is at a position in the chunk. If that is not all that
 * the chunk has lost, a remove may be among the rest, or an expired put that hid an older one: then
 * older chunks are gone through, and a remove is appended for each put of a key that is not there.
 * The chunk ends after that.
 *
 * <p>It never waits while it has a partition: if the ring is full the slice ends there and goes on
 * later. One thread.
 */
final class Compactor {
  /** A chunk that goes when all streams are certain up to here. */
  private record Ended(Chunk chunk, long[] after) {}

  /** A chunk that lacks removes, and the older chunks that may have what they hid. */
  private record Repair(Chunk chunk, Deque<Chunk> older) {}

  private static final long FULL = LogAppender.FULL;
  private static final int SLICE = 128;

  /** Says that a chunk needs no room any more. */
  static final long ENDED = -1;

  /** The time until it looks again, if it may write no more at the moment. */
  private static final long PACED_NANOS = 50_000_000;

  /**
   * The time until it looks again, if there was nothing to compact. The log does not grow by much
   * in it.
   */
  private static final long IDLE_NANOS = 250_000_000;

  /** The time until it tries again what the disk has refused. */
  static final long RETRY_NANOS = 1_000_000_000;

  private final Disk disk;
  private final JournalClock clock;
  private final ChunkSource chunks;
  private final LogAppender appender;
  private final MapNames names;
  private final Blobs blobs;
  private final RecordOwner owner;
  private final VictimChoice choice;
  private final ObjLongConsumer<Chunk> reserve;
  private final Runnable hasten;
  private final CompactionPace pace;
  private final Supplier<long[]> tails;
  private final Supplier<long[]> certain;
  private final Health health;
  private final int unitBytes;
  private final Repairs repairs;
  private final Scrubber scrubber;
  private final Doorbell bell = new Doorbell();
  private volatile boolean stopped;

  private @Nullable Victim victim;
  private @Nullable AlignedMemory memory; // what victims are read into, one after the other
  private final Deque<Ended> ended = new ArrayDeque<>();
  private @Nullable Repair repair; // of a chunk whose good frames were copied
  private final List<Damage> damage = new CopyOnWriteArrayList<>();
  private volatile @Nullable IOException failure;
  private long failedAt;

  Compactor(
      Disk disk,
      JournalClock clock,
      ChunkSource chunks,
      LogAppender appender,
      MapNames names,
      Blobs blobs,
      RecordOwner owner,
      VictimChoice choice,
      ObjLongConsumer<Chunk> reserve,
      Runnable hasten,
      CompactionPace pace,
      Supplier<long[]> tails,
      Supplier<long[]> certain,
      Health health,
      int unitBytes,
      Repairs repairs,
      Scrubber scrubber) {
    this.disk = disk;
    this.clock = clock;
    this.chunks = chunks;
    this.appender = appender;
    this.names = names;
    this.blobs = blobs;
    this.owner = owner;
    this.choice = choice;
    this.reserve = reserve;
    this.hasten = hasten;
    this.pace = pace;
    this.tails = tails;
    this.certain = certain;
    this.health = health;
    this.unitBytes = unitBytes;
    this.repairs = repairs;
    this.scrubber = scrubber;
  }

  /** The thread's whole life. */
  void run() {
    try {
      while (!stopped && health.failure() == null) {
        boolean worked = turn();
        worked |= scrubber.turn();
        if (!worked) {
          bell.await(victim == null && ended.isEmpty() ? IDLE_NANOS : PACED_NANOS);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      close();
    }
  }

  void stop() {
    stopped = true;
    bell.ring();
  }

  /** Returns the scrubber, which looks for damage on the same thread. */
  Scrubber scrubber() {
    return scrubber;
  }

  /** Has the whole log read at once, see {@link Scrubber#ask}. Any thread. */
  void scrub() {
    scrubber.ask();
    bell.ring();
  }

  /**
   * Returns why the compactor stands still, because a chunk could not be opened or removed, or null
   * while it goes on.
   */
  @Nullable IOException failure() {
    return failure;
  }

  /** Returns the damage that it has found and that was not known before. */
  List<Damage> damage() {
    return List.copyOf(damage);
  }

  /** Compacts a block, or ends a chunk; returns whether there was anything to do. */
  boolean turn() throws InterruptedException {
    if (failure != null && clock.nanoTime() - failedAt < RETRY_NANOS) {
      return false;
    }
    try {
      boolean removed = removeEnded();
      if (removed) {
        hastenIfFull();
      }
      Victim chunk = victim;
      if (chunk == null) {
        chunk = choose();
      }
      goesOn();
      if (chunk == null) {
        return removed;
      }
      if (!isUrgent(chunk) && !pace.hasCredit() && !pace.mayWrite(choice.ratio())) {
        return false;
      }
      if (!chunk.hasSlice()) {
        if (!chunk.loadNext()) {
          endVictim();
          finish(chunk);
          hastenIfFull();
          return true;
        }
        if (!chunk.hasSlice()) {
          return true; // all in it is dead
        }
      }
      return runSlice(chunk);
    } catch (IOException e) {
      standsStill(e);
      return false;
    }
  }

  /** Hastens the sync on a full disk, as somebody may wait for the room that a chunk gives back. */
  private void hastenIfFull() {
    if (health.isFull()) {
      hasten.run();
    }
  }

  private void standsStill(IOException e) {
    boolean told = failure != null;
    failure = e;
    failedAt = clock.nanoTime();
    if (!told) {
      owner.compactionStands(e);
    }
  }

  private void goesOn() {
    if (failure != null) {
      failure = null;
      owner.compactionGoesOn();
    }
  }

  private boolean isUrgent(Victim chunk) {
    return health.isFull() || chunk.chunk.isDamaged();
  }

  /** Returns whether there is a chunk that it would compact or repair, or is compacting. */
  boolean isBusy() {
    return victim != null
        || repair != null
        || repairs.open() > 0
        || !ended.isEmpty()
        || choice.choose(Set.of()).isPresent();
  }

  private @Nullable Victim choose() throws IOException, InterruptedException {
    if (health.isFull() && !ended.isEmpty()) {
      return null; // one at a time, or it takes what is kept for removes
    }
    Victim older = goOnWithRepair();
    if (older != null) {
      return older;
    }
    mendBlob();
    Set<Chunk> leaving = ended.stream().map(Ended::chunk).collect(Collectors.toSet());
    leaving.addAll(repairs.waiting(clock.nanoTime(), health.isFull()));
    Chunk chosen = choice.choose(leaving).orElse(null);
    if (chosen == null) {
      return null;
    }
    if (repairs.isOn() && !disk.exists(LogFiles.chunk(chosen.id))) {
      if (!repairs.isBroken(chosen)) {
        repairs.broken(chosen, List.of(chunks.missing(chosen)));
      }
      renew(chosen, 0);
      return null;
    }
    Victim chunk = new Victim(chosen, false);
    victim = chunk;
    reserve.accept(chosen, chunk.live);
    return chunk;
  }

  // ---- what damaged files lack

  /** A chunk was gone through: it ends, unless it has lost something. */
  private void finish(Victim done) throws InterruptedException {
    if (done.hides) {
      return;
    }
    if (repairs.isBroken(done.chunk)) {
      renew(done.chunk, done.seen);
    } else {
      ended.add(new Ended(done.chunk, tails.get()));
    }
  }

  /**
   * Has written anew what is still at positions in a chunk.
   *
   * @param seen how many bytes of its frames could be read
   */
  private void renew(Chunk chunk, long seen) throws InterruptedException {
    RecordOwner.Renewed renewed = repairs.renew(position -> Position.chunk(position) == chunk.id);
    if (!renewed.complete()) {
      repairs.postpone(chunk, clock.nanoTime());
      return;
    }
    Deque<Chunk> older = new ArrayDeque<>();
    if (chunk.recordBytes() + chunk.tombstoneBytes() - seen != renewed.bytes()) {
      chunks.all().stream()
          .filter(each -> each.id < chunk.id && each.isSealed()) // others are of other partitions
          .forEach(older::add);
    }
    repair = new Repair(chunk, older);
  }

  /** The next older chunk to look at; null if there is none. */
  private @Nullable Victim goOnWithRepair() throws IOException {
    Repair open = repair;
    if (open == null) {
      return null;
    }
    if (health.isFull()) { // then it is begun anew when there is room
      repair = null;
      return null;
    }
    for (Chunk next = open.older.peek(); next != null; next = open.older.peek()) {
      boolean isThere = chunks.get(next.id) != null && disk.exists(LogFiles.chunk(next.id));
      if (isThere) {
        Victim chunk = new Victim(next, true);
        victim = chunk;
        open.older.remove();
        return chunk;
      }
      open.older.remove();
    }
    ended.add(new Ended(open.chunk, tails.get()));
    repair = null;
    return null;
  }

  private void mendBlob() throws InterruptedException {
    long now = clock.nanoTime();
    long id = repairs.nextBlob(now);
    if (id < 0 || health.isFull()) {
      return;
    }
    blobs.markDamaged(id); // when its record is elsewhere its file goes
    RecordOwner.Renewed renewed =
        repairs.renew(position -> Position.isBlob(position) && blobs.at(position) == id);
    if (renewed.complete()) {
      repairs.blobMended(disk.path(LogFiles.blob(id)));
    } else {
      repairs.postponeBlobs(now);
    }
  }

  /** Removes the chunks that nothing depends on any more. */
  private boolean removeEnded() throws IOException {
    boolean removed = false;
    while (!ended.isEmpty() && isReached(ended.getFirst().after)) {
      Chunk chunk = ended.getFirst().chunk;
      try {
        chunks.remove(chunk);
      } catch (NoSpaceException e) {
        return removed; // not even for the line that says so; there will be
      } catch (IOException e) {
        if (chunks.get(chunk.id) == null) {
          ended.removeFirst(); // a sync failed, which is not tried again
          repairs.gone(chunk);
        }
        throw e;
      }
      ended.removeFirst();
      repairs.gone(chunk);
      removed = true;
    }
    return removed;
  }

  private boolean isReached(long[] positions) {
    long[] reached = certain.get();
    for (int i = 0; i < positions.length; i++) {
      if (reached[i] < positions[i]) {
        return false;
      }
    }
    return true;
  }

  /** Runs a slice; returns false if the ring was full, and it has to go on later. */
  private boolean runSlice(Victim chunk) throws InterruptedException {
    int before = chunk.next;
    owner.exclusively(chunk.partition(), chunk::decideSlice);
    reserve.accept(chunk.chunk, Math.max(0, chunk.live - chunk.copied));
    return chunk.next > before;
  }

  private void endVictim() {
    Victim open = victim;
    if (open != null) {
      reserve.accept(open.chunk, ENDED);
      open.close();
      victim = null;
    }
  }

  void close() {
    endVictim();
    scrubber.close();
    AlignedMemory held = memory;
    if (held != null) {
      held.close();
      memory = null;
    }
  }

  /** Returns memory of at least so many bytes; for one victim at a time. */
  private AlignedMemory memory(int bytes) {
    AlignedMemory held = memory;
    if (held != null && held.bytes() >= bytes) {
      return held;
    }
    if (held != null) {
      held.close();
      memory = null;
    }
    AlignedMemory made = AlignedMemory.allocateLasting(bytes);
    memory = made;
    return made;
  }

  /** The chunk that is being compacted, a part of it in memory. */
  private final class Victim implements AutoCloseable {
    final Chunk chunk;
    private final ChunkFile file;
    private final AlignedMemory memory;
    private final int partBytes; // whole blocks
    private final FrameScanner scanner;
    private final Frame frame = new Frame();
    private final Map<Integer, Integer> numbers = new HashMap<>();
    private final int blockBytes;
    private final boolean known; // to be damaged, and told before
    private final boolean hides; // or else it is compacted
    private long seen; // bytes of its frames
    private final long end;
    final long live; // when it was chosen
    long copied;
    private long unit; // where the next part begins in the file
    private long loaded; // where the part in memory began
    private long[] order = new long[0]; // partition and frame, sorted
    private int count;
    int next; // the first in the order that is not decided

    /**
     * @param hides whether what it has of keys that are not there is to stay hidden, and no more
     */
    Victim(Chunk chunk, boolean hides) throws IOException {
      this.chunk = chunk;
      live = chunk.liveBytes();
      this.hides = hides;
      known = chunk.isDamaged();
      file = ChunkFile.open(disk, chunk.id);
      blockBytes = file.header().map(ChunkHeader::blockBytes).orElse(unitBytes);
      long whole =
          file.trailer(chunk.id)
              .map(ChunkTrailer::end)
              .orElseGet(() -> chunks.layout(chunk.id).endOr(chunk.fileBytes()));
      end = Math.min(whole, file.size());
      noteShort(whole - end);
      memory = memory(Math.max(unitBytes, blockBytes));
      partBytes = (int) memory.bytes() & -blockBytes;
      scanner = new FrameScanner(memory);
    }

    private void noteShort(long missing) {
      if (missing > 0) {
        String name = disk.path(LogFiles.chunk(chunk.id));
        note(
            List.of(
                new Damage(Damage.Kind.BAD_FRAMES, name, end, missing, "the file is too short")));
      }
    }

    boolean hasSlice() {
      return next < count;
    }

    /** Reads the next part and puts its frames in the order of partitions; false at the end. */
    boolean loadNext() {
      if (unit >= end) {
        return false;
      }
      loaded = unit;
      int bytes = (int) Math.min(partBytes, end - unit);
      List<Damage> found = new ArrayList<>();
      found.addAll(file.read(loaded, memory, (bytes + ChunkHeader.BYTES - 1) & -ChunkHeader.BYTES));
      scanner.scan(chunk.id, loaded, loaded == 0 ? ChunkHeader.BYTES : 0, bytes, blockBytes);
      String name = disk.path(LogFiles.chunk(chunk.id));
      scanner.gaps().forEach(gap -> found.add(gap.damage(name)));
      note(found);
      unit += partBytes;
      count = 0;
      next = 0;
      order = new long[scanner.count()];
      for (int i = 0; i < scanner.count(); i++) {
        long address = memory.address() + scanner.offset(i);
        int type = Frames.type(address);
        if (type == Frames.MAP) {
          learn(address);
          continue;
        }
        if (!isNamed(address)) {
          continue; // as if it could not be read
        }
        seen += Frames.space(address);
        if (hides ? type == Frames.PUT : !isKnownDead(address, loaded + scanner.offset(i))) {
          order[count++] = ((long) Frames.partition(address) << 32) | i;
        }
      }
      Arrays.sort(order, 0, count);
      return true;
    }

    /**
     * Returns whether the map of a frame is known. A run before this one gave its maps other
     * numbers.
     */
    private boolean isNamed(long address) {
      return Frames.type(address) == Frames.DROP
          || chunk.id >= chunks.run()
          || numbers.containsKey(Frames.map(address));
    }

    /**
     * Returns whether nothing has to be done for a frame because its owner has marked it as dead.
     */
    private boolean isKnownDead(long address, long offset) {
      return Frames.type(address) == Frames.PUT
          && Frames.instant(address) == 0
          && !Frames.isBlob(address)
          && chunk.isMarkedDead(offset);
    }

    /** Notes damage that has come since the chunk was written, and keeps the chunk's file. */
    private void note(List<Damage> found) {
      if (!found.isEmpty() && !known) {
        chunk.markDamaged();
        damage.addAll(found);
        repairs.broken(chunk, found);
      }
    }

    private void learn(long address) {
      String name = new String(frame.inline(address, 0).key(), StandardCharsets.UTF_8);
      numbers.put(Frames.map(address), names.learn(Frames.map(address), name));
    }

    int partition() {
      return next < count ? (int) (order[next] >>> 32) : 0;
    }

    /** Decides for frames of one partition until the slice is full, or the ring. */
    void decideSlice() {
      int partition = partition();
      int last = Math.min(count, next + SLICE);
      anticipate(partition, last);
      while (next < last && partition() == partition) {
        int offset = scanner.offset((int) order[next]);
        try {
          if (!decide(memory.address() + offset, Position.of(chunk.id, loaded + offset))) {
            return;
          }
        } catch (JournalException e) {
          return; // a remove of a long key needs a file, which was refused: as if the ring was full
        }
        next++;
      }
    }

    /** Says which keys will be asked for: to ask one after the other is to wait for memory. */
    private void anticipate(int partition, int last) {
      for (int i = next; i < last && order[i] >>> 32 == partition; i++) {
        int offset = scanner.offset((int) order[i]);
        long address = memory.address() + offset;
        int type = Frames.type(address);
        if ((type == Frames.PUT || type == Frames.REMOVE) && !Frames.isBlob(address)) {
          int number = number(address);
          owner.anticipate(
              frame
                  .inline(address, Position.of(chunk.id, loaded + offset))
                  .of(number, names.name(number)));
        }
      }
    }

    /** The number that the frame's map has now. */
    private int number(long address) {
      return numbers.getOrDefault(Frames.map(address), Frames.map(address));
    }

    private boolean decide(long address, long position) {
      int number = number(address);
      return switch (Frames.type(address)) {
        case Frames.PUT ->
            hides ? hide(address, position, number) : decidePut(address, position, number);
        case Frames.REMOVE -> decideRemove(address, position, number);
        default -> !mayHide(address) || copy(address, number) != FULL;
      };
    }

    /** Returns whether the log may have an older frame that this frame keeps from coming back. */
    private boolean mayHide(long address) {
      return chunks.isPartitionIn(Frames.partition(address), chunk.id);
    }

    private boolean decideRemove(long address, long position, int number) {
      if (!mayHide(address)) {
        endBlob(address, position);
        return true;
      }
      try (AlignedMemory blob = look(address, position, number)) {
        boolean known = Frames.hasInlineKey(address) || blob != null;
        if (known && owner.positionOf(frame) != Position.NONE) {
          endBlob(address, position);
          return true;
        }
        if (!known && blobs.isGone(Frames.blob(address))) {
          return true; // it does not know its key any more
        }
        long copy = copy(address, number);
        if (copy != FULL && Frames.isBlob(address)) {
          blobs.moved(Position.ofBlob(position), copy);
        }
        return copy != FULL;
      }
    }

    /** A remove is not needed any more; if its key was too long for a frame, it is in a blob. */
    private void endBlob(long address, long position) {
      if (Frames.isBlob(address)) {
        blobs.dead(Position.ofBlob(position), tails.get());
      }
    }

    private boolean decidePut(long address, long position, int number) {
      AlignedMemory blob = look(address, position, number);
      try (blob) {
        if (names.name(number).isEmpty() || (!Frames.hasInlineKey(address) && blob == null)) {
          return true; // it was reported when the log was opened; or its blob went with its record
        }
        long present = owner.positionOf(frame);
        if (present == frame.position()) {
          long copy = copy(address, number);
          if (copy == FULL) {
            return false;
          }
          if (Frames.isBlob(address)) {
            blobs.moved(present, copy);
          }
          owner.moved(frame, copy);
          return true;
        }
        if (present == Position.NONE && Frames.instant(address) != 0 && mayHide(address)) {
          wrote(Frames.HEADER_BYTES + frame.keyBytes());
          return appender.tombstone(frame) != FULL;
        }
        return true;
      }
    }

    /** Appends a remove of a put's key that is not there. */
    private boolean hide(long address, long position, int number) {
      AlignedMemory blob = look(address, position, number);
      try (blob) {
        boolean known = Frames.hasInlineKey(address) || blob != null;
        if (!known || names.name(number).isEmpty() || owner.positionOf(frame) != Position.NONE) {
          return true;
        }
        pace.wrote(Frames.HEADER_BYTES + frame.keyBytes());
        return appender.tombstone(frame) != FULL;
      }
    }

    /** Points at the frame; if its key is in its blob only, at that in memory, to be closed. */
    private @Nullable AlignedMemory look(long address, long position, int number) {
      AlignedMemory blob = null;
      if (!Frames.isBlob(address)) {
        frame.inline(address, position);
      } else if (Frames.hasInlineKey(address)) {
        frame.blobKey(address, position);
      } else {
        blob = readBlob(address);
        frame.blob(address, position, blob == null ? 0 : blob.address());
      }
      frame.of(number, names.name(number));
      return blob;
    }

    private @Nullable AlignedMemory readBlob(long address) {
      try {
        return Blobs.read(
            disk, Frames.blob(address), Frames.blobLength(address), Frames.blobCrc(address));
      } catch (IOException e) {
        return null;
      }
    }

    private void wrote(long bytes) {
      pace.wrote(bytes);
      copied += bytes;
    }

    private long copy(long address, int number) {
      wrote(Frames.space(address));
      return appender.copy(address, number);
    }

    @Override
    public void close() {
      try {
        file.close();
      } catch (IOException e) {
        // it was only read
      }
    }
  }
}
