package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.protocol.codec.ClientAddDistributedObjectListenerCodec;
import com.hazelcast.client.impl.protocol.codec.ClientAddPartitionLostListenerCodec;
import com.hazelcast.client.impl.protocol.codec.ClientRemoveDistributedObjectListenerCodec;
import com.hazelcast.client.impl.protocol.codec.ClientRemovePartitionLostListenerCodec;
import com.hazelcast.client.impl.protocol.codec.ListAddListenerCodec;
import com.hazelcast.client.impl.protocol.codec.ListRemoveListenerCodec;
import com.hazelcast.client.impl.protocol.codec.MapAddEntryListenerCodec;
import com.hazelcast.client.impl.protocol.codec.MapAddEntryListenerToKeyCodec;
import com.hazelcast.client.impl.protocol.codec.MapAddEntryListenerToKeyWithPredicateCodec;
import com.hazelcast.client.impl.protocol.codec.MapAddEntryListenerWithPredicateCodec;
import com.hazelcast.client.impl.protocol.codec.MapAddNearCacheInvalidationListenerCodec;
import com.hazelcast.client.impl.protocol.codec.MapAddPartitionLostListenerCodec;
import com.hazelcast.client.impl.protocol.codec.MapRemoveEntryListenerCodec;
import com.hazelcast.client.impl.protocol.codec.MapRemovePartitionLostListenerCodec;
import com.hazelcast.client.impl.protocol.codec.MultiMapAddEntryListenerCodec;
import com.hazelcast.client.impl.protocol.codec.MultiMapAddEntryListenerToKeyCodec;
import com.hazelcast.client.impl.protocol.codec.MultiMapRemoveEntryListenerCodec;
import com.hazelcast.client.impl.protocol.codec.QueueAddListenerCodec;
import com.hazelcast.client.impl.protocol.codec.QueueRemoveListenerCodec;
import com.hazelcast.client.impl.protocol.codec.ReplicatedMapAddEntryListenerCodec;
import com.hazelcast.client.impl.protocol.codec.ReplicatedMapAddEntryListenerToKeyCodec;
import com.hazelcast.client.impl.protocol.codec.ReplicatedMapAddEntryListenerToKeyWithPredicateCodec;
import com.hazelcast.client.impl.protocol.codec.ReplicatedMapAddEntryListenerWithPredicateCodec;
import com.hazelcast.client.impl.protocol.codec.ReplicatedMapAddNearCacheEntryListenerCodec;
import com.hazelcast.client.impl.protocol.codec.ReplicatedMapRemoveEntryListenerCodec;
import com.hazelcast.client.impl.protocol.codec.SetAddListenerCodec;
import com.hazelcast.client.impl.protocol.codec.SetRemoveListenerCodec;
import com.hazelcast.client.impl.protocol.codec.TopicAddMessageListenerCodec;
import com.hazelcast.client.impl.protocol.codec.TopicRemoveMessageListenerCodec;

/**
 * Knows which messages add listeners, and which remove them. Listeners that a client adds once and
 * that replace each other are not among them: for the cluster's members and for backups. A test
 * holds this against Hazelcast's own list of messages.
 */
final class ListenerMessages {
  /** No type of a message. */
  static final int NONE = -1;

  private static final int KIND_MASK = 0xff;
  private static final int ANSWER = 1;

  private ListenerMessages() {}

  /** The type of the request that removes what a request adds; {@link #NONE} if that adds none. */
  static int removerOf(int messageType) {
    return switch (messageType) {
      case MapAddEntryListenerCodec.REQUEST_MESSAGE_TYPE,
          MapAddEntryListenerToKeyCodec.REQUEST_MESSAGE_TYPE,
          MapAddEntryListenerToKeyWithPredicateCodec.REQUEST_MESSAGE_TYPE,
          MapAddEntryListenerWithPredicateCodec.REQUEST_MESSAGE_TYPE,
          MapAddNearCacheInvalidationListenerCodec.REQUEST_MESSAGE_TYPE ->
          MapRemoveEntryListenerCodec.REQUEST_MESSAGE_TYPE;
      case MapAddPartitionLostListenerCodec.REQUEST_MESSAGE_TYPE ->
          MapRemovePartitionLostListenerCodec.REQUEST_MESSAGE_TYPE;
      case MultiMapAddEntryListenerCodec.REQUEST_MESSAGE_TYPE,
          MultiMapAddEntryListenerToKeyCodec.REQUEST_MESSAGE_TYPE ->
          MultiMapRemoveEntryListenerCodec.REQUEST_MESSAGE_TYPE;
      case ReplicatedMapAddEntryListenerCodec.REQUEST_MESSAGE_TYPE,
          ReplicatedMapAddEntryListenerToKeyCodec.REQUEST_MESSAGE_TYPE,
          ReplicatedMapAddEntryListenerToKeyWithPredicateCodec.REQUEST_MESSAGE_TYPE,
          ReplicatedMapAddEntryListenerWithPredicateCodec.REQUEST_MESSAGE_TYPE,
          ReplicatedMapAddNearCacheEntryListenerCodec.REQUEST_MESSAGE_TYPE ->
          ReplicatedMapRemoveEntryListenerCodec.REQUEST_MESSAGE_TYPE;
      case QueueAddListenerCodec.REQUEST_MESSAGE_TYPE ->
          QueueRemoveListenerCodec.REQUEST_MESSAGE_TYPE;
      case TopicAddMessageListenerCodec.REQUEST_MESSAGE_TYPE ->
          TopicRemoveMessageListenerCodec.REQUEST_MESSAGE_TYPE;
      case ListAddListenerCodec.REQUEST_MESSAGE_TYPE ->
          ListRemoveListenerCodec.REQUEST_MESSAGE_TYPE;
      case SetAddListenerCodec.REQUEST_MESSAGE_TYPE -> SetRemoveListenerCodec.REQUEST_MESSAGE_TYPE;
      case ClientAddDistributedObjectListenerCodec.REQUEST_MESSAGE_TYPE ->
          ClientRemoveDistributedObjectListenerCodec.REQUEST_MESSAGE_TYPE;
      case ClientAddPartitionLostListenerCodec.REQUEST_MESSAGE_TYPE ->
          ClientRemovePartitionLostListenerCodec.REQUEST_MESSAGE_TYPE;
      default -> NONE;
    };
  }

  /** Returns whether a request adds a listener. */
  static boolean adds(int messageType) {
    return removerOf(messageType) != NONE;
  }

  /** Returns whether a request removes a listener. */
  static boolean removes(int messageType) {
    return switch (messageType) {
      case MapRemoveEntryListenerCodec.REQUEST_MESSAGE_TYPE,
          MapRemovePartitionLostListenerCodec.REQUEST_MESSAGE_TYPE,
          MultiMapRemoveEntryListenerCodec.REQUEST_MESSAGE_TYPE,
          ReplicatedMapRemoveEntryListenerCodec.REQUEST_MESSAGE_TYPE,
          QueueRemoveListenerCodec.REQUEST_MESSAGE_TYPE,
          TopicRemoveMessageListenerCodec.REQUEST_MESSAGE_TYPE,
          ListRemoveListenerCodec.REQUEST_MESSAGE_TYPE,
          SetRemoveListenerCodec.REQUEST_MESSAGE_TYPE,
          ClientRemoveDistributedObjectListenerCodec.REQUEST_MESSAGE_TYPE,
          ClientRemovePartitionLostListenerCodec.REQUEST_MESSAGE_TYPE ->
          true;
      default -> false;
    };
  }

  /** The type of the request that a message answers; {@link #NONE} if it is no answer. */
  static int requestOf(int messageType) {
    return (messageType & KIND_MASK) == ANSWER ? messageType - ANSWER : NONE;
  }

  /** The type of a request's answer. */
  static int answerOf(int messageType) {
    return messageType + ANSWER;
  }
}
