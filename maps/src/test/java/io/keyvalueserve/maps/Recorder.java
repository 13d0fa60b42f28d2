package io.keyvalueserve.maps;

import com.hazelcast.core.EntryEvent;
import com.hazelcast.map.MapEvent;
import com.hazelcast.map.listener.EntryAddedListener;
import com.hazelcast.map.listener.EntryEvictedListener;
import com.hazelcast.map.listener.EntryExpiredListener;
import com.hazelcast.map.listener.EntryLoadedListener;
import com.hazelcast.map.listener.EntryMergedListener;
import com.hazelcast.map.listener.EntryRemovedListener;
import com.hazelcast.map.listener.EntryUpdatedListener;
import com.hazelcast.map.listener.MapClearedListener;
import com.hazelcast.map.listener.MapEvictedListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A listener that writes every event down as {@code TYPE key old -> new}. */
final class Recorder<V>
    implements EntryAddedListener<String, V>,
        EntryUpdatedListener<String, V>,
        EntryRemovedListener<String, V>,
        EntryEvictedListener<String, V>,
        EntryExpiredListener<String, V>,
        EntryLoadedListener<String, V>,
        EntryMergedListener<String, V>,
        MapClearedListener,
        MapEvictedListener {
  private final List<String> events = new CopyOnWriteArrayList<>();

  List<String> events() {
    return List.copyOf(events);
  }

  long count(String type) {
    return events.stream().filter(event -> event.startsWith(type + " ")).count();
  }

  private void record(EntryEvent<String, V> event) {
    events.add(
        event.getEventType()
            + " "
            + event.getKey()
            + " "
            + event.getOldValue()
            + " -> "
            + event.getValue());
  }

  private void record(MapEvent event) {
    events.add(event.getEventType() + " " + event.getNumberOfEntriesAffected());
  }

  @Override
  public void entryAdded(EntryEvent<String, V> event) {
    record(event);
  }

  @Override
  public void entryUpdated(EntryEvent<String, V> event) {
    record(event);
  }

  @Override
  public void entryRemoved(EntryEvent<String, V> event) {
    record(event);
  }

  @Override
  public void entryEvicted(EntryEvent<String, V> event) {
    record(event);
  }

  @Override
  public void entryExpired(EntryEvent<String, V> event) {
    record(event);
  }

  @Override
  public void entryLoaded(EntryEvent<String, V> event) {
    record(event);
  }

  @Override
  public void entryMerged(EntryEvent<String, V> event) {
    record(event);
  }

  @Override
  public void mapCleared(MapEvent event) {
    record(event);
  }

  @Override
  public void mapEvicted(MapEvent event) {
    record(event);
  }
}
