package io.keyvalueserve.journal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Gives the frames of some partitions to the sink, unit by unit. It knows the chunk's own numbers
 * of maps, fetches blobs, and turns puts whose time has passed into removes: an older record of the
 * same key must not come back. For one thread.
 */
final class Loader {
  private static final long NO_NUMBER = Long.MAX_VALUE;

  private final int index;
  private final RecoverySink sink;
  private final LoaderState state;
  private final Frame single = new Frame(); // what is not given in a batch
  private final FrameBatch batch = new FrameBatch();
  private final FrameTally tally = new FrameTally();
  private final HeldTally held = new HeldTally();
  private final List<Damage> damage = new ArrayList<>();
  private final Map<Integer, Integer> numbers = new HashMap<>(); // the chunk's to ours
  private long chunkOfNumbers;
  private long applied;

  /** Keeps the loads from being left out. */
  @SuppressWarnings("UnusedVariable")
  private long seen;

  private volatile long records;

  // Most often the map of a frame is that of the one before.
  private long lastOfChunk = NO_NUMBER;
  private int lastNumber;
  private String lastName = "";
  private boolean lastIsHeld;

  Loader(int index, RecoverySink sink, LoaderState state) {
    this.index = index;
    this.sink = sink;
    this.state = state;
  }

  int index() {
    return index;
  }

  long records() {
    return records;
  }

  List<Damage> damage() {
    return damage;
  }

  /** Returns the counts of frames that it has kept back. */
  HeldTally held() {
    return held;
  }

  void apply(ReplayUnit unit) throws IOException {
    FrameOrder order = unit.order();
    learnNames(unit);
    apply(unit, order.begin(index), order.begin(index + 1));
    if (state.what() != LoaderState.What.PAYLOADS && !unit.isCounted()) {
      state.chunk(unit.chunk()).count(tally);
      tally.clear();
    }
    records = applied;
  }

  /** Frames of one partition that were kept back; {@link #learnNames} was called. */
  void applyHeld(SortedFrames unit, int begin, int end) throws IOException {
    apply(unit, begin, end);
  }

  /**
   * Counts what an index has, most of which is not looked at, and keeps back what is to be.
   *
   * @param names of maps, by the chunk's numbers; of all that the index has counted
   */
  void count(ChunkTrailer trailer, IndexDirectory directory, Map<Integer, String> names) {
    state.chunk(trailer.chunk()).countAll(trailer, directory.withPuts());
    Map<Integer, Integer> heldNumbers = new HashMap<>();
    names.forEach(
        (ofChunk, name) -> {
          int number = state.names().learn(ofChunk, name);
          if (state.isHeld(name)) {
            heldNumbers.put(ofChunk, number);
          }
        });
    for (int run = 0; run < directory.runs(); run++) {
      directory.visit(
          run,
          (partition, map, frames, puts, bytes, blobs) -> {
            Integer number = heldNumbers.get(map);
            if (number != null) {
              held.addAll(number, partition, frames, puts, bytes, blobs);
            }
            applied += frames;
          });
    }
    records = applied;
  }

  /** Takes note of what is not as it was written in a chunk. */
  void found(long chunk, List<Damage> more) {
    damage.addAll(more);
    if (more.stream().anyMatch(Damage::concernsFrames)) {
      state.chunk(chunk).markDamaged();
    }
  }

  /** Learns which maps the numbers stand for in the frames that come. */
  void learnNames(SortedFrames unit) {
    if (chunkOfNumbers != unit.chunk()) {
      numbers.clear();
      chunkOfNumbers = unit.chunk();
    }
    for (int i = 0; i < unit.names(); i++) {
      learn(unit, unit.name(i));
    }
    lastOfChunk = NO_NUMBER;
  }

  private void apply(SortedFrames unit, int begin, int end) throws IOException {
    for (int from = begin; from < end; from += FrameBatch.MOST) {
      int to = Math.min(end, from + FrameBatch.MOST);
      touch(unit, from, to);
      for (int i = from; i < to; i++) {
        int frame = unit.frame(i);
        apply(unit, unit.address(frame), unit.position(frame));
      }
    }
    applied += unit.isCounted() ? 0 : end - begin;
    flush();
  }

  /** Brings the headers of some frames near, all at once: in this order they are far apart. */
  private void touch(SortedFrames unit, int from, int to) {
    long sum = 0;
    for (int i = from; i < to; i++) {
      long address = unit.address(unit.frame(i));
      sum += Frames.length(address) + Frames.keyLength(address);
    }
    seen += sum;
  }

  private void learn(SortedFrames unit, int offset) {
    long address = unit.address(offset);
    String name =
        new String(
            look(single, unit, address, unit.position(offset)).key(), StandardCharsets.UTF_8);
    numbers.put(Frames.map(address), state.names().learn(Frames.map(address), name));
  }

  private static Frame look(Frame at, SortedFrames unit, long address, long position) {
    return unit.isIndex() ? at.indexed(address, position) : at.inline(address, position);
  }

  private void apply(SortedFrames unit, long address, long position) throws IOException {
    boolean payloads = state.what() == LoaderState.What.PAYLOADS;
    boolean again = payloads || state.what() == LoaderState.What.HELD_KEYS;
    boolean counts = !again && !unit.isCounted();
    if (counts) {
      tally.add(address);
    }
    boolean named = Frames.type(address) != Frames.DROP;
    int number = named ? number(address) : 0;
    String name = named ? lastName : "";
    if (named && name.isEmpty()) {
      if (!again) {
        add(Damage.Kind.UNNAMED_MAP, position, "map=" + Frames.map(address) + " is skipped");
      }
      return;
    }
    if (named && state.isOfKeys() && lastIsHeld != (state.what() == LoaderState.What.HELD_KEYS)) {
      if (lastIsHeld && counts) {
        held.add(address, number);
      }
      return; // its turn is later, or was before
    }
    if (Frames.isBlob(address)) {
      flush();
      applyBlob(address, position, number, name);
      return;
    }
    Frame next = look(batch.next(), unit, address, position).of(number, name);
    batch.add(payloads ? Frames.PUT : kind(next));
    if (batch.isFull()) {
      flush();
    }
  }

  private void flush() {
    if (batch.count() > 0) {
      try {
        sink.take(batch);
      } finally {
        batch.clear();
      }
    }
  }

  /** The map's number here; its name is {@link #lastName} then. */
  private int number(long address) {
    int ofChunk = Frames.map(address);
    if (ofChunk != lastOfChunk) {
      Integer number = numbers.get(ofChunk);
      lastNumber = number != null ? number : ofChunk;
      lastName = state.names().name(lastNumber);
      lastIsHeld = state.isHeld(lastName);
      lastOfChunk = ofChunk;
    }
    return lastNumber;
  }

  /**
   * Returns the type of a frame at present. An expired put is marked as dead and counts as a
   * remove.
   */
  private int kind(Frame frame) {
    int type = Frames.type(frame.address());
    if (type == Frames.PUT && isExpired(frame.expiresAt())) {
      if (state.what() != LoaderState.What.HELD_KEYS || !state.isMarkedDead(frame.position())) {
        state.dead(frame.position(), frame.payloadBytes());
      } // else it is given once more
      return Frames.REMOVE;
    }
    return type;
  }

  private boolean isExpired(long instant) {
    return instant != 0 && instant <= state.nowMillis();
  }

  /** Gives the batch's next frame at once. */
  private void give(int type) {
    batch.add(type);
    flush();
  }

  private void applyBlob(long address, long position, int number, String name) throws IOException {
    boolean put = Frames.type(address) == Frames.PUT;
    long id = Frames.blob(address);
    boolean keyInline = Frames.hasInlineKey(address);
    boolean there = state.hasBlob(id, Position.chunk(position));
    if (state.isBlobNever(id)) {
      return; // not even when its time has come: what it would have replaced was kept
    }
    Frame frame = batch.next();
    boolean mustRead = !keyInline || !state.isBlobCertain(id) || wantsValue(address);
    try (AlignedMemory payload = there && mustRead ? read(address) : null) {
      if (payload == null && (mustRead || !there)) {
        if (put && keyInline && isExpired(Frames.instant(address))) {
          frame.blobKey(address, position).of(number, name);
          give(Frames.REMOVE);
        } else {
          reportBlob(address, position);
        }
        return;
      }
      state.blobs().refer(Position.ofBlob(position), id, Frames.blobLength(address));
      if (payload != null) {
        frame.blob(address, position, payload.address());
      } else {
        frame.blobKey(address, position);
      }
      give(kind(frame.of(number, name)));
    }
  }

  private boolean wantsValue(long address) {
    return Frames.type(address) == Frames.PUT
        && !isExpired(Frames.instant(address))
        && !state.isOfKeys();
  }

  private @Nullable AlignedMemory read(long address) {
    long id = Frames.blob(address);
    try {
      return Blobs.read(state.disk(), id, Frames.blobLength(address), Frames.blobCrc(address));
    } catch (IOException e) {
      String file = state.disk().path(LogFiles.blob(id));
      damage.add(
          new Damage(Damage.Kind.UNREADABLE, file, 0, Frames.blobLength(address), e.toString()));
      return null;
    }
  }

  private void reportBlob(long address, long position) {
    long id = Frames.blob(address);
    if (state.isBlobGone(id)) {
      return; // what replaced it is further on
    }
    state.badBlob(id);
    if (state.isBlobCertain(id)) {
      add(Damage.Kind.BAD_BLOB, position, "blob " + id + " is missing or damaged");
    } else {
      add(Damage.Kind.TORN_TAIL, position, "blob " + id + " had not become certain");
    }
  }

  private void add(Damage.Kind kind, long position, String text) {
    String file = state.disk().path(LogFiles.chunk(Position.chunk(position)));
    damage.add(new Damage(kind, file, Position.offset(position), 0, text));
  }
}
