package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.ClientMessageReader;
import com.hazelcast.client.impl.protocol.ClientMessageWriter;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.hazelcast.internal.util.HashUtil;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Messages as bytes, by Hazelcast's own codecs. */
final class Messages {
  static final int PARTITIONS = 271;

  private static final InternalSerializationService SERIALIZATION =
      new DefaultSerializationServiceBuilder().build();

  private Messages() {}

  static Data data(Object object) {
    return SERIALIZATION.toData(object);
  }

  static int partition(Data key) {
    return HashUtil.hashToIndex(key.getPartitionHash(), PARTITIONS);
  }

  /** A request with its correlation id and partition. */
  static byte[] request(ClientMessage message, long correlation, int partition) {
    message.setCorrelationId(correlation);
    message.setPartitionId(partition);
    return bytes(message);
  }

  /** An answer with its correlation id. */
  static byte[] answer(ClientMessage message, long correlation) {
    message.setCorrelationId(correlation);
    return bytes(message);
  }

  static byte[] bytes(ClientMessage message) {
    ByteBuffer buffer = ByteBuffer.allocate(message.getBufferLength());
    if (!new ClientMessageWriter().writeTo(buffer, message)) {
      throw new IllegalStateException("the message is longer than it says");
    }
    return buffer.array();
  }

  /** All messages in some bytes. */
  static List<ClientMessage> read(byte[] bytes) {
    List<ClientMessage> all = new ArrayList<>();
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining()) {
      ClientMessageReader reader = new ClientMessageReader(Integer.MAX_VALUE);
      if (!reader.readFrom(buffer, true)) {
        throw new IllegalStateException("the bytes end within a message");
      }
      all.add(reader.getClientMessage());
    }
    return all;
  }

  static byte[] join(List<byte[]> parts) {
    ByteBuffer all = ByteBuffer.allocate(parts.stream().mapToInt(part -> part.length).sum());
    parts.forEach(all::put);
    return all.array();
  }
}
