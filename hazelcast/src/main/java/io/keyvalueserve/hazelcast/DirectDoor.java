package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.protocol.codec.MapContainsKeyCodec;
import com.hazelcast.client.impl.protocol.codec.MapGetAllCodec;
import com.hazelcast.client.impl.protocol.codec.MapGetCodec;
import com.hazelcast.client.impl.protocol.codec.MapPutCodec;
import com.hazelcast.client.impl.protocol.codec.MapSetCodec;
import io.keyvalueserve.hazelcast.DirectMaps.Reached;
import io.keyvalueserve.maps.LocalMap;
import io.keyvalueserve.tenancy.grant.Rights;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;

/**
 * The short way through the door: answers a request on the thread that read it, from the map's own
 * memory, or does nothing and says so; then the request goes Hazelcast's way, which also is where
 * refusals are worded. Thread-safe.
 *
 * <p>A client that has an acknowledged write and then reads finds it: the answer to the write was
 * sent after the write was done, and the read begins after the client had that answer. What a
 * client sends without waiting keeps its order by {@link UnansweredMessages}.
 */
final class DirectDoor {
  /**
   * The bytes of an answer to a read of many keys after which the request goes the long way, which
   * bounds such reads.
   */
  private static final int MOST_GET_ALL_BYTES = 512 << 10;

  private final BiFunction<String, Integer, AnsweringMap> maps;
  private final int partitions;
  private final ForeignTypes foreignTypes;
  private final BooleanSupplier open;
  private final LongAdder answered = new LongAdder();

  /**
   * @param maps the grid's maps by the grid's names
   * @param partitions how many the grid has
   * @param open whether the member serves at the moment
   */
  DirectDoor(
      BiFunction<String, Integer, AnsweringMap> maps,
      int partitions,
      ForeignTypes foreignTypes,
      BooleanSupplier open) {
    this.maps = maps;
    this.partitions = partitions;
    this.foreignTypes = foreignTypes;
    this.open = open;
  }

  /** One that answers nothing. */
  static DirectDoor closed(ForeignTypes foreignTypes) {
    return new DirectDoor(
        (name, tenant) -> {
          throw new IllegalStateException("the short way is closed");
        },
        0,
        foreignTypes,
        () -> false);
  }

  /** Returns whether direct answers are to be tried at all. */
  boolean isOpen() {
    return open.getAsBoolean();
  }

  BiFunction<String, Integer, AnsweringMap> maps() {
    return maps;
  }

  /** Returns the number of requests that were answered directly, since the member started. */
  long answered() {
    return answered.sum();
  }

  void countAnswered(long count) {
    answered.add(count);
  }

  /**
   * Answers a request.
   *
   * @param request a whole one
   * @param maps those of the session that sent it
   * @param reply gets the answer
   * @return whether it did; if not, nothing was done and {@code reply} has nothing more than before
   */
  boolean answer(DirectRequest request, DirectMaps maps, ReplyFrame reply) {
    int partition = request.partition();
    if (partition < 0 || partition >= partitions) {
      return false;
    }
    Reached reached = maps.find(request.bytes(), request.nameOffset(), request.nameLength());
    if (reached == null || hasForeign(request) || !isGranted(request, reached, maps)) {
      return false;
    }
    AnsweringMap map = reached.map();
    int type = request.type();
    if (type == DirectRequest.GET) {
      return get(request, partition, map, reply);
    }
    if (type == DirectRequest.SET) {
      return set(request, partition, map, reply);
    }
    if (type == DirectRequest.PUT) {
      return put(request, partition, map, reply);
    }
    return type == DirectRequest.CONTAINS
        ? contains(request, partition, map, reply)
        : getAll(request, partition, map, reply);
  }

  private boolean hasForeign(DirectRequest request) {
    byte[] bytes = request.bytes();
    int type = request.type();
    if (type == DirectRequest.GET_ALL) {
      return false; // each key is looked at in its turn
    }
    return foreignTypes.isForeign(bytes, request.keyOffset(), request.keyLength())
        || ((type == DirectRequest.PUT || type == DirectRequest.SET)
            && foreignTypes.isForeign(bytes, request.valueOffset(), request.valueLength()));
  }

  /** Returns whether the rights that a request on another tenant's map needs are granted. */
  private boolean isGranted(DirectRequest request, Reached reached, DirectMaps maps) {
    if (reached.access() == null) {
      return true;
    }
    Placed placed = new Placed(request.partition(), partitions);
    byte[] bytes = request.bytes();
    MapNeed need = request.descriptor().need();
    if (need == null) {
      return false;
    }
    Rights rights = need.rights();
    if (need.on() == MapNeed.On.KEY) {
      return placed.isRight(bytes, request.keyOffset(), request.keyLength())
          && maps.allows(reached, rights, bytes, request.keyOffset(), request.keyLength());
    }
    for (int i = 0; i < request.keyCount(); i++) {
      if (i == 0) {
        request.firstKey();
      } else {
        request.nextKey();
      }
      if (!placed.isRight(bytes, request.keyOffset(), request.keyLength())
          || !maps.allows(reached, rights, bytes, request.keyOffset(), request.keyLength())) {
        return false;
      }
    }
    return true;
  }

  private static boolean get(
      DirectRequest request, int partition, AnsweringMap map, ReplyFrame reply) {
    reply.begin(MapGetCodec.RESPONSE_MESSAGE_TYPE, FrameLayout.ANSWER_BYTES, request.correlation());
    int length =
        map.get(partition, request.bytes(), request.keyOffset(), request.keyLength(), reply);
    return endWithValue(length, reply);
  }

  private static boolean put(
      DirectRequest request, int partition, AnsweringMap map, ReplyFrame reply) {
    reply.begin(MapPutCodec.RESPONSE_MESSAGE_TYPE, FrameLayout.ANSWER_BYTES, request.correlation());
    int length =
        map.put(
            partition,
            request.bytes(),
            request.keyOffset(),
            request.keyLength(),
            request.valueOffset(),
            request.valueLength(),
            reply);
    return endWithValue(length, reply);
  }

  private static boolean endWithValue(int length, ReplyFrame reply) {
    if (length == LocalMap.NOT_NOW) {
      return false;
    }
    if (length == LocalMap.MISSING) {
      reply.marker(FrameLayout.NULL);
    } else {
      reply.data(length);
    }
    reply.end();
    return true;
  }

  private static boolean set(
      DirectRequest request, int partition, AnsweringMap map, ReplyFrame reply) {
    if (!map.set(
        partition,
        request.bytes(),
        request.keyOffset(),
        request.keyLength(),
        request.valueOffset(),
        request.valueLength())) {
      return false;
    }
    reply.begin(MapSetCodec.RESPONSE_MESSAGE_TYPE, FrameLayout.ANSWER_BYTES, request.correlation());
    reply.end();
    return true;
  }

  private static boolean contains(
      DirectRequest request, int partition, AnsweringMap map, ReplyFrame reply) {
    int is = map.contains(partition, request.bytes(), request.keyOffset(), request.keyLength());
    if (is == LocalMap.NOT_NOW) {
      return false;
    }
    reply.begin(
        MapContainsKeyCodec.RESPONSE_MESSAGE_TYPE,
        FrameLayout.CONTAINED_BYTES,
        request.correlation());
    reply.put(FrameLayout.CONTAINED, (byte) (is == LocalMap.MISSING ? 0 : 1));
    reply.end();
    return true;
  }

  /**
   * All or nothing: a value that cannot be had at once sends the whole request the long way, and so
   * does an answer that becomes long.
   */
  private boolean getAll(DirectRequest request, int partition, AnsweringMap map, ReplyFrame reply) {
    byte[] bytes = request.bytes();
    reply.begin(
        MapGetAllCodec.RESPONSE_MESSAGE_TYPE, FrameLayout.ANSWER_BYTES, request.correlation());
    reply.marker(FrameLayout.BEGIN);
    int start = reply.mark();
    for (int i = 0; i < request.keyCount(); i++) {
      if (i == 0) {
        request.firstKey();
      } else {
        request.nextKey();
      }
      int keyOffset = request.keyOffset();
      int keyLength = request.keyLength();
      if (foreignTypes.isForeign(bytes, keyOffset, keyLength)) {
        return false;
      }
      int undo = reply.mark();
      reply.data(bytes, keyOffset, keyLength);
      int length = map.get(partition, bytes, keyOffset, keyLength, reply);
      if (length == LocalMap.NOT_NOW) {
        return false;
      }
      if (length == LocalMap.MISSING) {
        reply.backTo(undo);
      } else {
        reply.data(length);
      }
      if (reply.mark() - start > MOST_GET_ALL_BYTES && i + 1 < request.keyCount()) {
        return false;
      }
    }
    reply.marker(FrameLayout.END);
    reply.end();
    return true;
  }
}
