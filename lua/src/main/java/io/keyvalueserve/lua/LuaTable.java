package io.keyvalueserve.lua;

import java.util.Arrays;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A table: an array part, and a hash part of chained nodes whose size is a power of two.
 *
 * <p>Sizes, positions and the order of {@code next} follow Lua 5.1, so the border of a table with
 * holes and the order of {@code pairs} over strings and numbers are as in Redis. A slot holds null
 * for nil. Growth is charged to the budget of the run. Not thread-safe, unless it is read-only.
 */
public final class LuaTable extends LuaValue {
  /** Bytes charged for a table without slots, a slot of the array, and a node of the hash. */
  static final int BYTES = 160;

  static final int SLOT_BYTES = 32;
  static final int NODE_BYTES = 72;

  static final LuaString READ_ONLY = LuaString.constant("Attempt to modify a readonly table");

  private static final @Nullable LuaValue[] NONE = new LuaValue[0];
  private static final int[] NO_LINKS = new int[0];
  private static final int MAX_BITS = 26;
  private static final int FREE_PROBES = 16;
  private static final int LONG_TEXT = 64;

  private final @Nullable Budget budget;
  private final int id;

  private @Nullable LuaValue[] array = NONE;
  private @Nullable LuaValue[] keys = NONE;
  private @Nullable LuaValue[] values = NONE;

  /** The next node in the chain of each node, plus one; 0 is the end. */
  private int[] links = NO_LINKS;

  private int lastFree;
  private boolean readOnly;

  @Nullable LuaTable metatable;

  /** A bit for each metamethod of {@link Meta} that this table, as a metatable, lacks. */
  int absent;

  /** The last trace that counted this table. */
  int mark;

  LuaTable(Budget budget) {
    this(budget, 0, 0);
  }

  LuaTable(Budget budget, int arraySize, int hashSize) {
    budget.allocate(BYTES);
    this.budget = budget;
    this.id = budget.nextId();
    if (arraySize > 0) {
      growArray(arraySize);
    }
    if (hashSize > 0) {
      setNodes(hashSize);
    }
  }

  /** Makes a table that is not charged: for libraries, which all runs share. */
  LuaTable(int id) {
    this.budget = null;
    this.id = id;
    this.mark = -1;
  }

  /** Makes a copy of a shared table for one run. */
  LuaTable(Budget budget, LuaTable from) {
    budget.allocate(
        BYTES + (long) SLOT_BYTES * from.array.length + (long) NODE_BYTES * from.keys.length);
    this.budget = budget;
    this.id = budget.nextId();
    this.array = from.array.length == 0 ? NONE : from.array.clone();
    if (from.keys.length > 0) {
      this.keys = from.keys.clone();
      this.values = from.values.clone();
      this.links = from.links.clone();
    }
    this.lastFree = from.lastFree;
    this.metatable = from.metatable;
  }

  /** Returns a copy that is not charged to any run. */
  LuaTable sharedCopy() {
    LuaTable copy = new LuaTable(id);
    copy.array = array.length == 0 ? NONE : array.clone();
    copy.keys = keys.clone();
    copy.values = values.clone();
    copy.links = links.clone();
    copy.lastFree = lastFree;
    copy.metatable = metatable;
    return copy;
  }

  @Override
  public String typeName() {
    return "table";
  }

  @Override
  int hash() {
    return id;
  }

  @Override
  public String toString() {
    return String.format("table: 0x%08x", id);
  }

  /** Refuses every later change. */
  public void protect() {
    readOnly = true;
  }

  boolean isReadOnly() {
    return readOnly;
  }

  boolean shared() {
    return mark == -1;
  }

  /** Returns the bytes that this table is charged, without what it refers to. */
  long bytes() {
    return BYTES + (long) SLOT_BYTES * array.length + (long) NODE_BYTES * keys.length;
  }

  @Nullable LuaValue[] arraySlots() {
    return array;
  }

  @Nullable LuaValue[] nodeKeys() {
    return keys;
  }

  @Nullable LuaValue[] nodeValues() {
    return values;
  }

  // ---- reading ---------------------------------------------------------------------------------

  /** Returns the value of a key without metamethods; nil if there is none. */
  public LuaValue get(LuaValue key) {
    if (key instanceof LuaString s) {
      return get(s);
    }
    if (key instanceof LuaNumber n) {
      double d = n.value;
      int i = (int) d;
      if (i == d) {
        return get(i);
      }
      return Double.isNaN(d) ? LuaNil.NIL : found(find(key));
    }
    return key == LuaNil.NIL ? LuaNil.NIL : found(find(key));
  }

  /** Returns the value of a string key without metamethods; nil if there is none. */
  public LuaValue get(LuaString key) {
    @Nullable LuaValue[] ks = keys;
    if (ks.length == 0) {
      return LuaNil.NIL;
    }
    int at = key.hash() & (ks.length - 1);
    if (ks[at] == key) {
      return found(at);
    }
    return found(findString(key, at));
  }

  /** Returns the value of an integer key without metamethods; nil if there is none. */
  public LuaValue get(int key) {
    int at = key - 1;
    @Nullable LuaValue[] a = array;
    if (at >= 0 && at < a.length) {
      LuaValue v = a[at];
      return v == null ? LuaNil.NIL : v;
    }
    return keys.length == 0 ? LuaNil.NIL : found(findInt(key));
  }

  /** Returns the value of a name without metamethods; nil if there is none. */
  public LuaValue get(String key) {
    return get(LuaString.constant(key));
  }

  private LuaValue found(int at) {
    if (at < 0) {
      return LuaNil.NIL;
    }
    LuaValue v = values[at];
    return v == null ? LuaNil.NIL : v;
  }

  private int findString(LuaString key, int from) {
    int at = from;
    int probes = 0;
    while (true) {
      if (keys[at] instanceof LuaString s && (s == key || same(s, key))) {
        return at;
      }
      at = links[at] - 1;
      if (at < 0) {
        return -1;
      }
      chargeProbe(++probes);
    }
  }

  /** Compares two strings; long ones cost steps. */
  private boolean same(LuaString a, LuaString b) {
    if (!a.sameAs(b)) {
      return false;
    }
    if (budget != null && a.length() > LONG_TEXT) {
      budget.bulk(a.length());
    }
    return true;
  }

  private int findInt(int key) {
    int at = position(numberHash(key));
    int probes = 0;
    while (true) {
      if (keys[at] instanceof LuaNumber n && n.value == key) {
        return at;
      }
      at = links[at] - 1;
      if (at < 0) {
        return -1;
      }
      chargeProbe(++probes);
    }
  }

  /** Returns the node of a key; -1 if there is none. */
  private int find(LuaValue key) {
    if (keys.length == 0) {
      return -1;
    }
    int at = position(key);
    if (key instanceof LuaString s) {
      return findString(s, at);
    }
    int probes = 0;
    while (true) {
      LuaValue k = keys[at];
      if (k != null && rawEquals(k, key)) {
        return at;
      }
      at = links[at] - 1;
      if (at < 0) {
        return -1;
      }
      chargeProbe(++probes);
    }
  }

  /** Long chains, as of strings that were made to collide, cost steps. */
  private void chargeProbe(int probes) {
    if (probes > FREE_PROBES && budget != null) {
      budget.step(1);
    }
  }

  private static int numberHash(int key) {
    if (key == 0) {
      return 0;
    }
    long bits = Double.doubleToRawLongBits(key);
    return (int) bits + (int) (bits >>> 32);
  }

  private int position(int numberHash) {
    return Integer.remainderUnsigned(numberHash, (keys.length - 1) | 1);
  }

  private int position(LuaValue key) {
    if (key instanceof LuaString || key instanceof LuaBoolean) {
      return key.hash() & (keys.length - 1);
    }
    return position(key.hash());
  }

  // ---- writing ---------------------------------------------------------------------------------

  /**
   * Sets the value of a key without metamethods. The key is neither nil nor NaN.
   *
   * @throws LuaError if the table is read-only
   */
  public void set(LuaValue key, LuaValue value) {
    if (key instanceof LuaNumber n) {
      int i = (int) n.value;
      if (i == n.value) {
        set(i, value);
        return;
      }
    }
    checkWritable();
    absent = 0;
    int at = find(key);
    LuaValue stored = value == LuaNil.NIL ? null : value;
    if (at >= 0) {
      values[at] = stored;
    } else {
      insert(key, stored);
    }
  }

  /** Sets the value of a name without metamethods. */
  public void set(String key, LuaValue value) {
    set(LuaString.constant(key), value);
  }

  /** Sets the value of an integer key without metamethods. */
  public void set(int key, LuaValue value) {
    checkWritable();
    int at = key - 1;
    if (at >= 0 && at < array.length) {
      array[at] = value == LuaNil.NIL ? null : value;
      return;
    }
    int node = keys.length == 0 ? -1 : findInt(key);
    LuaValue stored = value == LuaNil.NIL ? null : value;
    if (node >= 0) {
      values[node] = stored;
    } else {
      insert(LuaNumber.of((long) key), stored);
    }
  }

  void checkWritable() {
    if (readOnly) {
      throw new LuaError(READ_ONLY);
    }
  }

  /** Takes a node for a key. As in Lua 5.1 one is taken for a key without a value too. */
  private void insert(LuaValue key, @Nullable LuaValue value) {
    int main = keys.length == 0 ? -1 : position(key);
    if (main < 0 || values[main] != null) {
      int free = main < 0 ? -1 : freeNode();
      if (free < 0) {
        rehash(key);
        setAfterRehash(key, value);
        return;
      }
      LuaValue occupant = keys[main];
      int other = occupant == null ? main : position(occupant);
      if (other != main) {
        while (links[other] - 1 != main) {
          other = links[other] - 1;
        }
        links[other] = free + 1;
        keys[free] = occupant;
        values[free] = values[main];
        links[free] = links[main];
        links[main] = 0;
        values[main] = null;
      } else {
        links[free] = links[main];
        links[main] = free + 1;
        main = free;
      }
    }
    keys[main] = key;
    values[main] = value;
  }

  private void setAfterRehash(LuaValue key, @Nullable LuaValue value) {
    if (key instanceof LuaNumber n) {
      int i = (int) n.value;
      if (i == n.value && i >= 1 && i <= array.length) {
        array[i - 1] = value;
        return;
      }
    }
    int at = find(key);
    if (at >= 0) {
      values[at] = value;
    } else {
      insert(key, value);
    }
  }

  private int freeNode() {
    while (lastFree-- > 0) {
      if (keys[lastFree] == null) {
        return lastFree;
      }
    }
    return -1;
  }

  private void rehash(LuaValue extra) {
    int[] counts = new int[MAX_BITS + 1];
    int inArray = countArray(counts);
    int total = inArray;
    int integers = inArray;
    for (int i = keys.length - 1; i >= 0; i--) {
      LuaValue k = keys[i];
      if (k != null && values[i] != null) {
        integers += countInteger(k, counts);
        total++;
      }
    }
    integers += countInteger(extra, counts);
    total++;
    int accumulated = 0;
    int kept = 0;
    int size = 0;
    int power = 1;
    for (int i = 0; i <= MAX_BITS && power / 2 < integers; i++, power *= 2) {
      if (counts[i] > 0) {
        accumulated += counts[i];
        if (accumulated > power / 2) {
          size = power;
          kept = accumulated;
        }
      }
      if (accumulated == integers) {
        break;
      }
    }
    if (budget != null) {
      budget.step(total >> 2);
    }
    resize(size, total - kept);
  }

  private int countArray(int[] counts) {
    int used = 0;
    int i = 1;
    for (int lg = 0, power = 1; lg <= MAX_BITS; lg++, power *= 2) {
      int limit = power;
      if (limit > array.length) {
        limit = array.length;
        if (i > limit) {
          break;
        }
      }
      int here = 0;
      for (; i <= limit; i++) {
        if (array[i - 1] != null) {
          here++;
        }
      }
      counts[lg] += here;
      used += here;
    }
    return used;
  }

  private static int countInteger(LuaValue key, int[] counts) {
    if (key instanceof LuaNumber n) {
      int i = (int) n.value;
      if (i == n.value && i >= 1 && i <= 1 << MAX_BITS) {
        counts[i == 1 ? 0 : 32 - Integer.numberOfLeadingZeros(i - 1)]++;
        return 1;
      }
    }
    return 0;
  }

  private void growArray(int size) {
    if (budget != null) {
      budget.allocate((long) SLOT_BYTES * (size - array.length));
      budget.step(size >> 5);
    }
    array = Arrays.copyOf(array, size);
  }

  /** Makes room for {@code size} values in the array part, which then is no longer than asked. */
  void reserveArray(int size) {
    if (size > array.length) {
      resize(size, keys.length);
    }
  }

  private void setNodes(int size) {
    if (size == 0) {
      keys = NONE;
      values = NONE;
      links = NO_LINKS;
      lastFree = 0;
      return;
    }
    int capacity = size == 1 ? 1 : Integer.highestOneBit(size - 1) << 1;
    if (budget != null) {
      budget.allocate((long) NODE_BYTES * capacity);
      budget.step(capacity >> 5);
    }
    keys = new LuaValue[capacity];
    values = new LuaValue[capacity];
    links = new int[capacity];
    lastFree = capacity;
  }

  private void resize(int arraySize, int hashSize) {
    @Nullable LuaValue[] oldArray = array;
    @Nullable LuaValue[] oldKeys = keys;
    @Nullable LuaValue[] oldValues = values;
    if (arraySize > oldArray.length) {
      growArray(arraySize);
    }
    setNodes(hashSize);
    if (arraySize < oldArray.length) {
      array = Arrays.copyOf(oldArray, arraySize);
      for (int i = arraySize; i < oldArray.length; i++) {
        LuaValue v = oldArray[i];
        if (v != null) {
          insert(LuaNumber.of((long) i + 1), v);
        }
      }
    }
    for (int i = oldKeys.length - 1; i >= 0; i--) {
      LuaValue v = oldValues[i];
      LuaValue k = oldKeys[i];
      if (v != null && k != null) {
        setAfterRehash(k, v);
      }
    }
  }

  // ---- length and traversal --------------------------------------------------------------------

  /** Returns a border: n with a value at n and none at n + 1; 0 if there is no value at 1. */
  public int length() {
    int high = array.length;
    if (high > 0 && array[high - 1] == null) {
      int low = 0;
      while (high - low > 1) {
        int middle = (low + high) >>> 1;
        if (array[middle - 1] == null) {
          high = middle;
        } else {
          low = middle;
        }
      }
      return low;
    }
    if (keys.length == 0) {
      return high;
    }
    int low = high;
    high++;
    while (get(high) != LuaNil.NIL) {
      low = high;
      if (high > Integer.MAX_VALUE / 2) {
        int i = 1;
        while (get(i) != LuaNil.NIL) {
          i++;
        }
        return i - 1;
      }
      high *= 2;
    }
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (get(middle) == LuaNil.NIL) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return low;
  }

  /**
   * Returns the slot after a key, for {@link #keyAt} and {@link #valueAt}; -1 at the end, -2 if the
   * key is not in the table.
   */
  int next(LuaValue key) {
    int at;
    if (key == LuaNil.NIL) {
      at = 0;
    } else {
      at = slotOf(key) + 1;
      if (at == 0) {
        return -2;
      }
    }
    return nextSlot(at);
  }

  /** Returns the first slot with a value from a slot on; -1 if there is none. */
  int nextSlot(int from) {
    int at = from;
    int skipped = 0;
    for (; at < array.length; at++) {
      if (array[at] != null) {
        return at;
      }
      skipped++;
    }
    for (int node = at - array.length; node < keys.length; node++) {
      if (values[node] != null) {
        chargeSkips(skipped);
        return array.length + node;
      }
      skipped++;
    }
    chargeSkips(skipped);
    return -1;
  }

  private void chargeSkips(int skipped) {
    if (skipped > FREE_PROBES && budget != null) {
      budget.step(skipped >> 4);
    }
  }

  /** Calls for each key and value, in the order of {@code pairs}. The table must not change. */
  public void forEach(BiConsumer<LuaValue, LuaValue> action) {
    for (int slot = nextSlot(0); slot >= 0; slot = nextSlot(slot + 1)) {
      action.accept(keyAt(slot), valueAt(slot));
    }
  }

  private int slotOf(LuaValue key) {
    if (key instanceof LuaNumber n) {
      int i = (int) n.value;
      if (i == n.value && i >= 1 && i <= array.length) {
        return i - 1;
      }
    }
    int at = find(key);
    return at < 0 ? -1 : array.length + at;
  }

  LuaValue keyAt(int slot) {
    if (slot < array.length) {
      return LuaNumber.of((long) slot + 1);
    }
    LuaValue k = keys[slot - array.length];
    return k == null ? LuaNil.NIL : k;
  }

  LuaValue valueAt(int slot) {
    LuaValue v = slot < array.length ? array[slot] : values[slot - array.length];
    return v == null ? LuaNil.NIL : v;
  }
}
