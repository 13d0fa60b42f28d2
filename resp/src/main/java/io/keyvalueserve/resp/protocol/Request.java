package io.keyvalueserve.resp.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyvalueserve.engine.StagedValue;
import org.jspecify.annotations.Nullable;

/**
 * A command as it came: its name and its arguments, as bytes. Whoever gets it owns the arrays; they
 * are not changed by anyone.
 *
 * <p>One argument may be {@linkplain #staged staged}: then it is where it may stay, and is copied
 * into an array when that is asked for. Whoever is done with the request {@link #discard}s it.
 */
public final class Request implements Arguments {
  private static final int OVERHEAD_BYTES = 48;
  private static final int ARGUMENT_OVERHEAD_BYTES = 24;

  /** The stand-in for the argument that is staged. */
  static final byte[] ELSEWHERE = {};

  private static final byte[] STAND_IN = {};

  private static final byte[][] NONE = {};

  /** Empty if there are many. */
  private final byte[][] arguments;

  private final @Nullable ManyArguments many;
  private final long sizeBytes;
  private final long heldBytes;
  private @Nullable StagedValue staged;
  private long tooLong;

  /**
   * @param arguments the name and the arguments, at least one
   */
  public Request(byte[]... arguments) {
    this(0, arguments, null);
  }

  /**
   * @param heldBytes what room was taken for
   * @param arguments the name and the arguments, at least one; {@link #ELSEWHERE} is that which is
   *     staged
   * @param staged null if none is
   */
  Request(long heldBytes, byte[][] arguments, @Nullable StagedValue staged) {
    this.heldBytes = heldBytes;
    this.staged = staged;
    if (arguments.length == 0) {
      throw new IllegalArgumentException("a request has a name");
    }
    this.arguments = arguments;
    this.many = null;
    long size = OVERHEAD_BYTES;
    if (staged != null) {
      size += staged.length();
    }
    for (byte[] argument : arguments) {
      size += ARGUMENT_OVERHEAD_BYTES + argument.length;
    }
    this.sizeBytes = size;
  }

  /** Creates a request of many arguments, none of which is staged. */
  Request(long heldBytes, ManyArguments many) {
    this.heldBytes = heldBytes;
    this.arguments = NONE;
    this.many = many;
    this.sizeBytes = many.bytes() + argumentOverheadBytes(many.count());
  }

  /** Returns the memory that so many arguments take beside their bytes. */
  static long argumentOverheadBytes(int count) {
    return OVERHEAD_BYTES + (long) ARGUMENT_OVERHEAD_BYTES * count;
  }

  /** Says that an argument was passed over, as it is so long; it is empty here. */
  void setTooLong(long bytes) {
    tooLong = bytes;
  }

  /** The length of an argument that was passed over, as it is too long; 0 if none was. */
  public long tooLong() {
    return tooLong;
  }

  @Override
  public int count() {
    return many == null ? arguments.length : many.count();
  }

  @Override
  public byte[] array(int index) {
    return many == null ? argument(index) : many.array(index);
  }

  @Override
  public int offset(int index) {
    return many == null ? 0 : many.offset(index);
  }

  @Override
  public int length(int index) {
    return many == null ? argument(index).length : many.length(index);
  }

  @Override
  public boolean isElsewhere(int index) {
    return many == null && isElsewhere(arguments[index]);
  }

  /** The argument at an index; the name is at 0. */
  public byte[] argument(int index) {
    if (many != null) {
      return many.argument(index);
    }
    byte[] argument = arguments[index];
    return isElsewhere(argument) ? unstage(index) : argument;
  }

  @SuppressWarnings("ReferenceEquality") // an empty argument of a client's is another
  private static boolean isElsewhere(byte[] argument) {
    return argument == ELSEWHERE;
  }

  /** Returns whether this is the stand-in that {@link #head} has for the staged argument. */
  @SuppressWarnings("ReferenceEquality") // as above
  public static boolean isStandIn(byte[] argument) {
    return argument == STAND_IN;
  }

  /** Takes the argument that is staged over, which is missing until it is {@link #giveStaged}. */
  public @Nullable StagedValue takeStaged() {
    StagedValue value = staged;
    staged = null;
    return value;
  }

  /**
   * Has the argument that was {@linkplain #takeStaged taken} back, or another of the same bytes.
   */
  public void giveStaged(StagedValue value) {
    staged = value;
  }

  /** The argument that is staged; null if none is, or none any more. */
  public @Nullable StagedValue staged() {
    return staged;
  }

  /** Returns this request with a stand-in ({@link #isStandIn}) for the argument that is staged. */
  public Request head() {
    if (many != null) {
      return this;
    }
    byte[][] all = arguments.clone();
    for (int i = 0; i < all.length; i++) {
      if (isElsewhere(all[i])) {
        all[i] = STAND_IN;
      }
    }
    return new Request(all);
  }

  private byte[] unstage(int index) {
    StagedValue value = staged;
    if (value == null) {
      throw new IllegalStateException("the argument was written or discarded");
    }
    byte[] bytes = new byte[value.length()];
    value.room().get(bytes);
    arguments[index] = bytes;
    discard();
    return bytes;
  }

  /** Gives back the room of the argument that is staged, unless it has been written. Idempotent. */
  public void discard() {
    StagedValue value = staged;
    if (value != null) {
      staged = null;
      value.discard();
    }
  }

  /** About how much memory it takes, in bytes. */
  public long sizeBytes() {
    return sizeBytes;
  }

  /**
   * Returns the room that was taken for it, see {@link LargeValueRoom}; to be given back when it is
   * done.
   */
  public long heldBytes() {
    return heldBytes;
  }

  /** The argument as text in UTF-8. */
  public String text(int index) {
    return new String(argument(index), UTF_8);
  }

  /** The argument as text of one character for each byte. */
  public String latin(int index) {
    return new String(argument(index), ISO_8859_1);
  }

  /**
   * Returns whether the argument is this word, in any case.
   *
   * @param word in upper-case ASCII
   */
  public boolean is(int index, String word) {
    byte[] argument = argument(index);
    if (argument.length != word.length()) {
      return false;
    }
    for (int i = 0; i < argument.length; i++) {
      int b = argument[i];
      int upper = b >= 'a' && b <= 'z' ? b - ('a' - 'A') : b;
      if (upper != word.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}
