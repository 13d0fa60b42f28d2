package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.ListAddAllCodec;
import com.hazelcast.client.impl.protocol.codec.ListAddAllWithIndexCodec;
import com.hazelcast.client.impl.protocol.codec.ListCompareAndRemoveAllCodec;
import com.hazelcast.client.impl.protocol.codec.ListCompareAndRetainAllCodec;
import com.hazelcast.client.impl.protocol.codec.ListContainsAllCodec;
import com.hazelcast.client.impl.protocol.codec.MapExecuteOnKeysCodec;
import com.hazelcast.client.impl.protocol.codec.MapGetAllCodec;
import com.hazelcast.client.impl.protocol.codec.MapLoadGivenKeysCodec;
import com.hazelcast.client.impl.protocol.codec.MapPutAllCodec;
import com.hazelcast.client.impl.protocol.codec.MultiMapPutAllCodec;
import com.hazelcast.client.impl.protocol.codec.QueueAddAllCodec;
import com.hazelcast.client.impl.protocol.codec.QueueCompareAndRemoveAllCodec;
import com.hazelcast.client.impl.protocol.codec.QueueCompareAndRetainAllCodec;
import com.hazelcast.client.impl.protocol.codec.QueueContainsAllCodec;
import com.hazelcast.client.impl.protocol.codec.ReplicatedMapPutAllCodec;
import com.hazelcast.client.impl.protocol.codec.RingbufferAddAllCodec;
import com.hazelcast.client.impl.protocol.codec.SetAddAllCodec;
import com.hazelcast.client.impl.protocol.codec.SetCompareAndRemoveAllCodec;
import com.hazelcast.client.impl.protocol.codec.SetCompareAndRetainAllCodec;
import com.hazelcast.client.impl.protocol.codec.SetContainsAllCodec;
import com.hazelcast.client.impl.protocol.codec.TopicPublishAllCodec;

/** Tells for how many operations a request counts: for as many as it has keys or elements. */
final class BulkSize {
  /** The first frame, the object's name, and the two that enclose the keys or elements. */
  private static final int ENCLOSING_FRAMES = 4;

  private BulkSize() {}

  /** One for each key or element of a request on many, 1 for others. */
  static int of(ClientMessage message) {
    return switch (message.getMessageType()) {
      case MapGetAllCodec.REQUEST_MESSAGE_TYPE,
          MapLoadGivenKeysCodec.REQUEST_MESSAGE_TYPE,
          QueueAddAllCodec.REQUEST_MESSAGE_TYPE,
          QueueCompareAndRemoveAllCodec.REQUEST_MESSAGE_TYPE,
          QueueCompareAndRetainAllCodec.REQUEST_MESSAGE_TYPE,
          QueueContainsAllCodec.REQUEST_MESSAGE_TYPE,
          ListAddAllCodec.REQUEST_MESSAGE_TYPE,
          ListAddAllWithIndexCodec.REQUEST_MESSAGE_TYPE,
          ListCompareAndRemoveAllCodec.REQUEST_MESSAGE_TYPE,
          ListCompareAndRetainAllCodec.REQUEST_MESSAGE_TYPE,
          ListContainsAllCodec.REQUEST_MESSAGE_TYPE,
          SetAddAllCodec.REQUEST_MESSAGE_TYPE,
          SetCompareAndRemoveAllCodec.REQUEST_MESSAGE_TYPE,
          SetCompareAndRetainAllCodec.REQUEST_MESSAGE_TYPE,
          SetContainsAllCodec.REQUEST_MESSAGE_TYPE,
          RingbufferAddAllCodec.REQUEST_MESSAGE_TYPE,
          TopicPublishAllCodec.REQUEST_MESSAGE_TYPE ->
          Math.max(1, frames(message) - ENCLOSING_FRAMES);
      case MapExecuteOnKeysCodec.REQUEST_MESSAGE_TYPE -> // and the processor
          Math.max(1, frames(message) - ENCLOSING_FRAMES - 1);
      case MultiMapPutAllCodec.REQUEST_MESSAGE_TYPE -> Math.max(1, valuesByKeys(message));
      case MapPutAllCodec.REQUEST_MESSAGE_TYPE, ReplicatedMapPutAllCodec.REQUEST_MESSAGE_TYPE ->
          Math.max(1, (frames(message) - ENCLOSING_FRAMES) / 2);
      default -> 1;
    };
  }

  /** Each key is followed by a list of its values: {@code BEGIN (key BEGIN value* END)* END}. */
  private static int valuesByKeys(ClientMessage message) {
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
