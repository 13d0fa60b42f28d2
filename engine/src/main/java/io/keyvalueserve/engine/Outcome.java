package io.keyvalueserve.engine;

import io.keyvalueserve.engine.collection.CollectionType;
import io.keyvalueserve.engine.collection.Element;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The result of one {@link KeyCommand}. Expected outcomes are values; nothing here is thrown. */
public sealed interface Outcome {
  /** There is no such key (or it has expired). */
  enum Missing implements Outcome {
    MISSING
  }

  /**
   * The entry that was asked for.
   *
   * @param value its value as bytes
   * @param expireAtMillis when it expires, in milliseconds since 1970, or {@link Expiry#NONE}
   */
  record Entry(byte[] value, long expireAtMillis) implements Outcome {}

  /**
   * The outcome that the entry is there, without its value.
   *
   * @param length the value's length in bytes, or -1 if it is not a byte string, a string, a number
   *     or JSON
   * @param expireAtMillis when it expires, in milliseconds since 1970, or {@link Expiry#NONE}
   * @param collection of which type it is, null if it is no collection
   */
  record Info(int length, long expireAtMillis, @Nullable CollectionType collection)
      implements Outcome {
    /** Creates the outcome of a value that is no collection. */
    public Info(int length, long expireAtMillis) {
      this(length, expireAtMillis, null);
    }
  }

  /**
   * The command took effect.
   *
   * @param previous the value before, if the command asks for it and there was one
   */
  record Applied(byte @Nullable [] previous) implements Outcome {
    /** Took effect, without a value. */
    public static final Applied WITHOUT_PREVIOUS = new Applied(null);
  }

  /**
   * The command's condition did not hold; nothing was changed.
   *
   * @param previous the value as it is, if the command asks for it and there is one
   */
  record NotApplied(byte @Nullable [] previous) implements Outcome {
    /** Without a value. */
    public static final NotApplied WITHOUT_PREVIOUS = new NotApplied(null);
  }

  /** An integer: the new value of a counter or the new length of a value. */
  record IntegerResult(long value) implements Outcome {}

  /** A decimal number as text: the new value of a counter. */
  record DecimalResult(String value) implements Outcome {}

  /** The answer of an operation on a collection that is more than one value. */
  record Elements(List<Element> elements) implements Outcome {}

  /** An integer. */
  static IntegerResult of(long value) {
    return new IntegerResult(value);
  }

  /**
   * Integers in the order in which they were asked for.
   *
   * @param values the integers
   * @param absent which of them there is none of, as it would not fit; as many
   */
  record Integers(long[] values, boolean[] absent) implements Outcome {}

  /** The entry or an argument does not fit the command; nothing was changed. */
  enum Rejected implements Outcome {
    /**
     * The value is of a type that the command is not for: has no text, or is no such collection.
     */
    WRONG_TYPE,
    /** The value is not an integer of 64 bits. */
    NOT_AN_INTEGER,
    /** The value is not a decimal number. */
    NOT_A_DECIMAL,
    /** The result would not fit 64 bits. */
    OVERFLOW,
    /** The result would be infinite or not a number. */
    NOT_FINITE,
    /** The value would be longer than the limit. */
    TOO_LONG,
    /** The value of a hash's field is not an integer of 64 bits. */
    ELEMENT_NOT_AN_INTEGER,
    /** The value of a hash's field is not a decimal number. */
    ELEMENT_NOT_A_DECIMAL,
    /** A list has no element at this position. */
    INDEX_OUT_OF_RANGE,
    /** There is no such key, and the command needs one. */
    NO_SUCH_KEY,
    /** The score that would result is not a number. */
    SCORE_NOT_A_NUMBER,
    /** The value is not a HyperLogLog sketch. */
    NOT_A_SKETCH,
    /** The value begins as a HyperLogLog sketch, but does not go on as one. */
    CORRUPT_SKETCH
  }

  /**
   * The engine could not carry the command out.
   *
   * @param kind what is the matter
   * @param message for the client: names no other tenant and no internals
   */
  record Failure(Kind kind, String message) implements Outcome {
    private static final String DISK_FULL =
        "the member's disk is full; nothing was changed; free space on it";

    /** Returns that a write was not carried out as the disk of the member's log is full. */
    public static Failure diskFull() {
      return new Failure(Kind.NOT_LOGGED, DISK_FULL);
    }

    /** Returns that a removal was not carried out, as room for it is still being made. */
    public static Failure makingRoom() {
      return new Failure(
          Kind.NOT_LOGGED,
          "the member's disk is full, and room is being made for removals; nothing was removed; try"
              + " again");
    }

    /** Returns whether this is {@link #diskFull}. */
    public boolean isDiskFull() {
      return kind == Kind.NOT_LOGGED && message.equals(DISK_FULL);
    }

    /** The kind of failure. */
    public enum Kind {
      /** The member is shutting down or not yet part of the cluster: another member, or later. */
      UNAVAILABLE,
      /** No answer in time: the command may or may not have taken effect. */
      TIMEOUT,
      /**
       * The command took effect, or part of it did, but it is not known whether that survives: a
       * disk has failed, or a backup has not confirmed it. Who needs to know reads the key again.
       */
      IN_DOUBT,
      /** The service has a defect; the log of the member has the details. */
      INTERNAL,
      /** The member's memory is full: a write was not carried out, nothing was changed. */
      FULL,
      /** The member's log takes nothing: a write was not carried out, nothing was changed. */
      NOT_LOGGED,
      /** The member has started, and has not loaded the key from its disk yet: later. */
      LOADING,
      /** The tenant has no grant for it: nothing was done. */
      REFUSED,
      /** The tenant has what its quota lets it have: nothing was done. */
      QUOTA,
      /** It takes more work than a request may: nothing was done. */
      TOO_COSTLY,
      /** Somebody has forced a lock of the transaction off: nothing was done. */
      FORCED_OFF,
      /** The external store behind the map does not take the entry: nothing was changed. */
      NOT_STORABLE
    }
  }
}
