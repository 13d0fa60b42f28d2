package io.keyvalueserve.server.http;

import io.helidon.common.buffers.DataReader;
import io.helidon.http.DirectHandler.EventType;
import io.helidon.http.RequestException;
import java.util.HexFormat;
import java.util.function.Supplier;

/**
 * Reads requests for the parser. In a body of chunks it takes lines that have a chunk's size as RFC
 * 9112, section 7.1 has them: extensions are passed over, and what is no size is a bad request.
 *
 * <p>One thread uses it.
 */
final class RequestReader extends DataReader {
  private static final int MOST_DIGITS = 8;

  private boolean atSizes;

  @SuppressWarnings("removal") // the factory that is to stay makes no subclass
  RequestReader(Supplier<byte[]> source) {
    super(source);
  }

  /**
   * Notes that a request's headers are complete.
   *
   * @param hasChunks whether its body comes in chunks
   */
  void headersRead(boolean hasChunks) {
    atSizes = hasChunks;
  }

  @Override
  public String readLine() {
    if (!atSizes) {
      return super.readLine();
    }
    String size;
    try {
      size = sizeIn(super.readLine());
    } catch (IncorrectNewLineException e) {
      throw refused();
    }
    atSizes = !isZero(size); // the line that ends the body follows the last size
    return size;
  }

  private static String sizeIn(String line) {
    int digits = 0;
    while (digits < line.length() && HexFormat.isHexDigit(line.charAt(digits))) {
      digits++;
    }
    int end = digits;
    while (end < line.length() && isSpace(line.charAt(end))) {
      end++;
    }
    boolean ends = end == line.length() || line.charAt(end) == ';';
    if (digits == 0 || digits > MOST_DIGITS || !ends) {
      throw refused();
    }
    return line.substring(0, digits);
  }

  private static boolean isSpace(char character) {
    return character == ' ' || character == '\t';
  }

  private static boolean isZero(String size) {
    return size.chars().allMatch(digit -> digit == '0');
  }

  private static RequestException refused() {
    return RequestException.builder()
        .type(EventType.BAD_REQUEST)
        .setKeepAlive(false)
        .message("a chunk's size is no hexadecimal number")
        .build();
  }
}
