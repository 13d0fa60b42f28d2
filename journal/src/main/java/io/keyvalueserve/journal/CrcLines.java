package io.keyvalueserve.journal;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;

/** Text files of lines, each after its CRC32C: {@code 1f2e3d4c words of the line}. */
final class CrcLines {
  private static final int DIGITS = 8;

  private CrcLines() {}

  /** The bytes of a line. */
  static String line(String text) {
    int crc = FrameCrc.of(text.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().toHexDigits(crc) + " " + text + "\n";
  }

  /** Returns the text of a line, without its checksum and end; nothing if it is not valid. */
  static Optional<String> text(String line) {
    if (line.length() <= DIGITS || line.charAt(DIGITS) != ' ') {
      return Optional.empty();
    }
    String text = line.substring(DIGITS + 1);
    return line(text).regionMatches(0, line, 0, DIGITS) ? Optional.of(text) : Optional.empty();
  }

  /** All of a file; bytes that are no text come out as some other character. */
  static String read(Disk disk, String name) throws IOException {
    return new String(SmallFile.read(disk, name), StandardCharsets.ISO_8859_1);
  }

  /**
   * Replaces a file, at once and for certain.
   *
   * @throws NoSpaceException if there is no space; the file is what it was
   */
  static void replace(Disk disk, String name, String text) throws IOException {
    SmallFile.replace(disk, name, text.getBytes(StandardCharsets.ISO_8859_1));
  }

  static MemorySegment bytes(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    return MemorySegment.ofArray(bytes).asSlice(0, bytes.length * ValueLayout.JAVA_BYTE.byteSize());
  }
}
