package io.keyvalueserve.hazelcast;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.impl.HeapData;
import io.keyvalueserve.maps.LocalMap;
import io.keyvalueserve.maps.LocalMap.DataSink;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A map of serialized entries that now and then declines, after it has begun to answer. */
final class ModelMap implements AnsweringMap {
  private final Map<Data, Data> entries = new HashMap<>();
  private final BooleanSupplier declines;

  ModelMap(BooleanSupplier declines) {
    this.declines = declines;
  }

  Map<Data, Data> entries() {
    return entries;
  }

  @Override
  public int get(int partition, byte[] bytes, int keyOffset, int keyLength, DataSink sink) {
    return answer(entries.get(data(bytes, keyOffset, keyLength)), sink, declines.getAsBoolean());
  }

  @Override
  public int contains(int partition, byte[] bytes, int keyOffset, int keyLength) {
    if (declines.getAsBoolean()) {
      return LocalMap.NOT_NOW;
    }
    return entries.containsKey(data(bytes, keyOffset, keyLength)) ? 1 : LocalMap.MISSING;
  }

  @Override
  public int put(
      int partition,
      byte[] bytes,
      int keyOffset,
      int keyLength,
      int valueOffset,
      int valueLength,
      DataSink previous) {
    Data key = data(bytes, keyOffset, keyLength);
    if (declines.getAsBoolean()) {
      return answer(entries.get(key), previous, true);
    }
    return answer(entries.put(key, data(bytes, valueOffset, valueLength)), previous, false);
  }

  @Override
  public boolean set(
      int partition, byte[] bytes, int keyOffset, int keyLength, int valueOffset, int valueLength) {
    if (declines.getAsBoolean()) {
      return false;
    }
    entries.put(data(bytes, keyOffset, keyLength), data(bytes, valueOffset, valueLength));
    return true;
  }

  private static int answer(@Nullable Data value, DataSink sink, boolean decline) {
    if (value == null) {
      return decline ? LocalMap.NOT_NOW : LocalMap.MISSING;
    }
    byte[] bytes = value.toByteArray();
    byte[] room = sink.room(bytes.length);
    System.arraycopy(bytes, 0, room, sink.offset(), bytes.length);
    return decline ? LocalMap.NOT_NOW : bytes.length;
  }

  private static Data data(byte[] bytes, int offset, int length) {
    return new HeapData(Arrays.copyOfRange(bytes, offset, offset + length));
  }
}
