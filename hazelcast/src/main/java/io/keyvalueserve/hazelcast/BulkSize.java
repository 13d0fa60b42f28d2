package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.protocol.ClientMessage;

/** The ways to tell for how many operations a request counts, by what it is a request on. */
enum BulkSize {
  /** It is one operation. */
  ONE,
  /** It has a list of keys or elements: {@code BEGIN key* END}. */
  EACH,
  /** It has an entry processor, then a list of keys. */
  EACH_AFTER_PROCESSOR,
  /** It has a list of entries: {@code BEGIN (key value)* END}. */
  EACH_ENTRY,
  /**
   * It has a list of keys, each with a list of values: {@code BEGIN (key BEGIN value* END)* END}.
   */
  EACH_VALUE;

  /** The first frame, the object's name, and the two that enclose the keys or elements. */
  private static final int ENCLOSING_FRAMES = 4;

  /** Returns the number for a request, at least 1. */
  int of(ClientMessage message) {
    return switch (this) {
      case ONE -> 1;
      case EACH -> Math.max(1, frames(message) - ENCLOSING_FRAMES);
      case EACH_AFTER_PROCESSOR -> Math.max(1, frames(message) - ENCLOSING_FRAMES - 1);
      case EACH_ENTRY -> Math.max(1, (frames(message) - ENCLOSING_FRAMES) / 2);
      case EACH_VALUE -> Math.max(1, values(message));
    };
  }

  private static int values(ClientMessage message) {
    int values = -2; // the first frame and the name
    int lists = 0;
    for (ClientMessage.Frame frame = message.getStartFrame(); frame != null; frame = frame.next) {
      if (frame.isBeginFrame()) {
        lists++;
      } else if (!frame.isEndFrame()) {
        values++;
      }
    }
    return values - (lists - 1);
  }

  private static int frames(ClientMessage message) {
    int count = 0;
    for (ClientMessage.Frame frame = message.getStartFrame(); frame != null; frame = frame.next) {
      count++;
    }
    return count;
  }
}
