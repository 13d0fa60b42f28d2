package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.EngineException;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.collection.Arguments;
import io.keyvalueserve.engine.collection.Bytes;
import io.keyvalueserve.engine.collection.CollectionType;
import io.keyvalueserve.engine.collection.Element;
import io.keyvalueserve.engine.collection.ListOperation;
import io.keyvalueserve.engine.collection.SetOperation;
import io.keyvalueserve.engine.collection.SortedSetOperation;
import io.keyvalueserve.engine.collection.SortedSetOperation.Limits;
import io.keyvalueserve.engine.collection.SortedSetOperation.Range;
import io.keyvalueserve.resp.protocol.Reply;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One run of SORT within a transaction. It collects the keys that patterns name before it reads
 * them: those to sort by, and then those to return. So it takes as many runs more as there are such
 * collections, two at most. For one thread.
 */
final class SortRun {
  /** The keys that the patterns of a request may name, counted for each pattern. */
  static final int MOST_KEYS = 10_000;

  /** The bytes that the values of patterns, and the result, may take. */
  static final long MOST_BYTES = 64L << 20;

  /** The memory that an element of the result takes beside its bytes, about. */
  private static final int ELEMENT_BYTES = 32;

  /** The time is looked at after so many elements. */
  private static final int LOOKED_AT = 256;

  private static final byte[] EMPTY = {};

  private final TransactionScope scope;
  private final SortQuery query;
  private final int mostBytes;

  /** The values that were read, by pattern and element; null for none. */
  private final IdentityHashMap<SortPattern, Map<Bytes, byte @Nullable []>> values =
      new IdentityHashMap<>();

  private long keys;
  private long bytes;

  /**
   * An element.
   *
   * @param weight what it is sorted by, as text; null if there is none
   * @param score what it is sorted by, as a number
   */
  private record Item(byte[] element, byte @Nullable [] weight, double score) {}

  SortRun(TransactionScope scope, SortQuery query) {
    this.scope = scope;
    this.query = query;
    this.mostBytes = scope.context().mostCollectionBytes();
  }

  /**
   * Does all of it.
   *
   * @throws CommandException if the key or the values do not fit, or there are too many
   * @throws io.keyvalueserve.engine.NotAtHand to be run again
   */
  Reply run() {
    byte[] target = query.target();
    if (target != null) {
      scope.require(List.of(scope.on(target, ListOperation.REPLACE, Arguments.NONE)));
    }
    CollectionType type = type();
    List<byte[]> sorted = sorted(type);
    List<byte @Nullable []> result = result(sorted);
    if (target != null) {
      List<byte[]> stored = result.stream().map(each -> each == null ? EMPTY : each).toList();
      return Rendering.integer(
          scope.demand(scope.on(target, ListOperation.REPLACE, Arguments.of(stored))));
    }
    return new Reply.Array(
        Many.of(
            result.size(),
            i -> {
              byte[] each = result.get(i);
              return each == null ? Reply.Null.NULL : new Reply.Bulk(each);
            }));
  }

  // ---- the elements

  /** Returns the type of the collection; null if there is none. */
  private @Nullable CollectionType type() {
    Outcome found = scope.demand(new KeyCommand.Probe(query.key(), true));
    if (found instanceof Outcome.Missing) {
      return null;
    }
    CollectionType type = found instanceof Outcome.Info info ? info.collection() : null;
    if (type == null || type == CollectionType.HASH) {
      throw new CommandException(Errors.WRONG_TYPE);
    }
    return type;
  }

  private List<byte[]> elements(CollectionType type) {
    KeyCommand read =
        switch (type) {
          case LIST -> scope.on(query.key(), ListOperation.RANGE, Arguments.NONE.with(0, -1));
          case SET -> scope.on(query.key(), SetOperation.ALL, Arguments.NONE);
          default ->
              scope.on(
                  query.key(),
                  SortedSetOperation.RANGE,
                  Arguments.NONE.with(
                      new Range(Limits.RANKS, 0, -1, 0, 0, false, 0, -1).numbers()));
        };
    if (!(scope.demand(read) instanceof Outcome.Elements found)) {
      return List.of();
    }
    List<byte[]> elements = new ArrayList<>(found.elements().size());
    for (Element each : found.elements()) {
      if (each instanceof Element.Text text) {
        elements.add(text.bytes());
      }
    }
    return elements;
  }

  /** Returns the elements that are asked for, in order. */
  private List<byte[]> sorted(@Nullable CollectionType type) {
    List<byte[]> elements = type == null ? List.of() : elements(type);
    scope.checkTime();
    int size = elements.size();
    int from = (int) Math.clamp(query.offset(), 0, (long) size);
    long count = query.count() < 0 ? size : query.count();
    int end = (int) Math.min(size, from + Math.min(count, size));
    if (query.keepsOrder()) {
      if (type == CollectionType.SET && (query.target() != null || scope.isInScript())) {
        return sorted(elements, from, end, null, true); // no order is left to chance
      }
      if (query.descending() && type != CollectionType.SET) {
        Collections.reverse(elements);
      }
      return elements.subList(from, end);
    }
    return sorted(elements, from, end, query.by(), query.alphabetical());
  }

  private List<byte[]> sorted(
      List<byte[]> elements, int from, int end, @Nullable SortPattern by, boolean alphabetical) {
    if (by != null) {
      boolean takesAll = end - from == elements.size();
      List<SortPattern> patterns = new ArrayList<>(List.of(by));
      if (takesAll) {
        patterns.addAll(query.gets());
      }
      read(patterns, elements);
    }
    Item[] items = new Item[elements.size()];
    for (int i = 0; i < items.length; i++) {
      if (i % LOOKED_AT == 0) {
        scope.checkTime();
      }
      byte[] element = elements.get(i);
      byte[] weight = by == null ? element : value(by, element);
      items[i] = new Item(element, weight, alphabetical || weight == null ? 0 : score(weight));
    }
    Comparator<Item> order = alphabetical ? SortRun::alphabetical : SortRun::numerical;
    order = query.descending() ? order.reversed() : order;
    if (end > from && items.length > 1) {
      boolean isPart = by != null && end - from < items.length;
      SlicedSort<Item> sort =
          isPart ? SlicedSort.part(items, order, from, end - 1) : SlicedSort.all(items, order);
      while (!sort.step()) {
        scope.checkTime();
      }
    }
    return Arrays.stream(items, from, end).map(Item::element).toList();
  }

  private static int numerical(Item one, Item other) {
    if (one.score > other.score) {
      return 1;
    }
    return one.score < other.score ? -1 : Arrays.compareUnsigned(one.element, other.element);
  }

  private static int alphabetical(Item one, Item other) {
    byte[] first = one.weight;
    byte[] second = other.weight;
    if (first == null || second == null) {
      return (first == null ? 0 : 1) - (second == null ? 0 : 1);
    }
    return Arrays.compareUnsigned(first, second);
  }

  /** Reads a number as C does: spaces before it, nothing for 0, up to a zero byte. */
  private static double score(byte[] weight) {
    String text = new String(weight, StandardCharsets.ISO_8859_1);
    int zero = text.indexOf(0);
    return Scores.sorted(zero < 0 ? text : text.substring(0, zero))
        .orElseThrow(
            () -> new CommandException("ERR One or more scores can't be converted into double"));
  }

  // ---- the values of patterns

  /** Reads what patterns stand for, for all elements; with those keys locked that it needs. */
  private void read(List<SortPattern> patterns, List<byte[]> elements) {
    IdentityHashMap<SortPattern, Map<Bytes, KeyCommand>> reads = new IdentityHashMap<>();
    List<KeyCommand> all = new ArrayList<>();
    int looked = 0;
    for (SortPattern pattern : patterns) {
      if (pattern.kind() != SortPattern.Kind.VALUE || values.containsKey(pattern)) {
        continue;
      }
      Map<Bytes, KeyCommand> own = new LinkedHashMap<>();
      for (byte[] element : elements) {
        if (++looked % LOOKED_AT == 0) {
          scope.checkTime();
        }
        if (!own.containsKey(Bytes.of(element))) {
          KeyCommand read = pattern.read(element, mostBytes);
          own.put(Bytes.of(element), read);
          all.add(read);
          requireFew(keys + all.size());
        }
      }
      reads.put(pattern, own);
      values.put(pattern, new HashMap<>());
    }
    if (all.isEmpty()) {
      return;
    }
    keys += all.size();
    scope.need(all);
    reads.forEach(
        (pattern, own) -> {
          Map<Bytes, byte @Nullable []> found =
              values.computeIfAbsent(pattern, any -> new HashMap<>());
          own.forEach((element, read) -> found.put(element, read(read)));
        });
    scope.countReads(all.size());
  }

  private void requireFew(long wanted) {
    if (wanted > MOST_KEYS) {
      throw new CommandException(
          "ERR the patterns of SORT name more than "
              + MOST_KEYS
              + " keys: have fewer elements, or LIMIT them with BY a pattern without '*'");
    }
  }

  private byte @Nullable [] read(KeyCommand command) {
    scope.checkTime();
    return switch (scope.execute(command)) {
      case Outcome.Entry entry -> {
        admit(entry.value().length);
        yield entry.value();
      }
      case Outcome.Failure failure -> throw new EngineException(failure);
      case Outcome _ -> null; // there is none, or it is of another type
    };
  }

  private void admit(long more) {
    bytes += more + ELEMENT_BYTES;
    if (bytes > MOST_BYTES) {
      throw new CommandException(
          "ERR the values and the result of SORT may take 64 MiB at most; nothing was changed");
    }
  }

  private byte @Nullable [] value(SortPattern pattern, byte[] element) {
    return switch (pattern.kind()) {
      case ELEMENT -> element;
      case NOTHING -> null;
      case VALUE -> {
        Map<Bytes, byte @Nullable []> own = values.get(pattern);
        yield own == null ? null : own.get(Bytes.of(element));
      }
    };
  }

  private List<byte @Nullable []> result(List<byte[]> sorted) {
    if (query.gets().isEmpty()) {
      return new ArrayList<>(sorted);
    }
    read(query.gets(), sorted);
    List<byte @Nullable []> result = new ArrayList<>();
    for (byte[] element : sorted) {
      if (result.size() % LOOKED_AT < query.gets().size()) {
        scope.checkTime();
      }
      for (SortPattern pattern : query.gets()) {
        byte[] value = value(pattern, element);
        admit(value == null ? 0 : value.length);
        result.add(value);
      }
    }
    return result;
  }
}
