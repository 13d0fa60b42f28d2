package io.keyvalueserve.grid.door;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.MapExecuteOnKeysCodec;
import com.hazelcast.client.impl.protocol.codec.MapGetAllCodec;
import com.hazelcast.client.impl.protocol.codec.MapPutAllCodec;

/** For how many operations a request counts. */
final class BulkSize {
  /** The first frame, the map's name, and the two that enclose the keys. */
  private static final int ENCLOSING_FRAMES = 4;

  private BulkSize() {}

  /** One for each key of a request on many keys, 1 for others. */
  static int of(ClientMessage message) {
    return switch (message.getMessageType()) {
      case MapGetAllCodec.REQUEST_MESSAGE_TYPE -> Math.max(1, frames(message) - ENCLOSING_FRAMES);
      case MapExecuteOnKeysCodec.REQUEST_MESSAGE_TYPE -> // and the processor
          Math.max(1, frames(message) - ENCLOSING_FRAMES - 1);
      case MapPutAllCodec.REQUEST_MESSAGE_TYPE ->
          Math.max(1, (frames(message) - ENCLOSING_FRAMES) / 2);
      default -> 1;
    };
  }

  private static int frames(ClientMessage message) {
    int count = 0;
    for (ClientMessage.Frame frame = message.getStartFrame(); frame != null; frame = frame.next) {
      count++;
    }
    return count;
  }
}
