package io.keyvalueserve.grid.space;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Entries that a transaction has locked, in the order in which it named their keys; or the answer
 * that they are too large together, and that nothing was locked.
 */
final class LockedEntries implements IdentifiedDataSerializable {
  private static final int TOO_LARGE = -1;

  private boolean room;
  private boolean tooLarge;
  private List<Entry> entries = List.of();

  /** Creates an answer for deserialization. */
  LockedEntries() {}

  /**
   * @param room whether the owner's memory takes more entries
   */
  LockedEntries(boolean room, List<Entry> entries) {
    this.room = room;
    this.entries = entries;
  }

  /** The answer that the entries have more bytes than were asked for. */
  static LockedEntries tooLarge() {
    LockedEntries answer = new LockedEntries();
    answer.tooLarge = true;
    return answer;
  }

  /**
   * An entry.
   *
   * @param state null if there is none
   * @param hash of the value as it is stored
   * @param version moves on when the entry is written
   */
  record Entry(@Nullable EntryState state, long hash, int version) {
    static final Entry MISSING = new Entry(null, 0, 0);

    /** Returns how many bytes its value has. */
    int valueBytes() {
      return state == null ? 0 : state.value().totalSize();
    }
  }

  boolean isTooLarge() {
    return tooLarge;
  }

  boolean hasRoom() {
    return room;
  }

  List<Entry> entries() {
    return entries;
  }

  @Override
  public int getFactoryId() {
    return SpaceSerialization.FACTORY_ID;
  }

  @Override
  public int getClassId() {
    return SpaceSerialization.LOCKED_ENTRIES;
  }

  @Override
  public void writeData(ObjectDataOutput out) throws IOException {
    out.writeBoolean(room);
    out.writeInt(tooLarge ? TOO_LARGE : entries.size());
    for (Entry entry : entries) {
      out.writeBoolean(entry.state() != null);
      if (entry.state() != null) {
        entry.state().writeData(out);
        out.writeLong(entry.hash());
        out.writeInt(entry.version());
      }
    }
  }

  @Override
  public void readData(ObjectDataInput in) throws IOException {
    room = in.readBoolean();
    int count = in.readInt();
    tooLarge = count == TOO_LARGE;
    if (tooLarge) {
      return;
    }
    entries = CommandCodec.listOf(count);
    for (int i = 0; i < count; i++) {
      if (in.readBoolean()) {
        EntryState state = new EntryState();
        state.readData(in);
        entries.add(new Entry(state, in.readLong(), in.readInt()));
      } else {
        entries.add(Entry.MISSING);
      }
    }
  }
}
