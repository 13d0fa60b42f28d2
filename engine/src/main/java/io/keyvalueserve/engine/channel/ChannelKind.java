package io.keyvalueserve.engine.channel;

/** The kinds of names that a client can subscribe to. */
public enum ChannelKind {
  /** A channel. */
  CHANNEL(1),
  /** A pattern of channels' names. */
  PATTERN(2),
  /** A channel of {@code SPUBLISH}. Patterns do not match it. */
  SHARD(3);

  private final int code;

  ChannelKind(int code) {
    this.code = code;
  }

  /** Returns the number that messages between members have for it. */
  public int code() {
    return code;
  }

  /**
   * Returns the kind that has this code.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static ChannelKind ofCode(int code) {
    for (ChannelKind kind : values()) {
      if (kind.code == code) {
        return kind;
      }
    }
    throw new IllegalArgumentException("no kind of channel: code=" + code);
  }
}
