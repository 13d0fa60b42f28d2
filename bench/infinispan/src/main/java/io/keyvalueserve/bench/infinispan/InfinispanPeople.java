package io.keyvalueserve.bench.infinispan;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import org.infinispan.client.hotrod.RemoteCache;
import org.infinispan.client.hotrod.RemoteCacheManager;
import org.infinispan.client.hotrod.configuration.ClientIntelligence;
import org.infinispan.client.hotrod.configuration.ConfigurationBuilder;
import org.infinispan.commons.marshall.ProtoStreamMarshaller;

/**
 * A Hot Rod client of {@link InfinispanQueryServer}. The load of {@code kvs bench queries} makes it
 * by reflection, as it is compiled without Infinispan; so all that it does is in terms of the JDK:
 * it takes people as arrays of their fields ({@link Consumer}), finds one by its key and returns
 * its id or -1 ({@link IntUnaryOperator}), and returns the ids of those that a condition selects
 * ({@link Function}), which are made from the answer as they are read.
 */
public final class InfinispanPeople
    implements Consumer<List<Object[]>>,
        IntUnaryOperator,
        Function<String, List<?>>,
        AutoCloseable {
  static final String CACHE = "people";

  /** As long as Hazelcast's clients wait. */
  private static final int MOST_MILLIS = 120_000;

  private final RemoteCacheManager manager;
  private final RemoteCache<Integer, InfinispanPerson> cache;

  /** Connects to a port of loopback. */
  public InfinispanPeople(int port) {
    ConfigurationBuilder client = new ConfigurationBuilder();
    client.addServer().host("127.0.0.1").port(port);
    client.connectionTimeout(MOST_MILLIS).socketTimeout(MOST_MILLIS);
    client
        .clientIntelligence(ClientIntelligence.BASIC)
        .marshaller(new ProtoStreamMarshaller())
        .addContextInitializer(new PeopleSchemaImpl());
    manager = new RemoteCacheManager(client.build());
    cache = manager.getCache(CACHE);
  }

  /** Writes people; none empties the cache. */
  @Override
  public void accept(List<Object[]> people) {
    Map<Integer, InfinispanPerson> some = new HashMap<>();
    for (Object[] f : people) {
      some.put(
          (Integer) f[0],
          new InfinispanPerson(
              (Integer) f[0],
              (String) f[1],
              (Integer) f[2],
              (String) f[3],
              (String) f[4],
              (String) f[5],
              (Integer) f[6]));
    }
    if (some.isEmpty()) {
      cache.clear();
    } else {
      cache.putAll(some);
    }
  }

  @Override
  public int applyAsInt(int key) {
    InfinispanPerson found = cache.get(key);
    return found == null ? -1 : found.id;
  }

  @Override
  public List<?> apply(String condition) {
    return cache
        .<InfinispanPerson>query("FROM " + PeopleSchema.PERSON + " WHERE " + condition)
        .maxResults(Integer.MAX_VALUE)
        .execute()
        .list()
        .stream()
        .map(person -> person.id)
        .toList();
  }

  @Override
  public void close() {
    manager.close();
  }
}
