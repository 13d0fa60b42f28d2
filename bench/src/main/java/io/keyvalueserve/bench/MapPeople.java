package io.keyvalueserve.bench;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.query.Predicate;
import com.hazelcast.query.Predicates;
import com.hazelcast.sql.SqlResult;
import com.hazelcast.sql.SqlRow;
import com.hazelcast.sql.SqlStatement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;

/** A Hazelcast client that asks by predicates or by SQL; which server it has it does not know. */
final class MapPeople implements People {
  private final HazelcastInstance client;
  private final boolean sql;
  private final Map<Query, Predicate<Integer, Person>> predicates = new HashMap<>();
  private @Nullable IMap<Integer, Person> map;

  /**
   * @param compact whether values are Compact records, or else Java's objects
   * @param sql whether it asks by SQL
   */
  MapPeople(Login login, boolean compact, boolean sql) {
    ClientConfig config = login.config();
    if (compact) {
      config
          .getSerializationConfig()
          .getCompactSerializationConfig()
          .addSerializer(new Person.Compact());
    }
    this.sql = sql;
    client = HazelcastClient.newHazelcastClient(config);
  }

  @Override
  public void use(String name, QueryIndex index, boolean make) {
    IMap<Integer, Person> found = client.getMap(name);
    map = found;
    if (!make) {
      return;
    }
    index.addTo(found);
    if (sql) {
      client
          .getSql()
          .execute(
              "CREATE OR REPLACE MAPPING \""
                  + name
                  + "\" (__key INT, id INT, name VARCHAR, age INT, password VARCHAR,"
                  + " organization VARCHAR, acronym VARCHAR, employees INT) TYPE IMap OPTIONS"
                  + " ('keyFormat'='int','valueFormat'='compact','valueCompactTypeName'='"
                  + Person.Compact.TYPE
                  + "')")
          .close();
    }
  }

  private IMap<Integer, Person> map() {
    if (map == null) {
      throw new IllegalStateException("no map is in use");
    }
    return map;
  }

  @Override
  public void put(List<Person> some) {
    Map<Integer, Person> entries = new HashMap<>();
    some.forEach(person -> entries.put(person.id(), person));
    map().putAll(entries);
  }

  @Override
  public void clear() {
    map().destroy();
  }

  @Override
  public int rows(Query query, int key) {
    if (query == Query.GET) {
      return map().get(key) == null ? 0 : 1;
    }
    return sql
        ? (int) each(query, key, (count, _) -> count + 1)
        : map().values(predicate(query)).size();
  }

  @Override
  public long sum(Query query, int key) {
    if (query == Query.GET) {
      Person found = map().get(key);
      return found == null ? -1 : found.id();
    }
    return sql
        ? each(query, key, Long::sum)
        : map().values(predicate(query)).stream().mapToLong(Person::id).sum();
  }

  private Predicate<Integer, Person> predicate(Query query) {
    return predicates.computeIfAbsent(query, asked -> Predicates.sql(asked.condition));
  }

  /** Reads all rows; what is added up are the first column's numbers, or ids. */
  private long each(Query query, int key, LongBinaryOperator add) {
    SqlStatement statement = new SqlStatement(query.sql(map().getName(), key));
    if (query == Query.POINT) {
      statement.addParameter(key);
    }
    long result = 0;
    try (SqlResult rows = client.getSql().execute(statement)) {
      for (SqlRow row : rows) {
        Object first = row.getObject(0);
        result =
            add.applyAsLong(
                result,
                first instanceof Person person ? person.id() : ((Number) first).longValue());
      }
    }
    return result;
  }

  @Override
  public void close() {
    client.shutdown();
  }
}
