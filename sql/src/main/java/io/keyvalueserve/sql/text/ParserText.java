package io.keyvalueserve.sql.text;

import java.util.Arrays;
import java.util.List;

/**
 * A statement as it is handed to the parser, and where its parts come from. Immutable.
 *
 * @param text for the parser
 * @param parameters for each parameter of the text in its order, its number from 0
 */
public record ParserText(String text, List<Integer> parameters, int[] places) {
  public ParserText {
    parameters = List.copyOf(parameters);
  }

  /** Returns how many parameters a client gives. */
  public int parameterCount() {
    int count = 0;
    for (int number : parameters) {
      count = Math.max(count, number + 1);
    }
    return count;
  }

  /**
   * Returns the place in the client's statement, from 1.
   *
   * @param line of this text, from 1; 0 if none is known
   * @param column in the line, from 1
   */
  public int position(int line, int column) {
    if (line < 1 || column < 1) {
      return 0;
    }
    int offset = 0;
    for (int i = 1; i < line; i++) {
      int end = text.indexOf('\n', offset);
      if (end < 0) {
        break;
      }
      offset = end + 1;
    }
    int place = Math.min(offset + column - 1, places.length - 1);
    return place < 0 ? 0 : places[place] + 1;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ParserText that
        && text.equals(that.text)
        && parameters.equals(that.parameters)
        && Arrays.equals(places, that.places);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
