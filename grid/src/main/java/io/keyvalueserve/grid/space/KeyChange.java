package io.keyvalueserve.grid.space;

import com.hazelcast.internal.nio.IOUtil;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import io.keyvalueserve.engine.Expiry;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.Transition;
import io.keyvalueserve.engine.collection.CollectionValue;
import io.keyvalueserve.engine.collection.LargeCollections;
import io.keyvalueserve.engine.collection.PageChanges;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A transaction's final change of an entry. Carried out twice it does the same as once.
 *
 * @param kind what is done
 * @param key the entry's key
 * @param value the new value as it is to be stored, for {@link Kind#PUT} only
 * @param expireAtMillis the new expiry, for {@link Kind#PUT} and {@link Kind#EXPIRE} only
 * @param state the new state, for {@link Kind#PLACE} only
 */
record KeyChange(
    Kind kind, Data key, @Nullable Data value, long expireAtMillis, @Nullable EntryState state) {
  enum Kind {
    /** Count a use of the entry. */
    ACCESS,
    /** Write a value and its expiry. */
    PUT,
    /** Write a value as it is stored elsewhere, with all its times. */
    PLACE,
    /** Write the expiry alone. */
    EXPIRE,
    /** Remove the entry. */
    REMOVE
  }

  static KeyChange access(Data key) {
    return new KeyChange(Kind.ACCESS, key, null, Expiry.NONE, null);
  }

  static KeyChange put(Data key, Data value, long expireAtMillis) {
    return new KeyChange(Kind.PUT, key, value, expireAtMillis, null);
  }

  static KeyChange place(Data key, EntryState state) {
    return new KeyChange(Kind.PLACE, key, null, Expiry.NONE, state);
  }

  static KeyChange expire(Data key, long expireAtMillis) {
    return new KeyChange(Kind.EXPIRE, key, null, expireAtMillis, null);
  }

  static KeyChange remove(Data key) {
    return new KeyChange(Kind.REMOVE, key, null, Expiry.NONE, null);
  }

  /** Returns whether it changes the entry. */
  boolean writes() {
    return kind != Kind.ACCESS;
  }

  /** Returns the number of bytes of the new value. */
  int valueBytes() {
    if (value != null) {
      return value.dataSize();
    }
    return state == null ? 0 : state.value().totalSize();
  }

  /** Returns whether the new value is a collection that is stored in pages. */
  boolean needsPages() {
    CollectionValue collection = KeyData.collection(state == null ? value : state.value());
    return collection != null && LargeCollections.paged(collection) != null;
  }

  /** Brings it about. By who has the partition. */
  void carryOut(EntryWriter writer, EntryView entry) {
    switch (kind) {
      case PLACE -> {
        if (state != null) {
          writer.place(key, state, entry.value());
        }
      }
      case PUT -> {
        if (value != null) {
          writer.put(key, value, expireAtMillis, entry);
        }
      }
      case ACCESS -> ifPresent(Transition.Effect.ACCESS, writer, entry);
      case EXPIRE -> ifPresent(Transition.Effect.SET_EXPIRY, writer, entry);
      case REMOVE -> ifPresent(Transition.Effect.REMOVE, writer, entry);
    }
  }

  private void ifPresent(Transition.Effect effect, EntryWriter writer, EntryView entry) {
    if (entry.exists()) {
      writer.carryOut(transition(effect), key, entry);
    }
  }

  private Transition transition(Transition.Effect effect) {
    return new Transition(
        effect, null, null, PageChanges.NONE, expireAtMillis, Outcome.Missing.MISSING);
  }

  void write(ObjectDataOutput out) throws IOException {
    out.writeByte(code(kind));
    IOUtil.writeData(out, key);
    if (kind == Kind.PUT) {
      IOUtil.writeData(out, value);
    }
    if (kind == Kind.PUT || kind == Kind.EXPIRE) {
      out.writeLong(expireAtMillis);
    }
    if (kind == Kind.PLACE) {
      CommandCodec.present(state, "an entry's state").writeData(out);
    }
  }

  static KeyChange read(ObjectDataInput in) throws IOException {
    int code = in.readByte();
    Data key = CommandCodec.present(IOUtil.readData(in), "a key");
    return switch (code) {
      case 0 -> access(key);
      case 1 -> put(key, CommandCodec.present(IOUtil.readData(in), "a value"), in.readLong());
      case 2 -> {
        EntryState state = new EntryState();
        state.readData(in);
        yield place(key, state);
      }
      case 3 -> expire(key, in.readLong());
      case 4 -> remove(key);
      default -> throw new IOException("no such change of an entry: code=" + code);
    };
  }

  private static int code(Kind kind) {
    return switch (kind) {
      case ACCESS -> 0;
      case PUT -> 1;
      case PLACE -> 2;
      case EXPIRE -> 3;
      case REMOVE -> 4;
    };
  }
}
