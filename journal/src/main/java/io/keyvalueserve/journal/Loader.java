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
  private final int index;
  private final int loaders;
  private final RecoverySink sink;
  private final LoaderState state;
  private final Frame frame = new Frame();
  private final FrameTally tally = new FrameTally();
  private final List<Damage> damage = new ArrayList<>();
  private final Map<Integer, Integer> numbers = new HashMap<>(); // the chunk's to ours
  private long chunkOfNumbers;
  private long applied;
  private volatile long records;

  Loader(int index, int loaders, RecoverySink sink, LoaderState state) {
    this.index = index;
    this.loaders = loaders;
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

  void apply(ReplayUnit unit) throws IOException {
    ChunkPlan plan = unit.task().plan();
    if (chunkOfNumbers != plan.chunk()) {
      numbers.clear();
      chunkOfNumbers = plan.chunk();
    }
    for (int i = 0; i < unit.count(); i++) {
      long address = unit.address(i);
      if (Frames.type(address) == Frames.MAP) {
        learn(unit, address, i);
      } else if (Frames.partition(address) % loaders == index) {
        if (state.what() == LoaderState.What.PAYLOADS) {
          applyPayload(address, unit.position(i));
        } else {
          tally.add(address);
          apply(unit, address, unit.position(i));
        }
        applied++;
      }
    }
    if (state.what() != LoaderState.What.PAYLOADS) {
      state.chunk(plan.chunk()).count(tally);
      tally.clear();
    }
    records = applied;
  }

  private void learn(ReplayUnit unit, long address, int i) {
    if (unit.isIndex()) {
      frame.indexed(address, unit.position(i));
    } else {
      frame.inline(address, unit.position(i));
    }
    String name = new String(frame.key(), StandardCharsets.UTF_8);
    numbers.put(Frames.map(address), state.names().learn(Frames.map(address), name));
  }

  private void apply(ReplayUnit unit, long address, long position) throws IOException {
    boolean named = Frames.type(address) != Frames.DROP;
    int number = named ? number(address) : 0;
    String name = named ? state.names().name(number) : "";
    if (named && name.isEmpty()) {
      add(Damage.Kind.UNNAMED_MAP, position, "map=" + Frames.map(address) + " is skipped");
      return;
    }
    if (Frames.isBlob(address)) {
      applyBlob(address, position, number, name);
      return;
    }
    if (unit.isIndex()) {
      frame.indexed(address, position);
    } else {
      frame.inline(address, position);
    }
    give(frame.of(number, name));
  }

  /** What is in a blob is not read here: there are few, each in a file of its own. */
  private void applyPayload(long address, long position) {
    if (Frames.type(address) == Frames.PUT && !Frames.isBlob(address)) {
      int number = number(address);
      sink.put(frame.inline(address, position).of(number, state.names().name(number)));
    }
  }

  private int number(long address) {
    Integer number = numbers.get(Frames.map(address));
    return number != null ? number : Frames.map(address);
  }

  private void give(Frame record) {
    switch (Frames.type(record.address())) {
      case Frames.PUT -> {
        if (isExpired(record.expiresAt())) {
          state.dead(record.position(), record.payloadBytes());
          sink.remove(record);
        } else {
          sink.put(record);
        }
      }
      case Frames.REMOVE -> sink.remove(record);
      case Frames.CLEAR -> sink.clear(record);
      case Frames.DROP -> sink.drop(record);
      default -> throw new IllegalStateException("no record: " + record.position());
    }
  }

  private boolean isExpired(long instant) {
    return instant != 0 && instant <= state.nowMillis();
  }

  private void applyBlob(long address, long position, int number, String name) throws IOException {
    boolean put = Frames.type(address) == Frames.PUT;
    long id = Frames.blob(address);
    boolean keyInline = Frames.hasInlineKey(address);
    boolean there = state.hasBlob(id, Position.chunk(position));
    if (state.isBlobNever(id)) {
      return; // not even when its time has come: what it would have replaced was kept
    }
    boolean mustRead = !keyInline || !state.isBlobCertain(id) || wantsValue(address);
    try (AlignedMemory payload = there && mustRead ? read(address) : null) {
      if (payload == null && (mustRead || !there)) {
        if (put && keyInline && isExpired(Frames.instant(address))) {
          sink.remove(frame.blobKey(address, position).of(number, name));
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
      give(frame.of(number, name));
    }
  }

  private boolean wantsValue(long address) {
    return Frames.type(address) == Frames.PUT
        && !isExpired(Frames.instant(address))
        && state.what() != LoaderState.What.KEYS;
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
