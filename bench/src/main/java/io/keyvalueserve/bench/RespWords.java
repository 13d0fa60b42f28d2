package io.keyvalueserve.bench;

/** Writes commands of Redis' protocol into an array that has room for them. Not thread-safe. */
final class RespWords {
  private byte[] out = {};
  private int at;

  /** Goes on at a place of an array. */
  RespWords into(byte[] array, int begin) {
    out = array;
    at = begin;
    return this;
  }

  /** Returns where the next byte goes. */
  int end() {
    return at;
  }

  /** Begins a command; that many words have to follow. */
  RespWords command(int words) {
    return head('*', words);
  }

  /** Adds a word of ASCII. */
  RespWords word(String text) {
    head('$', text.length());
    text(text);
    return line();
  }

  /** Adds a number as it is written, without zeros before it. */
  RespWords word(long number) {
    int digits = digits(number);
    head('$', digits);
    number(number, digits);
    return line();
  }

  /**
   * Adds a word of a text and a number.
   *
   * @param width of the whole word; zeros fill it, and digits that do not fit are left out
   */
  RespWords word(String text, long number, int width) {
    head('$', width);
    text(text);
    number(number, width - text.length());
    return line();
  }

  private RespWords head(char kind, int number) {
    out[at++] = (byte) kind;
    number(number, digits(number));
    return line();
  }

  private void text(String text) {
    for (int i = 0; i < text.length(); i++) {
      out[at++] = (byte) text.charAt(i);
    }
  }

  private void number(long number, int digits) {
    at += digits;
    long rest = number;
    for (int i = 1; i <= digits; i++) {
      out[at - i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
  }

  private RespWords line() {
    out[at++] = '\r';
    out[at++] = '\n';
    return this;
  }

  private static int digits(long number) {
    int digits = 1;
    for (long rest = number / 10; rest > 0; rest /= 10) {
      digits++;
    }
    return digits;
  }
}
