package io.keyvalueserve.engine.collection;

import io.keyvalueserve.engine.Expiry;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A hash in pages: two trees.
 *
 * <pre>
 *   fields: hash (4 bytes), name -> 0 (1 byte), value
 *                             or -> 1 (1 byte), expiry (8 bytes), value
 *   expiries, of the fields that expire: expiry (8 bytes), hash (4 bytes), name -> nothing
 * </pre>
 *
 * <p>A field that has expired stays in the trees until a command that writes finds it. It is not
 * visible, and the expiries tell how many of them there are.
 */
final class PagedHash extends PagedCollection implements HashView {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final Bytes NOTHING = Bytes.of(new byte[0]);
  private static final int PLAIN = 0;
  private static final int EXPIRING = 1;

  /** A command removes so many fields that have expired. */
  private static final int MOST_REAPED = 128;

  private final NameHash hash;
  private final ElementTree fields;
  private final ElementTree expiries;
  private final long nowMillis;

  PagedHash(PageDraft pages, @Nullable PagedHead head, long nowMillis) {
    super(CollectionType.HASH, pages, head);
    this.hash = head == null ? NameHash.random() : head.hash();
    this.fields = tree(head, 0);
    this.expiries = tree(head, 1);
    this.nowMillis = nowMillis;
  }

  @Override
  List<ElementTree> trees() {
    return List.of(fields, expiries);
  }

  @Override
  NameHash hash() {
    return hash;
  }

  @Override
  public long size() {
    return fields.size() - expired();
  }

  /** Returns how many fields have expired and are in the trees. */
  private long expired() {
    return expiries.size() == 0 ? 0 : expiries.rank(expiry(nowMillis + 1, NOTHING), false);
  }

  @Override
  public @Nullable Field get(Bytes name) {
    Bytes key = hash.key(name);
    Bytes value = fields.get(key);
    return value == null ? null : live(key, value);
  }

  @Override
  public boolean put(Bytes name, Bytes value, long expireAtMillis) {
    Bytes key = hash.key(name);
    Bytes before = fields.get(key);
    long expiryBefore = before == null ? Expiry.NONE : expiryOf(before);
    boolean expires = expireAtMillis != Expiry.NONE;
    int head = expires ? 1 + Long.BYTES : 1;
    byte[] kept = new byte[head + value.length()];
    kept[0] = (byte) (expires ? EXPIRING : PLAIN);
    if (expires) {
      LONG.set(kept, 1, expireAtMillis);
    }
    System.arraycopy(value.array(), value.offset(), kept, head, value.length());
    boolean _ = fields.put(key, Bytes.of(kept));
    if (expiryBefore != expireAtMillis) {
      if (expiryBefore != Expiry.NONE) {
        require(expiries.remove(expiry(expiryBefore, key)));
      }
      if (expires) {
        boolean _ = expiries.put(expiry(expireAtMillis, key), NOTHING);
      }
    }
    changed();
    return before == null || Expiry.hasPassed(expiryBefore, nowMillis);
  }

  @Override
  public boolean remove(Bytes name) {
    Bytes key = hash.key(name);
    Bytes before = fields.get(key);
    if (before == null) {
      return false;
    }
    require(fields.remove(key));
    long expiry = expiryOf(before);
    if (expiry != Expiry.NONE) {
      require(expiries.remove(expiry(expiry, key)));
    }
    changed();
    return !Expiry.hasPassed(expiry, nowMillis);
  }

  @Override
  public long scan(long cursor, int count, Visitor visitor) {
    return hash.scan(fields, cursor, count, (key, value) -> visit(key, value, visitor));
  }

  @Override
  public void forEach(Visitor visitor) {
    fields.visit(0, fields.size(), (key, value) -> visit(key, value, visitor));
  }

  @Override
  public Places<Field> places() {
    return new TreePlaces<>(fields, this::live);
  }

  @Override
  public void reap() {
    long expired = Math.min(expired(), MOST_REAPED);
    if (expired == 0) {
      return;
    }
    List<Bytes> keys = new ArrayList<>();
    expiries.visit(0, expired, (key, value) -> keys.add(NameHash.name(key, Long.BYTES)));
    expiries.removeRange(0, expired);
    keys.forEach(key -> require(fields.remove(key)));
    changed();
  }

  @Override
  void addAll(PackedElements elements) {
    while (elements.next()) {
      if (elements.expireAtMillis() < 0) {
        throw new CorruptCollectionException("a field expires before 1970");
      }
      boolean _ = put(elements.name(), elements.value(), elements.expireAtMillis());
    }
  }

  @Override
  CollectionValue pack(long mostBytes) {
    boolean expires = expiries.size() > expired();
    int perField = expires ? Long.BYTES : 0;
    PackingRoom room = new PackingRoom(mostBytes);
    forEach(
        field ->
            room.add(
                (long) PackedWriter.size(field.name().length())
                    + PackedWriter.size(field.value().length())
                    + perField));
    PackedWriter writer = room.begin(expires ? PackingRoom.EXPIRING : PackingRoom.PLAIN, size());
    forEach(
        field -> {
          writer.writeBytes(field.name()).writeBytes(field.value());
          if (expires) {
            writer.writeLong(field.expireAtMillis());
          }
          return true;
        });
    return writer.finish(CollectionType.HASH);
  }

  private boolean visit(Bytes key, Bytes value, Visitor visitor) {
    Field field = live(key, value);
    return field == null || visitor.visit(field);
  }

  /** The field of a key, or null if it has expired. */
  private @Nullable Field live(Bytes key, Bytes value) {
    long expiry = expiryOf(value);
    if (Expiry.hasPassed(expiry, nowMillis)) {
      return null;
    }
    int head = expiry == Expiry.NONE ? 1 : 1 + Long.BYTES;
    Bytes content = new Bytes(value.array(), value.offset() + head, value.length() - head);
    return new Field(NameHash.name(key), content, expiry);
  }

  private static long expiryOf(Bytes value) {
    int flag = value.length() == 0 ? -1 : value.array()[value.offset()];
    if (flag == PLAIN) {
      return Expiry.NONE;
    }
    if (flag != EXPIRING || value.length() < 1 + Long.BYTES) {
      throw new CorruptCollectionException("the value of a field is none");
    }
    long expiry = (long) LONG.get(value.array(), value.offset() + 1);
    if (expiry <= 0) {
      throw new CorruptCollectionException("a field expires before 1970");
    }
    return expiry;
  }

  /** The key of a field among the expiries. */
  private static Bytes expiry(long expireAtMillis, Bytes key) {
    byte[] expiry = new byte[Long.BYTES + key.length()];
    LONG.set(expiry, 0, expireAtMillis);
    System.arraycopy(key.array(), key.offset(), expiry, Long.BYTES, key.length());
    return Bytes.of(expiry);
  }

  /** Both trees have the same fields that expire. */
  private static void require(boolean found) {
    if (!found) {
      throw new CorruptCollectionException("a field is in one of two trees");
    }
  }
}
