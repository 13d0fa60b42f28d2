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
import io.keyvalueserve.engine.collection.PageChanges.Page;
import io.keyvalueserve.engine.collection.PageChanges.Subtree;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A transaction's final change of an entry. Carried out twice it does the same as once.
 *
 * @param kind what is done
 * @param key the entry's key
 * @param value the new value as it is to be stored, for {@link Kind#PUT} only
 * @param expireAtMillis the new expiry, for {@link Kind#PUT} and {@link Kind#EXPIRE} only
 * @param state the new state, for {@link Kind#PLACE} only
 * @param pages the changes to the pages of the new value, if that is the head of a collection
 * @param base the head that the new value was changed from, if it still has pages of that
 */
record KeyChange(
    Kind kind,
    Data key,
    @Nullable Data value,
    long expireAtMillis,
    @Nullable EntryState state,
    PageChanges pages,
    @Nullable Data base) {
  private static final Logger LOG = LoggerFactory.getLogger(KeyChange.class);

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

  private static KeyChange of(
      Kind kind, Data key, @Nullable Data value, long expireAtMillis, @Nullable EntryState state) {
    return new KeyChange(kind, key, value, expireAtMillis, state, PageChanges.NONE, null);
  }

  static KeyChange access(Data key) {
    return of(Kind.ACCESS, key, null, Expiry.NONE, null);
  }

  static KeyChange put(Data key, Data value, long expireAtMillis) {
    return of(Kind.PUT, key, value, expireAtMillis, null);
  }

  /** Writes a collection that is in pages. */
  static KeyChange put(
      Data key, Data head, PageChanges pages, @Nullable Data base, long expireAtMillis) {
    return new KeyChange(Kind.PUT, key, head, expireAtMillis, null, pages, base);
  }

  static KeyChange place(Data key, EntryState state) {
    return of(Kind.PLACE, key, null, Expiry.NONE, state);
  }

  static KeyChange expire(Data key, long expireAtMillis) {
    return of(Kind.EXPIRE, key, null, expireAtMillis, null);
  }

  static KeyChange remove(Data key) {
    return of(Kind.REMOVE, key, null, Expiry.NONE, null);
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

  /** Returns whether pages are written with the new value. */
  boolean needsPages() {
    if (state == null) {
      return !pages.written().isEmpty();
    }
    CollectionValue collection = KeyData.collection(state.value());
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
          write(writer, value, entry);
        }
      }
      case ACCESS -> ifPresent(Transition.Effect.ACCESS, writer, entry);
      case EXPIRE -> ifPresent(Transition.Effect.SET_EXPIRY, writer, entry);
      case REMOVE -> ifPresent(Transition.Effect.REMOVE, writer, entry);
    }
  }

  private void write(EntryWriter writer, Data next, EntryView entry) {
    CollectionValue collection = KeyData.collection(next);
    if (collection == null || !collection.isPaged()) {
      writer.put(key, next, expireAtMillis, entry);
    } else if (!writer.putPaged(key, next, pages, base, expireAtMillis, entry)) {
      LOG.warn(
          "a transaction's change of a large {} was left out: it had another value than the one"
              + " that was locked, as after a split or a crash of all members",
          collection.type().title());
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
      IOUtil.writeData(out, base);
      write(out, pages);
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
      case 1 -> {
        Data value = CommandCodec.present(IOUtil.readData(in), "a value");
        Data base = IOUtil.readData(in);
        PageChanges pages = readPages(in);
        yield put(key, value, pages, base, in.readLong());
      }
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

  private static void write(ObjectDataOutput out, PageChanges pages) throws IOException {
    out.writeInt(pages.written().size());
    for (Page page : pages.written()) {
      out.writeLong(page.number());
      out.writeByteArray(page.bytes());
    }
    out.writeInt(pages.removed().size());
    for (long number : pages.removed()) {
      out.writeLong(number);
    }
    out.writeInt(pages.dropped().size());
    for (Subtree tree : pages.dropped()) {
      out.writeLong(tree.root());
      out.writeInt(tree.height());
    }
  }

  private static PageChanges readPages(ObjectDataInput in) throws IOException {
    int count = in.readInt();
    List<Page> written = CommandCodec.listOf(count);
    for (int i = 0; i < count; i++) {
      written.add(new Page(in.readLong(), CommandCodec.present(in.readByteArray(), "a page")));
    }
    int removals = in.readInt();
    List<Long> removed = CommandCodec.listOf(removals);
    for (int i = 0; i < removals; i++) {
      removed.add(in.readLong());
    }
    int drops = in.readInt();
    List<Subtree> dropped = CommandCodec.listOf(drops);
    for (int i = 0; i < drops; i++) {
      dropped.add(new Subtree(in.readLong(), in.readInt()));
    }
    return count + removals + drops == 0
        ? PageChanges.NONE
        : new PageChanges(written, removed, dropped);
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
