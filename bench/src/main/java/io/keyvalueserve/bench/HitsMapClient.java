package io.keyvalueserve.bench;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** A tenant of a map that all tenants share, each with keys that begin with its name. */
final class HitsMapClient implements HitsClient {
  private final IMap<String, byte[]> map;
  private final String prefix;
  private final byte[] value;

  /** Uses a client that somebody else ends. */
  HitsMapClient(HazelcastInstance client, String map, String prefix, int valueBytes) {
    this.map = client.getMap(map);
    this.prefix = prefix;
    this.value = Load.text(valueBytes).getBytes(StandardCharsets.ISO_8859_1);
  }

  @Override
  public int ask(int[] keys) {
    List<CompletionStage<byte[]>> asked = new ArrayList<>();
    for (int key : keys) {
      asked.add(map.getAsync(prefix + Load.key(key)));
    }
    List<CompletionStage<Void>> written = new ArrayList<>();
    for (int i = 0; i < keys.length; i++) {
      if (asked.get(i).toCompletableFuture().join() == null) {
        written.add(map.setAsync(prefix + Load.key(keys[i]), value));
      }
    }
    written.forEach(each -> each.toCompletableFuture().join());
    return keys.length - written.size();
  }

  @Override
  public void close() {
    // the client is everybody's
  }
}
