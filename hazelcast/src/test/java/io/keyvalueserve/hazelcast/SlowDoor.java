package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.MapContainsKeyCodec;
import com.hazelcast.client.impl.protocol.codec.MapGetAllCodec;
import com.hazelcast.client.impl.protocol.codec.MapGetCodec;
import com.hazelcast.client.impl.protocol.codec.MapPutCodec;
import com.hazelcast.client.impl.protocol.codec.MapRemoveCodec;
import com.hazelcast.client.impl.protocol.codec.MapSetCodec;
import com.hazelcast.internal.serialization.Data;
import io.keyvalueserve.hazelcast.Structure.Placement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What the long way does, by Hazelcast's own codecs, on maps of a test. */
final class SlowDoor implements BiConsumer<FakeWire, ClientMessage> {
  private static final int ERROR = 0;

  private final Function<String, ModelMap> maps;
  private final ForeignTypes foreignTypes = DirectDoors.foreignTypes();
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private final @Nullable SplittableRandom late;

  /**
   * @param late if it is there, messages wait for a while, as for a partition's thread
   */
  SlowDoor(Function<String, ModelMap> maps, @Nullable SplittableRandom late) {
    this.maps = maps;
    this.late = late;
  }

  @Override
  public void accept(FakeWire wire, ClientMessage message) {
    if (late != null) {
      waiting.add(() -> answer(wire, message));
      run(late.nextInt(3));
    } else {
      answer(wire, message);
    }
  }

  /** Answers the oldest messages that wait. */
  void run(int count) {
    for (int i = 0; i < count && !waiting.isEmpty(); i++) {
      waiting.remove().run();
    }
  }

  private void answer(FakeWire wire, ClientMessage message) {
    if (wire.session.hasEnded()) {
      return;
    }
    ClientMessage answer;
    try {
      foreignTypes.check(message);
      wire.session.rewriter().rewriteName(message, Placement.BY_KEY, null);
      answer = execute(message);
    } catch (RuntimeException | AssertionError e) { // also what codecs make of nonsense
      answer = MapSetCodec.encodeResponse();
      answer.setMessageType(ERROR);
      answer.add(
          new ClientMessage.Frame(
              e.getClass().getName().getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    }
    answer.setCorrelationId(message.getCorrelationId());
    wire.write(answer);
  }

  private ClientMessage execute(ClientMessage message) {
    int type = message.getMessageType();
    if (type == MapGetCodec.REQUEST_MESSAGE_TYPE) {
      var request = MapGetCodec.decodeRequest(message);
      return MapGetCodec.encodeResponse(entries(request.name).get(request.key));
    }
    if (type == MapContainsKeyCodec.REQUEST_MESSAGE_TYPE) {
      var request = MapContainsKeyCodec.decodeRequest(message);
      return MapContainsKeyCodec.encodeResponse(entries(request.name).containsKey(request.key));
    }
    if (type == MapPutCodec.REQUEST_MESSAGE_TYPE) {
      var request = MapPutCodec.decodeRequest(message);
      return MapPutCodec.encodeResponse(entries(request.name).put(request.key, request.value));
    }
    if (type == MapSetCodec.REQUEST_MESSAGE_TYPE) {
      var request = MapSetCodec.decodeRequest(message);
      entries(request.name).put(request.key, request.value);
      return MapSetCodec.encodeResponse();
    }
    if (type == MapRemoveCodec.REQUEST_MESSAGE_TYPE) {
      var request = MapRemoveCodec.decodeRequest(message);
      return MapRemoveCodec.encodeResponse(entries(request.name).remove(request.key));
    }
    if (type == MapGetAllCodec.REQUEST_MESSAGE_TYPE) {
      var request = MapGetAllCodec.decodeRequest(message);
      List<Map.Entry<Data, Data>> found = new ArrayList<>();
      for (Data key : request.keys) {
        Data value = entries(request.name).get(key);
        if (value != null) {
          found.add(Map.entry(key, value));
        }
      }
      return MapGetAllCodec.encodeResponse(found);
    }
    throw new IllegalArgumentException("no such message");
  }

  private Map<Data, Data> entries(String name) {
    return maps.apply(name).entries();
  }
}
