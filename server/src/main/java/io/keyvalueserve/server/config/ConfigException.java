package io.keyvalueserve.server.config;

import java.util.List;

/** A configuration with mistakes: all of them, each with its path and its remedy. */
public final class ConfigException extends RuntimeException {
  private final List<String> mistakes;

  ConfigException(List<String> mistakes) {
    super(
        "the configuration has mistakes:\n  " + String.join("\n  ", mistakes), null, false, false);
    this.mistakes = List.copyOf(mistakes);
  }

  /** Each mistake: {@code path: what is wrong and what to do}. */
  public List<String> mistakes() {
    return mistakes;
  }
}
