package io.keyvalueserve.engine.query;

/**
 * A JSON document as text.
 *
 * @param text not parsed, and perhaps malformed
 */
public record JsonText(String text) {
  @Override
  public String toString() {
    return text;
  }
}
