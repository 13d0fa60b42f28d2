package io.keyvalueserve.maps.index;

/**
 * Strings as bytes with the order of {@link String#compareTo}, which is that of their UTF-16 units:
 * each unit, plus one, as UTF-8 has it, and a zero at the end.
 */
final class TextCode {
  private static final int ONE_BYTE = 0x80;
  private static final int TWO_BYTES = 0x800;
  private static final int THREE_BYTES = 0x10000;

  private TextCode() {}

  static void put(String text, CodeWriter out) {
    for (int i = 0; i < text.length(); i++) {
      int unit = text.charAt(i) + 1;
      if (unit < ONE_BYTE) {
        out.put(unit);
      } else if (unit < TWO_BYTES) {
        out.put(0xC0 | (unit >> 6));
        out.put(0x80 | (unit & 0x3F));
      } else if (unit < THREE_BYTES) {
        out.put(0xE0 | (unit >> 12));
        out.put(0x80 | ((unit >> 6) & 0x3F));
        out.put(0x80 | (unit & 0x3F));
      } else {
        out.put(0xF0);
        out.put(0x90);
        out.put(0x80);
        out.put(0x80);
      }
    }
    out.put(0);
  }

  static String get(CodeReader in) {
    StringBuilder text = new StringBuilder();
    for (int first = in.get(); first != 0; first = in.get()) {
      int unit;
      if (first < 0xC0) {
        unit = first;
      } else if (first < 0xE0) {
        unit = ((first & 0x1F) << 6) | (in.get() & 0x3F);
      } else if (first < 0xF0) {
        int second = in.get() & 0x3F;
        unit = ((first & 0xF) << 12) | (second << 6) | (in.get() & 0x3F);
      } else {
        in.skip(3);
        unit = THREE_BYTES;
      }
      text.append((char) (unit - 1));
    }
    return text.toString();
  }

  static void skip(CodeReader in) {
    in.skipThrough(0xFF, 0);
  }
}
