package io.keyvalueserve.acceptance;

import com.hazelcast.collection.ItemEvent;
import com.hazelcast.collection.ItemListener;
import com.hazelcast.core.EntryAdapter;
import com.hazelcast.core.EntryEvent;
import com.hazelcast.core.HazelcastInstance;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Listens, as one tenant, to everything that a client can listen to under one name. It notes each
 * value it hears with the kind of structure: {@code queue acme-1}.
 */
final class Eavesdropper {
  /** Kinds of structures that tell of what is put into them. */
  static final Set<String> KINDS =
      Set.of("map", "queue", "set", "list", "multimap", "replicatedMap", "topic", "reliableTopic");

  private final List<String> heard = new CopyOnWriteArrayList<>();

  Eavesdropper(HazelcastInstance client, String name) {
    client.<String, String>getMap(name).addEntryListener(entries("map"), true);
    client.<String>getQueue(name).addItemListener(items("queue"), true);
    client.<String>getSet(name).addItemListener(items("set"), true);
    client.<String>getList(name).addItemListener(items("list"), true);
    client.<String, String>getMultiMap(name).addEntryListener(entries("multimap"), true);
    client.<String, String>getReplicatedMap(name).addEntryListener(entries("replicatedMap"));
    client
        .<String>getTopic(name)
        .addMessageListener(message -> heard.add("topic " + message.getMessageObject()));
    client
        .<String>getReliableTopic(name)
        .addMessageListener(message -> heard.add("reliableTopic " + message.getMessageObject()));
  }

  /** Puts the value into every structure of that name that tells of it. */
  static void speak(HazelcastInstance client, String name, String value) {
    client.<String, String>getMap(name).put("k", value);
    client.<String>getQueue(name).add(value);
    client.<String>getSet(name).add(value);
    client.<String>getList(name).add(value);
    client.<String, String>getMultiMap(name).put("k", value);
    client.<String, String>getReplicatedMap(name).put("k", value);
    client.<String>getTopic(name).publish(value);
    client.<String>getReliableTopic(name).publish(value);
  }

  List<String> heard() {
    return List.copyOf(heard);
  }

  private EntryAdapter<String, String> entries(String kind) {
    return new EntryAdapter<>() {
      @Override
      public void onEntryEvent(EntryEvent<String, String> event) {
        heard.add(kind + " " + event.getValue());
      }
    };
  }

  private ItemListener<String> items(String kind) {
    return new ItemListener<>() {
      @Override
      public void itemAdded(ItemEvent<String> event) {
        heard.add(kind + " " + event.getItem());
      }

      @Override
      public void itemRemoved(ItemEvent<String> event) {}
    };
  }
}
