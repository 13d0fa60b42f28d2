package io.keyvalueserve.engine;

import io.keyvalueserve.engine.Outcome.Failure.Kind;
import io.keyvalueserve.engine.collection.CollectionTooLargeException;
import io.keyvalueserve.engine.collection.CollectionValue;
import io.keyvalueserve.engine.collection.CorruptCollectionException;
import io.keyvalueserve.engine.collection.Element;
import io.keyvalueserve.engine.collection.LargeCollections;
import io.keyvalueserve.engine.collection.PageSource;
import io.keyvalueserve.engine.value.BitField;
import io.keyvalueserve.engine.value.BitFields;
import io.keyvalueserve.engine.value.BitRange;
import io.keyvalueserve.engine.value.Bits;
import io.keyvalueserve.engine.value.CorruptSketch;
import io.keyvalueserve.engine.value.Sketch;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The work that {@link KeyCommand.Operate} does on an entry. A change keeps the expiry. An entry
 * whose value has no text is left alone, and the answer is {@code WRONG_TYPE}, unless the operation
 * says otherwise.
 *
 * <p>Immutable; the arrays inside are not changed by anyone.
 */
public sealed interface ValueOperation {
  /** Returns whether the operation can change an entry. */
  default boolean writes() {
    return false;
  }

  /** Returns whether the entry and the answer are the same if it is carried out twice. */
  default boolean isRepeatable() {
    return !writes();
  }

  /** Returns how many bytes its arguments have. */
  default int argumentBytes() {
    return 0;
  }

  /** Decides what the operation does to the entry it finds. Pure, as {@link KeyCommand#apply}. */
  Transition apply(Current current);

  /** Sets or clears a bit, and answers what it was. The value grows if it is too short. */
  record SetBit(long offset, boolean on) implements ValueOperation {
    @Override
    public boolean writes() {
      return true;
    }

    @Override
    public Transition apply(Current current) {
      byte[] value = bytesOrEmpty(current);
      if (value == null) {
        return wrongType();
      }
      boolean before = Bits.get(value, offset);
      Outcome answer = new Outcome.IntegerResult(before ? 1 : 0);
      return before == on && offset >>> 3 < value.length
          ? Transition.access(answer)
          : Transition.put(Bits.with(value, offset, on), expiryOf(current), answer);
    }
  }

  /** Answers a bit; 0 beyond the end. */
  record GetBit(long offset) implements ValueOperation {
    @Override
    public Transition apply(Current current) {
      byte[] value = bytesOrEmpty(current);
      return value == null
          ? wrongType()
          : answer(current, new Outcome.IntegerResult(Bits.get(value, offset) ? 1 : 0));
    }
  }

  /** Counts the bits that are set. */
  record CountBits(BitRange range) implements ValueOperation {
    @Override
    public Transition apply(Current current) {
      byte[] value = bytesOrEmpty(current);
      return value == null
          ? wrongType()
          : answer(current, new Outcome.IntegerResult(Bits.count(value, range)));
    }
  }

  /**
   * Answers the position of the first bit that is as wanted, or -1.
   *
   * @param wanted whether a bit that is set is looked for
   * @param isEndGiven whether the range ends where it says; otherwise zeros follow the value
   */
  record FindBit(boolean wanted, BitRange range, boolean isEndGiven) implements ValueOperation {
    @Override
    public Transition apply(Current current) {
      if (!current.exists()) {
        return Transition.nothing(new Outcome.IntegerResult(wanted ? -1 : 0));
      }
      byte[] value = current.bytes();
      return value == null
          ? wrongType()
          : answer(current, new Outcome.IntegerResult(Bits.find(value, wanted, range, isEndGiven)));
    }
  }

  /** Runs steps on bit fields, and answers {@link Outcome.Integers}. */
  record RunFields(List<BitField> steps) implements ValueOperation {
    private static final int STEP_BYTES = 20;

    public RunFields {
      steps = List.copyOf(steps);
    }

    @Override
    public boolean writes() {
      return steps.stream().anyMatch(BitField::writes);
    }

    @Override
    public int argumentBytes() {
      return STEP_BYTES * steps.size();
    }

    @Override
    public Transition apply(Current current) {
      byte[] value = bytesOrEmpty(current);
      if (value == null) {
        return wrongType();
      }
      BitFields run = BitFields.run(value, steps);
      Outcome answer = new Outcome.Integers(run.results(), run.failed());
      return run.isChanged()
          ? Transition.put(run.value(), expiryOf(current), answer)
          : answer(current, answer);
    }
  }

  /**
   * Adds elements to a sketch, which is made if there is none. Answers 1 if the sketch is another
   * now. If the sketch turns out to be corrupt, nothing is changed.
   */
  record AddToSketch(List<byte[]> elements) implements ValueOperation {
    @Override
    public boolean writes() {
      return true;
    }

    @Override
    public int argumentBytes() {
      return (int)
          Math.min(elements.stream().mapToLong(element -> element.length).sum(), Integer.MAX_VALUE);
    }

    @Override
    public Transition apply(Current current) {
      boolean exists = current.exists();
      byte[] value = exists ? current.bytes() : null;
      Outcome.Rejected obstacle = exists ? obstacle(value) : null;
      if (obstacle != null) {
        return Transition.nothing(obstacle);
      }
      Sketch sketch = value == null ? Sketch.empty() : Sketch.of(value);
      boolean changed = !exists;
      try {
        for (byte[] element : elements) {
          changed |= sketch.add(element);
        }
      } catch (CorruptSketch e) {
        return Transition.nothing(Outcome.Rejected.CORRUPT_SKETCH);
      }
      if (!changed) {
        return Transition.access(new Outcome.IntegerResult(0));
      }
      sketch.outdate();
      return Transition.put(sketch.value(), expiryOf(current), new Outcome.IntegerResult(1));
    }
  }

  /** Answers about how many different elements were added to a sketch; 0 if there is none. */
  record CountSketch() implements ValueOperation {
    @Override
    public Transition apply(Current current) {
      if (!current.exists()) {
        return Transition.nothing(new Outcome.IntegerResult(0));
      }
      byte[] value = current.bytes();
      Outcome.Rejected obstacle = obstacle(value);
      if (obstacle != null || value == null) {
        return Transition.nothing(obstacle == null ? Outcome.Rejected.WRONG_TYPE : obstacle);
      }
      try {
        return Transition.access(new Outcome.IntegerResult(Sketch.count(value)));
      } catch (CorruptSketch e) {
        return Transition.nothing(Outcome.Rejected.CORRUPT_SKETCH);
      }
    }
  }

  /** Reads a value that has to be a sketch, to be merged elsewhere. */
  record ReadSketch() implements ValueOperation {
    @Override
    public Transition apply(Current current) {
      if (!current.exists()) {
        return Transition.nothing(Outcome.Missing.MISSING);
      }
      byte[] value = current.bytes();
      Outcome.Rejected obstacle = obstacle(value);
      return obstacle != null || value == null
          ? Transition.nothing(obstacle == null ? Outcome.Rejected.WRONG_TYPE : obstacle)
          : Transition.access(new Outcome.Entry(value, current.expireAtMillis()));
    }
  }

  /**
   * Raises the registers of a sketch, which is made if there is none.
   *
   * @param registers one byte for each register
   * @param dense whether the sketch is to be dense in any case
   */
  record MergeSketch(byte[] registers, boolean dense) implements ValueOperation {
    @Override
    public boolean writes() {
      return true;
    }

    @Override
    public boolean isRepeatable() {
      return true;
    }

    @Override
    public int argumentBytes() {
      return registers.length;
    }

    @Override
    public Transition apply(Current current) {
      boolean exists = current.exists();
      byte[] value = exists ? current.bytes() : null;
      Outcome.Rejected obstacle = exists ? obstacle(value) : null;
      if (obstacle != null) {
        return Transition.nothing(obstacle);
      }
      Sketch sketch = value == null ? Sketch.empty() : Sketch.of(value);
      try {
        if (dense) {
          sketch.makeDense();
        }
        sketch.raiseAll(registers);
      } catch (CorruptSketch e) {
        return Transition.nothing(Outcome.Rejected.CORRUPT_SKETCH);
      }
      sketch.outdate();
      return Transition.put(sketch.value(), expiryOf(current), Outcome.Applied.WITHOUT_PREVIOUS);
    }
  }

  /** Answers a fact about an entry whatever its value, without counting as a use of it. */
  record Describe(Fact fact) implements ValueOperation {
    /** The facts that are known of an entry. */
    public enum Fact {
      /** Answers the {@link #form} of the value. */
      FORM,
      /** Answers since when nobody has used the entry, in milliseconds. */
      IDLE_MILLIS,
      /** Answers the bytes that the member which owns it keeps of the entry. */
      STORED_BYTES
    }

    /** The {@link #form} of a value that has no text. */
    public static final int OTHER = 0;

    /** The form of an integer of 64 bits as text. */
    public static final int INTEGER = 1;

    /** The form of a text of at most 44 bytes. */
    public static final int SHORT_TEXT = 2;

    /** The form of a longer text. */
    public static final int LONG_TEXT = 3;

    private static final int MOST_INTEGER_BYTES = 20;
    private static final int MOST_SHORT_BYTES = 44;

    @Override
    public Transition apply(Current current) {
      if (!current.exists()) {
        return Transition.nothing(Outcome.Missing.MISSING);
      }
      return Transition.nothing(
          new Outcome.IntegerResult(
              switch (fact) {
                case FORM -> form(current);
                case IDLE_MILLIS -> current.idleMillis();
                case STORED_BYTES -> storedBytes(current);
              }));
    }

    private static long storedBytes(Current current) {
      CollectionValue collection = current.length() < 0 ? current.collection() : null;
      long pages =
          collection != null && collection.isPaged() ? LargeCollections.bytes(collection) : 0;
      return current.storedBytes() + pages;
    }

    private static int form(Current current) {
      int length = current.length();
      if (length < 0) {
        return OTHER;
      }
      if (length <= MOST_INTEGER_BYTES) {
        byte[] value = current.bytes();
        if (value != null && Arithmetic.parseInteger(value).isPresent()) {
          return INTEGER;
        }
      }
      return length <= MOST_SHORT_BYTES ? SHORT_TEXT : LONG_TEXT;
    }
  }

  /**
   * Answers the whole value: an {@link Outcome.Entry} if it has a text. For a collection it answers
   * two elements, the code of its type and the collection as it is packed, fields that have expired
   * included.
   */
  record Export() implements ValueOperation {
    @Override
    public Transition apply(Current current) {
      if (!current.exists()) {
        return Transition.nothing(Outcome.Missing.MISSING);
      }
      CollectionValue collection = current.length() < 0 ? current.collection() : null;
      if (collection != null) {
        return export(collection, current.pages());
      }
      byte[] value = current.bytes();
      return value == null
          ? wrongType()
          : Transition.access(new Outcome.Entry(value, current.expireAtMillis()));
    }

    private static Transition export(CollectionValue collection, @Nullable PageSource pages) {
      CollectionValue whole = collection;
      if (collection.isPaged()) {
        String title = collection.type().title();
        if (pages == null) {
          return failure(Kind.INTERNAL, "the elements of this " + title + " cannot be read here");
        }
        try {
          whole =
              LargeCollections.packed(
                  collection, pages, Expiry.NONE, LargeCollections.MOST_EXPORTED_BYTES);
        } catch (CollectionTooLargeException e) {
          return failure(
              Kind.TOO_COSTLY,
              "the "
                  + title
                  + " has more than "
                  + LargeCollections.MOST_EXPORTED_BYTES
                  + " bytes, too many to be handed out in one piece");
        } catch (CorruptCollectionException e) {
          return failure(
              Kind.INTERNAL,
              "the bytes of this " + title + " are damaged (" + e.getMessage() + ")");
        }
      }
      int end = whole.offset() + whole.length();
      byte[] packed = Arrays.copyOfRange(whole.bytes(), whole.offset(), end);
      return Transition.access(
          new Outcome.Elements(List.of(Element.of(whole.type().code()), new Element.Text(packed))));
    }

    private static Transition failure(Kind kind, String message) {
      return Transition.nothing(new Outcome.Failure(kind, message));
    }
  }

  /**
   * Returns why a value is no sketch, or null if it has the head of one. One that is longer than
   * any sketch is not looked through.
   */
  private static Outcome.@Nullable Rejected obstacle(byte @Nullable [] value) {
    if (value == null) {
      return Outcome.Rejected.WRONG_TYPE;
    }
    if (!Sketch.isSketch(value)) {
      return Outcome.Rejected.NOT_A_SKETCH;
    }
    return value.length > Sketch.MOST_BYTES ? Outcome.Rejected.CORRUPT_SKETCH : null;
  }

  /** Returns the value, no bytes if there is none, or null if it has no text. */
  private static byte @Nullable [] bytesOrEmpty(Current current) {
    return current.exists() ? current.bytes() : new byte[0];
  }

  private static Transition wrongType() {
    return Transition.nothing(Outcome.Rejected.WRONG_TYPE);
  }

  /** Answers, as a use of the entry if there is one. */
  private static Transition answer(Current current, Outcome outcome) {
    return current.exists() ? Transition.access(outcome) : Transition.nothing(outcome);
  }

  private static long expiryOf(Current current) {
    return current.exists() ? current.expireAtMillis() : Expiry.NONE;
  }
}
