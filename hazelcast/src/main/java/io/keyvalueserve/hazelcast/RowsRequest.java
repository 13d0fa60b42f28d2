package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.MapEntriesWithPredicateCodec;
import com.hazelcast.client.impl.protocol.codec.MapEntrySetCodec;
import com.hazelcast.client.impl.protocol.codec.MapKeySetCodec;
import com.hazelcast.client.impl.protocol.codec.MapKeySetWithPredicateCodec;
import com.hazelcast.client.impl.protocol.codec.MapValuesCodec;
import com.hazelcast.client.impl.protocol.codec.MapValuesWithPredicateCodec;
import com.hazelcast.internal.serialization.Data;
import io.keyvalueserve.maps.query.RowKind;
import org.jspecify.annotations.Nullable;

/**
 * A request for keys, values or entries of a map.
 *
 * @param map the name in the grid
 * @param predicate which entries; null for all
 * @param answer the type of the answer
 */
record RowsRequest(String map, @Nullable Data predicate, RowKind kind, int answer) {
  /** Returns whether a message is such a request. */
  static boolean is(ClientMessage message) {
    return switch (message.getMessageType()) {
      case MapValuesCodec.REQUEST_MESSAGE_TYPE,
          MapKeySetCodec.REQUEST_MESSAGE_TYPE,
          MapEntrySetCodec.REQUEST_MESSAGE_TYPE,
          MapValuesWithPredicateCodec.REQUEST_MESSAGE_TYPE,
          MapKeySetWithPredicateCodec.REQUEST_MESSAGE_TYPE,
          MapEntriesWithPredicateCodec.REQUEST_MESSAGE_TYPE ->
          true;
      default -> false;
    };
  }

  /** Reads a message, which {@link #is} one. */
  static RowsRequest of(ClientMessage message) {
    return switch (message.getMessageType()) {
      case MapValuesCodec.REQUEST_MESSAGE_TYPE ->
          new RowsRequest(
              MapValuesCodec.decodeRequest(message),
              null,
              RowKind.VALUES,
              MapValuesCodec.RESPONSE_MESSAGE_TYPE);
      case MapKeySetCodec.REQUEST_MESSAGE_TYPE ->
          new RowsRequest(
              MapKeySetCodec.decodeRequest(message),
              null,
              RowKind.KEYS,
              MapKeySetCodec.RESPONSE_MESSAGE_TYPE);
      case MapEntrySetCodec.REQUEST_MESSAGE_TYPE ->
          new RowsRequest(
              MapEntrySetCodec.decodeRequest(message),
              null,
              RowKind.ENTRIES,
              MapEntrySetCodec.RESPONSE_MESSAGE_TYPE);
      case MapValuesWithPredicateCodec.REQUEST_MESSAGE_TYPE -> {
        MapValuesWithPredicateCodec.RequestParameters request =
            MapValuesWithPredicateCodec.decodeRequest(message);
        yield new RowsRequest(
            request.name,
            request.predicate,
            RowKind.VALUES,
            MapValuesWithPredicateCodec.RESPONSE_MESSAGE_TYPE);
      }
      case MapKeySetWithPredicateCodec.REQUEST_MESSAGE_TYPE -> {
        MapKeySetWithPredicateCodec.RequestParameters request =
            MapKeySetWithPredicateCodec.decodeRequest(message);
        yield new RowsRequest(
            request.name,
            request.predicate,
            RowKind.KEYS,
            MapKeySetWithPredicateCodec.RESPONSE_MESSAGE_TYPE);
      }
      default -> {
        MapEntriesWithPredicateCodec.RequestParameters request =
            MapEntriesWithPredicateCodec.decodeRequest(message);
        yield new RowsRequest(
            request.name,
            request.predicate,
            RowKind.ENTRIES,
            MapEntriesWithPredicateCodec.RESPONSE_MESSAGE_TYPE);
      }
    };
  }
}
