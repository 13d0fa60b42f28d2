package io.keyvalueserve.gateway.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A command as it came: its name and its arguments, as bytes. Whoever gets it owns the arrays; they
 * are not changed by anyone.
 */
public final class Request {
  private static final int OVERHEAD_BYTES = 48;
  private static final int ARGUMENT_OVERHEAD_BYTES = 24;

  private final byte[][] arguments;
  private final long sizeBytes;
  private final long heldBytes;

  /**
   * @param arguments the name and the arguments, at least one
   */
  public Request(byte[]... arguments) {
    this(0, arguments);
  }

  /**
   * @param heldBytes what room was taken for
   * @param arguments the name and the arguments, at least one
   */
  Request(long heldBytes, byte[][] arguments) {
    this.heldBytes = heldBytes;
    if (arguments.length == 0) {
      throw new IllegalArgumentException("a request has a name");
    }
    this.arguments = arguments;
    long size = OVERHEAD_BYTES;
    for (byte[] argument : arguments) {
      size += ARGUMENT_OVERHEAD_BYTES + argument.length;
    }
    this.sizeBytes = size;
  }

  /** How many arguments there are, the name included. */
  public int count() {
    return arguments.length;
  }

  /** The argument at an index; the name is at 0. */
  public byte[] argument(int index) {
    return arguments[index];
  }

  /** About how much memory it takes, in bytes. */
  public long sizeBytes() {
    return sizeBytes;
  }

  /**
   * How much room was taken for it, see {@link LargeValueRoom}; to be given back when it is done.
   */
  public long heldBytes() {
    return heldBytes;
  }

  /** The argument as text in UTF-8. */
  public String text(int index) {
    return new String(arguments[index], UTF_8);
  }

  /** The argument as text of one character for each byte. */
  public String latin(int index) {
    return new String(arguments[index], ISO_8859_1);
  }

  /**
   * Whether the argument is this word, in whatever case.
   *
   * @param word in upper-case ASCII
   */
  public boolean is(int index, String word) {
    byte[] argument = arguments[index];
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
