package io.keyvalueserve.engine;

import io.keyvalueserve.engine.blocking.KeyWaiting;
import io.keyvalueserve.engine.collection.CollectionType;
import io.keyvalueserve.engine.collection.CollectionValue;
import io.keyvalueserve.engine.collection.PageSource;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.TenantName;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The reference engine: plain sorted maps under one lock, and a clock that the test turns.
 *
 * <p>Everything happens on the caller's thread; stages are complete, and sinks have been called,
 * when a method returns. Where another engine answers otherwise, one of the two has a defect.
 */
public final class MapEngine implements Engine {
  private final Object lock = new Object();
  private final InstantSource clock;
  private final RandomGenerator random = RandomGenerator.getDefault();
  private final Map<TenantName, NavigableMap<String, Entries>> tenants = new HashMap<>();
  private final BooleanSupplier declines;
  private final AtomicInteger staged = new AtomicInteger();
  private volatile boolean preparesWhenTold;
  private final Queue<Runnable> preparing = new ConcurrentLinkedQueue<>();
  private final MapWaits waits;

  /** An empty engine that tells the time by this clock. Its maps do all they may do directly. */
  public MapEngine(InstantSource clock) {
    this(clock, () -> false);
  }

  /**
   * An empty engine whose {@link DirectMap}s decline now and then.
   *
   * @param clock tells the time
   * @param declines asked, by one thread at a time, before each thing that is to be done directly
   */
  public MapEngine(InstantSource clock, BooleanSupplier declines) {
    this.clock = clock;
    this.declines = declines;
    this.waits = new MapWaits(clock);
  }

  /** How many values have room that were neither written nor discarded. */
  public int staged() {
    return staged.get();
  }

  /** From now on values are prepared by {@link #prepareNext} alone, else soon. */
  public void prepareWhenTold() {
    preparesWhenTold = true;
  }

  /** Does what a value needs before it can be written, of those that wait for that the first. */
  public void prepareNext() {
    Runnable next = preparing.poll();
    if (next != null) {
      next.run();
    }
  }

  @Override
  public TenantSpace space(Identity identity) {
    return new Space(identity.tenant());
  }

  private NavigableMap<String, Entries> mapsOf(TenantName tenant) {
    return tenants.computeIfAbsent(tenant, t -> new TreeMap<>());
  }

  private static <T> CompletionStage<T> done(T value) {
    return CompletableFuture.completedFuture(value);
  }

  private static CompletionStage<Void> done() {
    return CompletableFuture.allOf();
  }

  private final class Space implements TenantSpace {
    private final TenantName tenant;

    Space(TenantName tenant) {
      this.tenant = tenant;
    }

    @Override
    public KeyMap map(MapName name) {
      return new TenantMap(tenant, name.value());
    }

    @Override
    public CompletionStage<List<WatchedKey>> watch(List<KeyRef> keys) {
      synchronized (lock) {
        return done(keys.stream().map(ref -> new WatchedKey(ref, mark(ref))).toList());
      }
    }

    @Override
    public <T> CompletionStage<Optional<T>> transact(TransactionRequest<T> request) {
      synchronized (lock) {
        if (request.watches().stream().anyMatch(w -> mark(w.ref()) != w.mark())) {
          return done(Optional.empty());
        }
        Undoable view = new Undoable(clock.millis());
        try {
          return done(Optional.of(request.body().run(view)));
        } catch (RuntimeException e) {
          view.undo();
          return CompletableFuture.failedFuture(e);
        }
      }
    }

    @Override
    public KeyWaiting await(List<KeyRef> keys, CollectionType type, IntConsumer turn) {
      synchronized (lock) {
        return waits.await(
            keys.stream().map(ref -> place(ref, type)).toList(),
            keys.stream().map(ref -> hasElements(ref, type)).toList(),
            turn);
      }
    }

    @Override
    public boolean isAwaited(KeyRef key, CollectionType type) {
      synchronized (lock) {
        return waits.isAwaited(place(key, type));
      }
    }

    private static MapWaits.Place place(KeyRef ref, CollectionType type) {
      return MapWaits.Place.of(entriesOf(ref.map()), ref.key(), type);
    }

    private static boolean hasElements(KeyRef ref, CollectionType type) {
      Stored stored = entriesOf(ref.map()).find(ref.key());
      CollectionValue collection = stored == null ? null : stored.collection();
      return collection != null && collection.type() == type;
    }

    /** Each write makes another object. */
    private static long mark(KeyRef ref) {
      Stored stored = entriesOf(ref.map()).find(ref.key());
      return stored == null ? 0 : 1L + System.identityHashCode(stored);
    }

    @Override
    public CompletionStage<List<String>> maps() {
      synchronized (lock) {
        return done(List.copyOf(mapsOf(tenant).keySet()));
      }
    }

    @Override
    public CompletionStage<Void> clear() {
      synchronized (lock) {
        mapsOf(tenant).values().forEach(Entries::clear);
      }
      return done();
    }
  }

  private static Entries entriesOf(KeyMap map) {
    if (map instanceof TenantMap own) {
      return own.entries();
    }
    throw new IllegalArgumentException("a transaction uses maps of its own engine");
  }

  /** Carries commands out at once, and takes them back. With the engine's lock. */
  private static final class Undoable implements TransactionView {
    private final long nowMillis;
    private final Deque<Runnable> undo = new ArrayDeque<>();
    private Change lastChange = Change.NONE;

    Undoable(long nowMillis) {
      this.nowMillis = nowMillis;
    }

    @Override
    public Outcome execute(KeyMap map, KeyCommand command) {
      Entries entries = entriesOf(map);
      remember(entries, command.key());
      boolean existed = entries.find(command.key()) != null;
      Outcome outcome = entries.execute(command, nowMillis);
      lastChange = new Change(existed, entries.lastEffect);
      return outcome;
    }

    @Override
    public Change lastChange() {
      return lastChange;
    }

    @Override
    public KeyMap.MoveOutcome copy(
        KeyMap source, byte[] from, KeyMap target, byte[] to, boolean replace) {
      remember(entriesOf(target), to);
      return TenantMap.carry(entriesOf(source), from, entriesOf(target), to, replace);
    }

    private void remember(Entries entries, byte[] key) {
      Stored before = entries.find(key);
      undo.push(
          () -> {
            if (before == null) {
              entries.remove(key);
            } else {
              entries.put(key, before);
            }
          });
    }

    @Override
    public long nowMillis() {
      return nowMillis;
    }

    void undo() {
      undo.forEach(Runnable::run);
    }
  }

  private final class TenantMap implements KeyMap {
    private final TenantName tenant;
    private final String name;

    TenantMap(TenantName tenant, String name) {
      this.tenant = tenant;
      this.name = name;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public void submit(List<KeyCommand> commands, OutcomeSink sink) {
      List<Outcome> outcomes = new ArrayList<>(commands.size());
      synchronized (lock) {
        for (KeyCommand command : commands) {
          outcomes.add(entries().execute(command, clock.millis()));
        }
      }
      for (int i = 0; i < outcomes.size(); i++) {
        sink.accept(i, outcomes.get(i));
      }
    }

    @Override
    public DirectMap direct() {
      return new Direct(this);
    }

    @Override
    public CompletionStage<Boolean> insertAll(List<KeyCommand.Write> writes) {
      synchronized (lock) {
        Entries entries = entries();
        boolean absent = writes.stream().allMatch(w -> entries.find(w.key()) == null);
        if (absent) {
          writes.forEach(w -> entries.put(w.key(), new Stored(w.value(), Expiry.NONE)));
        }
        return done(absent);
      }
    }

    @Override
    public CompletionStage<MoveOutcome> rename(byte[] from, byte[] to, boolean onlyIfAbsent) {
      synchronized (lock) {
        Entries entries = entries();
        MoveOutcome outcome = carry(entries, from, entries, to, !onlyIfAbsent);
        if (outcome == MoveOutcome.DONE && !Arrays.equals(from, to)) {
          entries.remove(from);
        }
        return done(outcome);
      }
    }

    @Override
    public CompletionStage<MoveOutcome> copy(
        byte[] from, KeyMap target, byte[] to, boolean replace) {
      if (!(target instanceof TenantMap other) || other.engine() != MapEngine.this) {
        throw new IllegalArgumentException("the target of a copy is a map of the same engine");
      }
      synchronized (lock) {
        return done(carry(entries(), from, other.entries(), to, replace));
      }
    }

    private static MoveOutcome carry(
        Entries source, byte[] from, Entries target, byte[] to, boolean replace) {
      Stored stored = source.find(from);
      if (stored == null) {
        return MoveOutcome.NO_SUCH_KEY;
      }
      if (!replace && target.find(to) != null) {
        return MoveOutcome.TARGET_EXISTS;
      }
      target.put(to, stored);
      return MoveOutcome.DONE;
    }

    @Override
    public CompletionStage<ScanPage> scan(long cursor, int count, GlobPattern match) {
      synchronized (lock) {
        try {
          return done(entries().page(cursor, count, match));
        } catch (EngineException e) {
          return CompletableFuture.failedFuture(e);
        }
      }
    }

    @Override
    public long placeOf(byte[] key) {
      return Place.of(key).position();
    }

    @Override
    public CompletionStage<Long> size() {
      synchronized (lock) {
        return done((long) entries().byPlace.size());
      }
    }

    @Override
    public CompletionStage<Long> expiring() {
      synchronized (lock) {
        return done(
            entries().byPlace.values().stream()
                .filter(stored -> stored.expireAtMillis() != Expiry.NONE)
                .count());
      }
    }

    @Override
    public CompletionStage<Optional<byte[]>> randomKey() {
      synchronized (lock) {
        List<Place> places = List.copyOf(entries().byPlace.keySet());
        return done(
            places.isEmpty()
                ? Optional.empty()
                : Optional.of(places.get(random.nextInt(places.size())).key()));
      }
    }

    @Override
    public CompletionStage<Void> clear() {
      synchronized (lock) {
        entries().clear();
      }
      return done();
    }

    private MapEngine engine() {
      return MapEngine.this;
    }

    /** What has not expired. */
    private Entries entries() {
      Entries entries = mapsOf(tenant).computeIfAbsent(name, n -> new Entries(waits));
      entries.dropExpired(clock.millis());
      return entries;
    }
  }

  /** The same entries, without a batch. */
  private final class Direct implements DirectMap {
    private final TenantMap map;

    Direct(TenantMap map) {
      this.map = map;
    }

    @Override
    public int read(byte[] bytes, int keyOffset, int keyLength, ValueSink sink) {
      synchronized (lock) {
        if (declines.getAsBoolean()) {
          return NOT_NOW;
        }
        Stored stored = find(bytes, keyOffset, keyLength);
        if (stored == null) {
          return MISSING;
        }
        byte[] value = stored.value();
        if (value == null) {
          return NOT_NOW;
        }
        byte[] room = sink.room(value.length);
        System.arraycopy(value, 0, room, sink.offset(), value.length);
        return declines.getAsBoolean() ? NOT_NOW : value.length; // late, as one may
      }
    }

    @Override
    public int length(byte[] bytes, int keyOffset, int keyLength) {
      synchronized (lock) {
        if (declines.getAsBoolean()) {
          return NOT_NOW;
        }
        Stored stored = find(bytes, keyOffset, keyLength);
        if (stored == null) {
          return MISSING;
        }
        byte[] value = stored.value();
        return value == null ? NOT_NOW : value.length;
      }
    }

    @Override
    public long expireAt(byte[] bytes, int keyOffset, int keyLength) {
      synchronized (lock) {
        if (declines.getAsBoolean()) {
          return NOT_NOW;
        }
        Stored stored = find(bytes, keyOffset, keyLength);
        return stored == null ? MISSING : stored.expireAtMillis();
      }
    }

    @Override
    public boolean write(
        byte[] bytes,
        int keyOffset,
        int keyLength,
        int valueOffset,
        int valueLength,
        long expireAtMillis) {
      synchronized (lock) {
        if (expireAtMillis == Expiry.KEEP
            || Expiry.hasPassed(expireAtMillis, clock.millis())
            || declines.getAsBoolean()) {
          return false;
        }
        byte[] value = Arrays.copyOfRange(bytes, valueOffset, valueOffset + valueLength);
        map.entries().put(key(bytes, keyOffset, keyLength), new Stored(value, expireAtMillis));
        return true;
      }
    }

    @Override
    public @Nullable StagedValue stage(byte[] key, int valueLength, boolean expires) {
      synchronized (lock) {
        return declines.getAsBoolean()
            ? null
            : new Staged(
                map.tenant, map.name, expires, valueLength, staged, !declines.getAsBoolean());
      }
    }

    @Override
    public boolean write(byte[] key, StagedValue value, long expireAtMillis) {
      synchronized (lock) {
        if (!(value instanceof Staged own)
            || !own.tenant.equals(map.tenant)
            || !own.map.equals(map.name)
            || !own.isPrepared
            || own.expires != (expireAtMillis != Expiry.NONE)
            || expireAtMillis == Expiry.KEEP
            || Expiry.hasPassed(expireAtMillis, clock.millis())
            || declines.getAsBoolean()) {
          return false;
        }
        map.entries().put(key, new Stored(own.written(), expireAtMillis));
        return true;
      }
    }

    @Override
    public @Nullable CompletionStage<StagedValue> prepare(
        byte[] key, StagedValue value, long expireAtMillis) {
      synchronized (lock) {
        if (!(value instanceof Staged own) || own.isPrepared || declines.getAsBoolean()) {
          return null;
        }
        CompletableFuture<StagedValue> prepared = new CompletableFuture<>();
        Runnable preparation =
            () -> {
              own.isPrepared = true;
              prepared.complete(own);
            };
        if (preparesWhenTold) {
          preparing.add(preparation);
        } else {
          var _ = CompletableFuture.runAsync(preparation);
        }
        return prepared;
      }
    }

    @Override
    public @Nullable Outcome execute(KeyCommand command) {
      synchronized (lock) {
        return declines.getAsBoolean() ? null : map.entries().execute(command, clock.millis());
      }
    }

    @Override
    public long scan(long cursor, int count, KeySink sink) {
      synchronized (lock) {
        if (declines.getAsBoolean()) {
          return NOT_NOW;
        }
        long next = cursor;
        int looked = 0;
        do {
          KeyMap.ScanPage page = map.entries().page(next, 1, GlobPattern.ANY);
          page.keys().forEach(key -> sink.key(key, 0, key.length));
          looked += page.keys().size();
          next = page.cursor();
        } while (next != 0 && looked < count && !sink.isFull());
        return declines.getAsBoolean() ? NOT_NOW : next; // late, as one may
      }
    }

    private @Nullable Stored find(byte[] bytes, int keyOffset, int keyLength) {
      return map.entries().find(key(bytes, keyOffset, keyLength));
    }

    private static byte[] key(byte[] bytes, int offset, int length) {
      return Arrays.copyOfRange(bytes, offset, offset + length);
    }
  }

  /** Room for a value, in a map that it was made for. */
  private static final class Staged implements StagedValue {
    private final TenantName tenant;
    private final String map;
    private final boolean expires;
    private final AtomicInteger count;
    private final byte[] bytes;
    private volatile boolean isPrepared;
    private boolean over;

    Staged(
        TenantName tenant,
        String map,
        boolean expires,
        int length,
        AtomicInteger count,
        boolean isPrepared) {
      this.tenant = tenant;
      this.map = map;
      this.expires = expires;
      this.count = count;
      this.bytes = new byte[length];
      this.isPrepared = isPrepared;
      int _ = count.incrementAndGet();
    }

    @Override
    public int length() {
      return bytes.length;
    }

    @Override
    public ByteBuffer room() {
      if (over) {
        throw new IllegalStateException("it was written or discarded");
      }
      return ByteBuffer.wrap(bytes);
    }

    @Override
    public void discard() {
      if (!over) {
        over = true;
        int _ = count.decrementAndGet();
      }
    }

    byte[] written() {
      byte[] written = room().array();
      discard();
      return written;
    }
  }

  /** The entries of one map, in the order of a scan. Guarded by the engine's lock. */
  private static final class Entries {
    private final NavigableMap<Place, Stored> byPlace = new TreeMap<>();
    private final MapWaits waits;
    private Transition.Effect lastEffect = Transition.Effect.NOTHING;

    /** Nothing expires before. */
    private long earliest = Expiry.NONE;

    Entries(MapWaits waits) {
      this.waits = waits;
    }

    Outcome execute(KeyCommand command, long nowMillis) {
      Stored stored = find(command.key());
      Transition transition = command.apply(new View(stored), nowMillis);
      lastEffect = transition.effect();
      switch (transition.effect()) {
        case NOTHING, ACCESS -> {}
        case PUT -> {
          byte[] value = transition.value();
          CollectionValue collection = transition.collection();
          if ((value == null) == (collection == null)) {
            throw new IllegalStateException("a transition that puts has a value");
          }
          Map<Long, byte[]> before = stored == null ? Map.of() : stored.pages();
          Map<Long, byte[]> pages = EntryPages.changed(before, collection, transition.pages());
          put(command.key(), new Stored(value, collection, pages, transition.expireAtMillis()));
        }
        case SET_EXPIRY -> {
          if (stored == null) {
            throw new IllegalStateException("a transition that sets an expiry needs an entry");
          }
          put(
              command.key(),
              new Stored(
                  stored.value(),
                  stored.collection(),
                  stored.pages(),
                  transition.expireAtMillis()));
        }
        case REMOVE -> remove(command.key());
      }
      return transition.outcome();
    }

    KeyMap.ScanPage page(long cursor, int count, GlobPattern match) {
      GlobMatcher matcher = new GlobMatcher(match);
      List<byte[]> keys = new ArrayList<>();
      int looked = 0;
      long last = -1;
      for (Place place : byPlace.tailMap(new Place(cursor, new byte[0]), true).keySet()) {
        if (looked >= count && place.position() != last) {
          return new KeyMap.ScanPage(place.position(), keys);
        }
        last = place.position();
        looked++;
        if (matcher.matches(place.key())) {
          keys.add(place.key());
        }
      }
      if (matcher.isTooCostly()) {
        throw new EngineException(
            new Outcome.Failure(Outcome.Failure.Kind.TOO_COSTLY, matcher.refusal()));
      }
      return new KeyMap.ScanPage(0, keys);
    }

    @Nullable Stored find(byte[] key) {
      return byPlace.get(Place.of(key));
    }

    void put(byte[] key, Stored stored) {
      byPlace.put(Place.of(key), stored);
      noteExpiry(stored);
      CollectionValue collection = stored.collection();
      if (collection != null) {
        waits.elementsCame(MapWaits.Place.of(this, key, collection.type()));
      }
    }

    private void noteExpiry(Stored stored) {
      long expiry = stored.expireAtMillis();
      if (expiry != Expiry.NONE && (earliest == Expiry.NONE || expiry < earliest)) {
        earliest = expiry;
      }
    }

    void remove(byte[] key) {
      byPlace.remove(Place.of(key));
    }

    void clear() {
      byPlace.clear();
    }

    void dropExpired(long nowMillis) {
      if (Expiry.hasPassed(earliest, nowMillis)) {
        byPlace.values().removeIf(s -> Expiry.hasPassed(s.expireAtMillis(), nowMillis));
        earliest = Expiry.NONE;
        byPlace.values().forEach(this::noteExpiry);
      }
    }
  }

  /** An entry as it is stored. The pages are those of the collection, and no others. */
  private record Stored(
      byte @Nullable [] value,
      @Nullable CollectionValue collection,
      Map<Long, byte[]> pages,
      long expireAtMillis) {
    Stored(byte[] value, long expireAtMillis) {
      this(value, null, Map.of(), expireAtMillis);
    }
  }

  /** Where a key comes in a scan: by position, and by content where positions are equal. */
  private record Place(long position, byte[] key) implements Comparable<Place> {
    private static final int POSITION_BITS = 20; // few, so that keys share a position now and then

    private static final Comparator<Place> ORDER =
        Comparator.comparingLong(Place::position).thenComparing(Place::key, Arrays::compare);

    static Place of(byte[] key) {
      long mixed = Arrays.hashCode(key) * 0x9E3779B97F4A7C15L;
      return new Place(mixed >>> (Long.SIZE - POSITION_BITS), key);
    }

    @Override
    public int compareTo(Place other) {
      return ORDER.compare(this, other);
    }
  }

  /** An entry, or its absence, for a command to look at. */
  private record View(@Nullable Stored stored) implements Current {
    @Override
    public boolean exists() {
      return stored != null;
    }

    @Override
    public byte @Nullable [] bytes() {
      return entry().value();
    }

    @Override
    public @Nullable CollectionValue collection() {
      return entry().collection();
    }

    @Override
    public PageSource pages() {
      return EntryPages.source(stored == null ? Map.of() : stored.pages());
    }

    @Override
    public int length() {
      byte[] value = entry().value();
      return value == null ? -1 : value.length;
    }

    @Override
    public long expireAtMillis() {
      return entry().expireAtMillis();
    }

    private Stored entry() {
      if (stored == null) {
        throw new IllegalStateException("a command asks for nothing but exists() of an absence");
      }
      return stored;
    }
  }
}
