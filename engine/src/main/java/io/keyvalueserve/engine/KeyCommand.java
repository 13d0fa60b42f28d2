package io.keyvalueserve.engine;

import io.keyvalueserve.engine.collection.Arguments;
import io.keyvalueserve.engine.collection.CollectionOperation;
import io.keyvalueserve.engine.collection.CollectionType;
import io.keyvalueserve.engine.collection.CollectionValue;
import io.keyvalueserve.engine.collection.CorruptCollectionException;
import io.keyvalueserve.engine.collection.LargeCollections;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A command on one key. What it means is {@link #apply}; the engine only loads, calls, and stores.
 *
 * <p>Immutable; the arrays inside are not changed by anyone.
 */
public sealed interface KeyCommand {
  /** The longest value a command may build, in bytes, unless the operator sets less. */
  int MOST_VALUE_BYTES = 512 * 1024 * 1024;

  /**
   * The largest collection a command may build, in bytes, unless the operator sets another: there
   * is no limit.
   */
  int MOST_COLLECTION_BYTES = Integer.MAX_VALUE;

  /** The key. */
  byte[] key();

  /** Returns whether the command can change an entry. */
  boolean writes();

  /**
   * Decides what the command does to the entry it finds.
   *
   * <p>Pure: depends on its arguments only. If {@code current} does not exist, no effect but {@code
   * PUT} is returned.
   *
   * @param current the entry, or its absence
   * @param nowMillis the time, in milliseconds since 1970
   */
  Transition apply(Current current, long nowMillis);

  /** Reads the value. */
  record Read(byte[] key) implements KeyCommand {
    @Override
    public boolean writes() {
      return false;
    }

    @Override
    public Transition apply(Current current, long nowMillis) {
      if (!current.exists()) {
        return Transition.nothing(Outcome.Missing.MISSING);
      }
      byte[] value = current.bytes();
      return value == null
          ? Transition.nothing(Outcome.Rejected.WRONG_TYPE)
          : Transition.access(new Outcome.Entry(value, current.expireAtMillis()));
    }
  }

  /**
   * Asks for length and expiry.
   *
   * @param access whether this counts as a use of the entry
   */
  record Probe(byte[] key, boolean access) implements KeyCommand {
    @Override
    public boolean writes() {
      return false;
    }

    @Override
    public Transition apply(Current current, long nowMillis) {
      if (!current.exists()) {
        return Transition.nothing(Outcome.Missing.MISSING);
      }
      int length = current.length();
      CollectionValue collection = length < 0 ? current.collection() : null;
      Outcome info =
          new Outcome.Info(
              length, current.expireAtMillis(), collection == null ? null : collection.type());
      return access ? Transition.access(info) : Transition.nothing(info);
    }
  }

  /**
   * Writes a value.
   *
   * @param expireAtMillis an {@link Expiry}
   * @param condition when to write
   * @param returnPrevious whether to answer with the value before; then an entry whose value has no
   *     text is left alone and the answer is {@code WRONG_TYPE}
   */
  record Write(
      byte[] key,
      byte[] value,
      long expireAtMillis,
      WriteCondition condition,
      boolean returnPrevious)
      implements KeyCommand {
    /** Writes in any case, without expiry. */
    public static Write of(byte[] key, byte[] value) {
      return new Write(key, value, Expiry.NONE, WriteCondition.ALWAYS, false);
    }

    /** Returns whether it writes in any case, and returns nothing of the previous value. */
    public boolean isUnconditional() {
      return condition == WriteCondition.ALWAYS && !returnPrevious;
    }

    @Override
    public boolean writes() {
      return true;
    }

    @Override
    public Transition apply(Current current, long nowMillis) {
      boolean exists = current.exists();
      byte[] previous = null;
      if (returnPrevious && exists) {
        previous = current.bytes();
        if (previous == null) {
          return Transition.nothing(Outcome.Rejected.WRONG_TYPE);
        }
      }
      if (!holds(condition, exists)) {
        return Transition.nothing(
            previous == null
                ? Outcome.NotApplied.WITHOUT_PREVIOUS
                : new Outcome.NotApplied(previous));
      }
      Outcome applied =
          previous == null ? Outcome.Applied.WITHOUT_PREVIOUS : new Outcome.Applied(previous);
      long expireAt = expireAtMillis;
      if (expireAt == Expiry.KEEP) {
        expireAt = exists ? current.expireAtMillis() : Expiry.NONE;
      }
      if (Expiry.hasPassed(expireAt, nowMillis)) {
        return exists ? Transition.remove(applied) : Transition.nothing(applied);
      }
      return Transition.put(value, expireAt, applied);
    }
  }

  /**
   * Removes the entry.
   *
   * @param returnPrevious whether to answer with the value before; then an entry whose value has no
   *     text is left alone and the answer is {@code WRONG_TYPE}
   */
  record Remove(byte[] key, boolean returnPrevious) implements KeyCommand {
    @Override
    public boolean writes() {
      return true;
    }

    @Override
    public Transition apply(Current current, long nowMillis) {
      if (!current.exists()) {
        return Transition.nothing(Outcome.Missing.MISSING);
      }
      if (!returnPrevious) {
        return Transition.remove(Outcome.Applied.WITHOUT_PREVIOUS);
      }
      byte[] previous = current.bytes();
      return previous == null
          ? Transition.nothing(Outcome.Rejected.WRONG_TYPE)
          : Transition.remove(new Outcome.Applied(previous));
    }
  }

  /**
   * Sets or takes away the expiry.
   *
   * @param expireAtMillis a time, or {@link Expiry#NONE} to let the entry stay for good
   * @param condition when to
   */
  record Expire(byte[] key, long expireAtMillis, ExpireCondition condition) implements KeyCommand {
    @Override
    public boolean writes() {
      return true;
    }

    @Override
    public Transition apply(Current current, long nowMillis) {
      if (!current.exists()) {
        return Transition.nothing(Outcome.Missing.MISSING);
      }
      long now = current.expireAtMillis();
      boolean has = now != Expiry.NONE;
      long before = has ? now : Long.MAX_VALUE;
      long after = expireAtMillis == Expiry.NONE ? Long.MAX_VALUE : expireAtMillis;
      boolean holds =
          switch (condition) {
            case ALWAYS -> true;
            case IF_NONE -> !has;
            case IF_SOME -> has;
            case IF_LATER -> after > before;
            case IF_EARLIER -> after < before || (!has && expireAtMillis != Expiry.NONE);
            case IF_SOME_AND_EARLIER -> has && after < before;
          };
      if (!holds) {
        return Transition.nothing(Outcome.NotApplied.WITHOUT_PREVIOUS);
      }
      return Expiry.hasPassed(expireAtMillis, nowMillis)
          ? Transition.remove(Outcome.Applied.WITHOUT_PREVIOUS)
          : Transition.setExpiry(expireAtMillis, Outcome.Applied.WITHOUT_PREVIOUS);
    }
  }

  /**
   * Reads the value and sets the expiry.
   *
   * @param expireAtMillis an {@link Expiry}; {@link Expiry#KEEP} only reads
   */
  record ReadAndExpire(byte[] key, long expireAtMillis) implements KeyCommand {
    @Override
    public boolean writes() {
      return expireAtMillis != Expiry.KEEP;
    }

    @Override
    public Transition apply(Current current, long nowMillis) {
      Transition read = new Read(key).apply(current, nowMillis);
      if (expireAtMillis == Expiry.KEEP || !(read.outcome() instanceof Outcome.Entry entry)) {
        return read;
      }
      if (Expiry.hasPassed(expireAtMillis, nowMillis)) {
        return Transition.remove(entry);
      }
      return expireAtMillis == entry.expireAtMillis()
          ? read
          : Transition.setExpiry(expireAtMillis, new Outcome.Entry(entry.value(), expireAtMillis));
    }
  }

  /** Adds to an integer that is kept as text; an absent one counts as 0. Keeps the expiry. */
  record Increment(byte[] key, long delta) implements KeyCommand {
    @Override
    public boolean writes() {
      return true;
    }

    @Override
    public Transition apply(Current current, long nowMillis) {
      return Arithmetic.increment(current, delta);
    }
  }

  /**
   * Adds to a decimal number that is kept as text; an absent one counts as 0. Keeps the expiry.
   *
   * @param delta the text of a finite decimal number, see {@link Arithmetic#parseDecimal}
   */
  record IncrementDecimal(byte[] key, String delta) implements KeyCommand {
    @Override
    public boolean writes() {
      return true;
    }

    @Override
    public Transition apply(Current current, long nowMillis) {
      return Arithmetic.incrementDecimal(current, delta);
    }
  }

  /**
   * Adds bytes to the end of the value; an absent one counts as empty. Keeps the expiry.
   *
   * @param mostBytes the longest value allowed, in bytes
   */
  record Append(byte[] key, byte[] suffix, int mostBytes) implements KeyCommand {
    @Override
    public boolean writes() {
      return true;
    }

    @Override
    public Transition apply(Current current, long nowMillis) {
      if (!current.exists()) {
        return Transition.put(suffix, Expiry.NONE, new Outcome.IntegerResult(suffix.length));
      }
      byte[] value = current.bytes();
      if (value == null) {
        return Transition.nothing(Outcome.Rejected.WRONG_TYPE);
      }
      if ((long) value.length + suffix.length > mostBytes) {
        return Transition.nothing(Outcome.Rejected.TOO_LONG);
      }
      byte[] joined = Arrays.copyOf(value, value.length + suffix.length);
      System.arraycopy(suffix, 0, joined, value.length, suffix.length);
      return Transition.put(
          joined, current.expireAtMillis(), new Outcome.IntegerResult(joined.length));
    }
  }

  /**
   * Writes bytes over the value from an offset on; the value grows, with zero bytes between, where
   * it is too short. Keeps the expiry. Writing nothing changes nothing.
   *
   * @param offset where to begin, 0 or more
   * @param mostBytes the longest value allowed, in bytes
   */
  record Overwrite(byte[] key, int offset, byte[] bytes, int mostBytes) implements KeyCommand {
    @Override
    public boolean writes() {
      return true;
    }

    @Override
    public Transition apply(Current current, long nowMillis) {
      boolean exists = current.exists();
      byte[] value = exists ? current.bytes() : new byte[0];
      if (value == null) {
        return Transition.nothing(Outcome.Rejected.WRONG_TYPE);
      }
      if (bytes.length == 0) {
        return Transition.nothing(new Outcome.IntegerResult(value.length));
      }
      if ((long) offset + bytes.length > mostBytes) {
        return Transition.nothing(Outcome.Rejected.TOO_LONG);
      }
      byte[] written = Arrays.copyOf(value, Math.max(value.length, offset + bytes.length));
      System.arraycopy(bytes, 0, written, offset, bytes.length);
      return Transition.put(
          written,
          exists ? current.expireAtMillis() : Expiry.NONE,
          new Outcome.IntegerResult(written.length));
    }
  }

  /**
   * Writes a value if what it finds is as wanted: compare and set. Answers 1 if there was no entry
   * and 0 if one was replaced; {@code NotApplied} if what it found is not as wanted, and {@code
   * WRONG_TYPE} if tags are wanted of a value that has no text.
   *
   * @param expireAtMillis an {@link Expiry}
   * @param match what is wanted
   */
  record WriteIf(byte[] key, byte[] value, long expireAtMillis, ValueMatch match)
      implements KeyCommand {
    /** The answer if there was no entry. */
    public static final long CREATED = 1;

    /** The answer if an entry was replaced. */
    public static final long REPLACED = 0;

    @Override
    public boolean writes() {
      return true;
    }

    @Override
    public Transition apply(Current current, long nowMillis) {
      Outcome obstacle = obstacle(match, current);
      if (obstacle != null) {
        return Transition.nothing(obstacle);
      }
      boolean exists = current.exists();
      Outcome written = new Outcome.IntegerResult(exists ? REPLACED : CREATED);
      long expireAt = expireAtMillis;
      if (expireAt == Expiry.KEEP) {
        expireAt = exists ? current.expireAtMillis() : Expiry.NONE;
      }
      if (Expiry.hasPassed(expireAt, nowMillis)) {
        return exists ? Transition.remove(written) : Transition.nothing(written);
      }
      return Transition.put(value, expireAt, written);
    }
  }

  /**
   * Removes the entry if it is as wanted: compare and delete. {@code NotApplied} if it is not,
   * {@code MISSING} if there is none, {@code WRONG_TYPE} if tags are wanted of a value that has no
   * text.
   *
   * @param match what is wanted
   */
  record RemoveIf(byte[] key, ValueMatch match) implements KeyCommand {
    @Override
    public boolean writes() {
      return true;
    }

    @Override
    public Transition apply(Current current, long nowMillis) {
      if (!current.exists()) {
        return Transition.nothing(Outcome.Missing.MISSING);
      }
      Outcome obstacle = obstacle(match, current);
      return obstacle == null
          ? Transition.remove(Outcome.Applied.WITHOUT_PREVIOUS)
          : Transition.nothing(obstacle);
    }
  }

  /**
   * Carries an operation on a collection out. A collection that is left empty is removed. Keeps the
   * expiry.
   *
   * @param mostBytes the largest collection that it may build, in bytes as it is stored; {@link
   *     #MOST_COLLECTION_BYTES} for any
   */
  record OnCollection(byte[] key, CollectionOperation operation, Arguments arguments, int mostBytes)
      implements KeyCommand {
    @Override
    public boolean writes() {
      return operation.writes();
    }

    @Override
    public Transition apply(Current current, long nowMillis) {
      return operation.apply(current, arguments, mostBytes, nowMillis);
    }
  }

  /**
   * Carries out an operation on the value.
   *
   * @param operation what it does
   */
  record Operate(byte[] key, ValueOperation operation) implements KeyCommand {
    @Override
    public boolean writes() {
      return operation.writes();
    }

    @Override
    public Transition apply(Current current, long nowMillis) {
      return operation.apply(current);
    }
  }

  /**
   * Writes a collection that was packed elsewhere.
   *
   * @param type the type of the collection
   * @param packed the collection as {@link io.keyvalueserve.engine.collection.CollectionPacker}
   *     packs it; not empty
   * @param expireAtMillis when the entry expires, or {@link Expiry#NONE}; never {@link Expiry#KEEP}
   * @param condition when to write
   */
  record WriteCollection(
      byte[] key, CollectionType type, byte[] packed, long expireAtMillis, WriteCondition condition)
      implements KeyCommand {
    @Override
    public boolean writes() {
      return true;
    }

    @Override
    public Transition apply(Current current, long nowMillis) {
      boolean exists = current.exists();
      if (!holds(condition, exists)) {
        return Transition.nothing(Outcome.NotApplied.WITHOUT_PREVIOUS);
      }
      Outcome applied = Outcome.Applied.WITHOUT_PREVIOUS;
      if (Expiry.hasPassed(expireAtMillis, nowMillis)) {
        return exists ? Transition.remove(applied) : Transition.nothing(applied);
      }
      CollectionValue before = exists ? current.collection() : null;
      try {
        LargeCollections.Paged stored =
            LargeCollections.replacing(
                before, CollectionValue.copyOf(type, packed), current.pages() != null);
        return Transition.put(stored.head(), stored.pages(), expireAtMillis, applied);
      } catch (CorruptCollectionException e) {
        return Transition.nothing(
            new Outcome.Failure(
                Outcome.Failure.Kind.INTERNAL,
                "the bytes are no " + type.title() + ": " + e.getMessage()));
      }
    }
  }

  /** Returns whether the condition of a write holds. */
  private static boolean holds(WriteCondition condition, boolean exists) {
    return switch (condition) {
      case ALWAYS -> true;
      case IF_ABSENT -> !exists;
      case IF_PRESENT -> exists;
    };
  }

  /** Returns the outcome of a command whose condition does not hold, or null if it holds. */
  private static @Nullable Outcome obstacle(ValueMatch match, Current current) {
    boolean exists = current.exists();
    boolean holds =
        switch (match.kind()) {
          case ANY -> true;
          case ABSENT -> !exists;
          case PRESENT, TAGGED -> exists;
        };
    if (holds && match.kind() == ValueMatch.Kind.TAGGED) {
      byte[] value = current.bytes();
      if (value == null) {
        return Outcome.Rejected.WRONG_TYPE;
      }
      holds = match.hasTagOf(value);
    }
    return holds ? null : Outcome.NotApplied.WITHOUT_PREVIOUS;
  }
}
