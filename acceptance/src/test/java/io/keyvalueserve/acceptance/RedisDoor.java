package io.keyvalueserve.acceptance;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Response;

/** Redis clients, as they come, against one of our members. */
final class RedisDoor {
  private static final int PATIENCE_MS = 30_000;

  private RedisDoor() {}

  /** Jedis with one connection, authenticated, on the given map. */
  static Jedis jedis(KvsProcess member, Tenant tenant, String map) {
    return new Jedis(
        new HostAndPort("127.0.0.1", member.respPort()),
        DefaultJedisClientConfig.builder()
            .user(tenant.name() + "/" + map)
            .password(tenant.accessKey())
            .connectionTimeoutMillis(PATIENCE_MS)
            .socketTimeoutMillis(PATIENCE_MS)
            .build());
  }

  /** The keys that the member does not give back as they were written. */
  static List<String> missing(
      KvsProcess member, Tenant tenant, String map, Map<String, String> written) {
    List<String> missing = new ArrayList<>();
    List<String> keys = List.copyOf(written.keySet());
    try (Jedis jedis = jedis(member, tenant, map)) {
      for (int from = 0; from < keys.size(); from += 1_000) {
        List<String> batch = keys.subList(from, Math.min(keys.size(), from + 1_000));
        Map<String, Response<String>> read = new HashMap<>();
        try (Pipeline pipeline = jedis.pipelined()) {
          batch.forEach(key -> read.put(key, pipeline.get(key)));
        }
        for (String key : batch) {
          String found = Objects.requireNonNull(read.get(key)).get();
          if (!Objects.equals(found, written.get(key))) {
            missing.add(key + " is " + found);
          }
        }
      }
    }
    return missing;
  }
}
