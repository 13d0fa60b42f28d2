package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.MapContainsKeyCodec;
import com.hazelcast.client.impl.protocol.codec.MapGetCodec;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.impl.HeapData;
import io.keyvalueserve.grid.link.Passenger;
import io.keyvalueserve.maps.LocalMap;
import org.jspecify.annotations.Nullable;

/** A client's read on its way to another member. */
final class RemoteRead implements Passenger<ReadAnswers.Answer> {
  /** The bytes of a part of a message, besides its key. */
  private static final long PART_BYTES = 16;

  private final ClientMessage request;
  private final RemoteReads reads;
  private final String map;
  private final byte[] key;

  private RemoteRead(ClientMessage request, RemoteReads reads, String map, Data key) {
    this.request = request;
    this.reads = reads;
    this.map = map;
    this.key = key.toByteArray();
  }

  /**
   * Reads a request for an entry.
   *
   * @param request of {@link DirectRequest#GET} or {@link DirectRequest#CONTAINS}
   */
  static RemoteRead of(ClientMessage request, RemoteReads reads) {
    if (request.getMessageType() == DirectRequest.GET) {
      MapGetCodec.RequestParameters get = MapGetCodec.decodeRequest(request);
      return new RemoteRead(request, reads, get.name, get.key);
    }
    MapContainsKeyCodec.RequestParameters contains = MapContainsKeyCodec.decodeRequest(request);
    return new RemoteRead(request, reads, contains.name, contains.key);
  }

  String map() {
    return map;
  }

  int partition() {
    return request.getPartitionId();
  }

  byte[] key() {
    return key;
  }

  /** Returns whether the value is wanted. Otherwise only its presence is. */
  boolean wantsValue() {
    return request.getMessageType() == DirectRequest.GET;
  }

  @Override
  public long bytes() {
    return PART_BYTES + key.length;
  }

  @Override
  public void sendAlone() {
    reads.sendAlone(request);
  }

  @Override
  public void failedTogether(@Nullable Throwable failure) {
    reads.sendAlone(request); // a read may be done twice
  }

  @Override
  public void answeredTogether(ReadAnswers.Answer answer) {
    if (answer.length() == LocalMap.NOT_NOW) {
      reads.sendAlone(request);
      return;
    }
    byte[] value = answer.value();
    ClientMessage reply =
        wantsValue()
            ? MapGetCodec.encodeResponse(value == null ? null : new HeapData(value))
            : MapContainsKeyCodec.encodeResponse(answer.length() != LocalMap.MISSING);
    reply.setCorrelationId(request.getCorrelationId());
    reads.countAnswered();
    boolean _ = request.getConnection().write(reply); // false: the client has gone
  }
}
