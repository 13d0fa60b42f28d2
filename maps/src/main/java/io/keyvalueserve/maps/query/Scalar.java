package io.keyvalueserve.maps.query;

/**
 * Takes one attribute of a record as its bytes have it, without an object. Answers are {@link #NO},
 * {@link #YES} or {@link #UNSURE}. What takes memory takes it as an address, which is readable
 * during the call.
 */
abstract class Scalar {
  static final int NO = 0;
  static final int YES = 1;

  /** It takes objects to tell. */
  static final int UNSURE = -1;

  /** The types of numbers. */
  static final int BYTE = 0;

  static final int SHORT = 1;
  static final int INT = 2;
  static final int LONG = 3;
  static final int FLOAT = 4;
  static final int DOUBLE = 5;

  /** The number of types of numbers. */
  static final int NUMBERS = 6;

  /** Takes a null, or an attribute that is not there. */
  abstract int ofNull();

  /** Takes a whole number of a type up to {@link #LONG}. */
  abstract int ofWhole(long value, int type);

  /** Takes a number of type {@link #FLOAT} or {@link #DOUBLE}. */
  abstract int ofFraction(double value, int type);

  abstract int ofBoolean(boolean value);

  /** Takes text in UTF-8. */
  abstract int ofText(long address, int length);

  /** Takes text in UTF-8. */
  abstract int ofText(byte[] bytes, int from, int to);

  /** Takes a value that is there and none of the above. */
  abstract int ofOther();

  static int of(boolean answer) {
    return answer ? YES : NO;
  }
}
