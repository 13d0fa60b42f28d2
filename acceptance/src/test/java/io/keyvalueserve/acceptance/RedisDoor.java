package io.keyvalueserve.acceptance;

import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;

/** Redis clients, as they come, against one of our members. */
final class RedisDoor {
  private static final int PATIENCE_MS = 15_000;

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
}
