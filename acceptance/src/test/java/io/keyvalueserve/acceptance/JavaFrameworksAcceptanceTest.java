package io.keyvalueserve.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RMap;
import org.redisson.api.RQueue;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.IntegerCodec;
import org.redisson.client.codec.StringCodec;
import org.redisson.codec.CompositeCodec;
import org.redisson.config.Config;
import org.springframework.cache.Cache;
import org.springframework.data.annotation.Id;
import org.springframework.data.redis.cache.RedisCacheConfiguration;
import org.springframework.data.redis.cache.RedisCacheManager;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.RedisHash;
import org.springframework.data.redis.core.RedisKeyValueAdapter;
import org.springframework.data.redis.core.RedisKeyValueTemplate;
import org.springframework.data.redis.core.RedisOperations;
import org.springframework.data.redis.core.SessionCallback;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.convert.MappingRedisConverter;
import org.springframework.data.redis.core.index.Indexed;
import org.springframework.data.redis.core.mapping.RedisMappingContext;
import org.springframework.data.redis.core.script.DefaultRedisScript;
import org.springframework.data.redis.listener.ChannelTopic;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;
import org.springframework.data.redis.repository.support.RedisRepositoryFactory;
import org.springframework.data.repository.CrudRepository;

/**
 * Goal: Java applications that use Redis by a framework run unchanged as one tenant. Method:
 * Redisson and Spring Data Redis do their work, as they come from Maven Central.
 */
@ExtendWith(SharedServer.class)
class JavaFrameworksAcceptanceTest {
  private static final long PATIENCE_SECONDS = 30;

  private final KvsProcess server;

  JavaFrameworksAcceptanceTest(KvsProcess server) {
    this.server = server;
  }

  private Config redisson(Tenant tenant) {
    Config config = new Config();
    config.setUsername(tenant.name()).setPassword(tenant.accessKey());
    config.setThreads(2).setNettyThreads(2);
    config
        .useSingleServer()
        .setAddress("redis://127.0.0.1:" + server.respPort())
        .setConnectionMinimumIdleSize(1)
        .setConnectionPoolSize(4)
        .setSubscriptionConnectionMinimumIdleSize(1);
    return config;
  }

  @Test
  void redissonDoesItsWork() throws Exception {
    Tenant tenant = server.admin().createTenant("frameworks-redisson");
    RedissonClient one = Redisson.create(redisson(tenant));
    RedissonClient two = Redisson.create(redisson(tenant));
    try {
      locksExclude(one, two);
      mapsAndQueues(one, two);
      limits(one);
      topics(one, two);
    } finally {
      one.shutdown(0, 1, TimeUnit.SECONDS);
      two.shutdown(0, 1, TimeUnit.SECONDS);
    }
  }

  private static void locksExclude(RedissonClient one, RedissonClient two) throws Exception {
    RLock held = one.getLock("lock");
    assertThat(held.tryLock(0, 30, TimeUnit.SECONDS)).isTrue();
    assertThat(held.tryLock(0, 30, TimeUnit.SECONDS)).as("a lock may be taken again").isTrue();
    held.unlock();
    RLock other = two.getLock("lock");
    assertThat(other.tryLock()).isFalse();
    CompletableFuture<Boolean> waiting =
        other.tryLockAsync(PATIENCE_SECONDS, 30, TimeUnit.SECONDS, 7).toCompletableFuture();
    held.unlock();
    assertThat(waiting.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(held.tryLock()).isFalse();
    other.unlockAsync(7).toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  private static void mapsAndQueues(RedissonClient one, RedissonClient two) {
    CompositeCodec numbers = new CompositeCodec(StringCodec.INSTANCE, IntegerCodec.INSTANCE);
    RMap<String, Integer> map = one.getMap("stock", numbers);
    assertThat(map.put("apples", 3)).isNull();
    assertThat(map.addAndGet("apples", 4)).isEqualTo(7);
    assertThat(map.putIfAbsent("apples", 1)).isEqualTo(7);
    RMap<String, Integer> seen = two.getMap("stock", numbers);
    assertThat(seen.readAllMap()).isEqualTo(Map.of("apples", 7));
    RQueue<String> queue = one.getQueue("jobs");
    assertThat(queue.addAll(List.of("first", "second"))).isTrue();
    RQueue<String> taken = two.getQueue("jobs");
    assertThat(List.of(taken.poll(), taken.poll())).containsExactly("first", "second");
    assertThat(taken.poll()).isNull();
  }

  private static void limits(RedissonClient client) {
    RRateLimiter limiter = client.getRateLimiter("limiter");
    assertThat(limiter.trySetRate(RateType.OVERALL, 3, Duration.ofMinutes(1))).isTrue();
    List<Boolean> answers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      answers.add(limiter.tryAcquire());
    }
    assertThat(answers).containsExactly(true, true, true, false);
  }

  private static void topics(RedissonClient one, RedissonClient two) throws Exception {
    BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    int listener =
        one.getTopic("news", StringCodec.INSTANCE)
            .addListener(String.class, (_, message) -> heard.add(message));
    assertThat(two.getTopic("news", StringCodec.INSTANCE).publish("rain")).isEqualTo(1);
    assertThat(heard.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo("rain");
    one.getTopic("news", StringCodec.INSTANCE).removeListener(listener);
  }

  @Test
  void springDataRedisDoesItsWork() throws Exception {
    Tenant tenant = server.admin().createTenant("frameworks-spring");
    RedisStandaloneConfiguration address =
        new RedisStandaloneConfiguration("127.0.0.1", server.respPort());
    address.setUsername(tenant.name());
    address.setPassword(RedisPassword.of(tenant.accessKey()));
    LettuceConnectionFactory connections = new LettuceConnectionFactory(address);
    connections.afterPropertiesSet();
    connections.start();
    try {
      StringRedisTemplate template = new StringRedisTemplate(connections);
      templates(template);
      caches(connections);
      listeners(connections, template);
      repositories(template);
    } finally {
      connections.destroy();
    }
  }

  private static void templates(StringRedisTemplate template) {
    template.opsForValue().set("greeting", "hello", Duration.ofMinutes(1));
    assertThat(template.opsForValue().get("greeting")).isEqualTo("hello");
    assertThat(template.getExpire("greeting")).isBetween(1L, 60L);
    template.opsForZSet().add("scores", "ada", 7);
    template.opsForZSet().incrementScore("scores", "bob", 9);
    assertThat(template.opsForZSet().reverseRange("scores", 0, 0)).containsExactly("bob");
    List<Object> answers =
        template.execute(
            new SessionCallback<List<Object>>() {
              @Override
              @SuppressWarnings({"unchecked", "rawtypes"})
              public List<Object> execute(RedisOperations operations) {
                operations.multi();
                operations.opsForValue().increment("visits", 5);
                operations.opsForList().rightPush("log", "visit");
                return operations.exec();
              }
            });
    assertThat(answers).containsExactly(5L, 1L);
    Long sum =
        template.execute(
            new DefaultRedisScript<>("return redis.call('INCRBY', KEYS[1], ARGV[1])", Long.class),
            List.of("visits"),
            "2");
    assertThat(sum).isEqualTo(7);
  }

  private static void caches(LettuceConnectionFactory connections) {
    RedisCacheManager manager =
        RedisCacheManager.builder(connections)
            .cacheDefaults(
                RedisCacheConfiguration.defaultCacheConfig().entryTtl(Duration.ofMinutes(1)))
            .build();
    manager.initializeCaches();
    Cache cache = Objects.requireNonNull(manager.getCache("pages"));
    List<String> computed = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      String page =
          cache.get(
              "home",
              () -> {
                computed.add("home");
                return "<html>";
              });
      assertThat(page).isEqualTo("<html>");
    }
    assertThat(computed).as("two of three were hits").hasSize(1);
    cache.clear();
    await("the cache is empty, later").until(() -> cache.get("home") == null);
  }

  private static void listeners(LettuceConnectionFactory connections, StringRedisTemplate template)
      throws Exception {
    BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    RedisMessageListenerContainer container = new RedisMessageListenerContainer();
    container.setConnectionFactory(connections);
    container.afterPropertiesSet();
    container.start();
    container.addMessageListener(
        (message, _) -> heard.add(new String(message.getBody(), UTF_8)), ChannelTopic.of("news"));
    template.convertAndSend("news", "rain");
    assertThat(heard.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo("rain");
    container.destroy();
  }

  /** A session of a user, as an application keeps it. */
  @RedisHash(value = "visitors", timeToLive = 60)
  static final class Visitor {
    @Id private final String id;
    @Indexed private final String town;

    Visitor(String id, String town) {
      this.id = id;
      this.town = town;
    }
  }

  /** Where visitors are kept. */
  interface Visitors extends CrudRepository<Visitor, String> {
    /** Finds those of a town, by the index. */
    List<Visitor> findByTown(String town);
  }

  private static void repositories(StringRedisTemplate template) throws Exception {
    RedisMappingContext mapping = new RedisMappingContext();
    mapping.afterPropertiesSet();
    MappingRedisConverter converter = new MappingRedisConverter(mapping);
    converter.afterPropertiesSet();
    RedisKeyValueAdapter adapter = new RedisKeyValueAdapter(template, converter);
    adapter.afterPropertiesSet();
    Visitors visitors =
        new RedisRepositoryFactory(new RedisKeyValueTemplate(adapter, mapping))
            .getRepository(Visitors.class);
    visitors.saveAll(
        List.of(new Visitor("1", "Turin"), new Visitor("2", "Lima"), new Visitor("3", "Turin")));
    assertThat(visitors.count()).isEqualTo(3);
    assertThat(visitors.findByTown("Turin")).extracting(found -> found.id).contains("1", "3");
    visitors.deleteById("1");
    assertThat(visitors.findByTown("Turin")).extracting(found -> found.id).containsExactly("3");
    Optional<Visitor> found = visitors.findById("2");
    assertThat(found.map(visitor -> visitor.town)).contains("Lima");
    assertThat(template.getExpire("visitors:2")).isBetween(1L, 60L);
    adapter.destroy();
  }
}
