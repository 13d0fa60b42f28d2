package io.keyvalueserve.hazelcast;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.map.listener.EntryRemovedListener;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import com.hazelcast.query.Predicates;
import io.keyvalueserve.engine.Batches;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.collection.Arguments;
import io.keyvalueserve.engine.collection.CollectionOperation;
import io.keyvalueserve.engine.collection.HashOperation;
import io.keyvalueserve.engine.collection.SetOperation;
import io.keyvalueserve.grid.restart.Durability;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.TenantName;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Collections as Hazelcast clients meet them, and through a restart. */
final class CollectionsTest {
  private static KeyCommand on(String key, CollectionOperation operation, String... arguments) {
    return new KeyCommand.OnCollection(
        key.getBytes(UTF_8),
        operation,
        Arguments.of(Stream.of(arguments).map(Batches::utf8).toList()),
        KeyCommand.MOST_COLLECTION_BYTES);
  }

  private static KeyMap map(DoorMember member) {
    return member
        .member
        .engine()
        .space(new Identity(new TenantName("acme"), DoorMember.number("acme"), "key"))
        .map(new MapName("orders"));
  }

  @Test
  void aClientIsToldThatItCannotReadOneAndDoesTheRest(@TempDir Path directory) {
    try (DoorMember member = new DoorMember(Restarts.in(directory, Durability.ALWAYS))) {
      KeyMap map = map(member);
      assertThat(
              Batches.texts(
                  map,
                  on("h", HashOperation.SET, "f", "1", "g", "2"),
                  on("s", SetOperation.ADD, "a", "b"),
                  on("gone", HashOperation.SET, "f", "1")))
          .containsExactly("Integer 2", "Integer 2", "Integer 1");
      HazelcastInstance client = member.client("acme");
      try {
        IMap<String, Object> orders = client.getMap("orders");
        List<String> removed = new CopyOnWriteArrayList<>();
        var _ =
            orders.addEntryListener(
                (EntryRemovedListener<String, Object>) event -> removed.add(event.getKey()), true);
        orders.put("text", "some");
        assertThatThrownBy(() -> orders.get("h"))
            .isInstanceOf(HazelcastSerializationException.class)
            .hasMessageContaining("type -9001");
        assertThatThrownBy(() -> orders.get("s"))
            .isInstanceOf(HazelcastSerializationException.class)
            .hasMessageContaining("type -9003");
        assertThat(orders.containsKey("h")).isTrue();
        assertThat(orders.size()).isEqualTo(4);
        assertThat(orders.keySet()).containsExactlyInAnyOrder("h", "s", "gone", "text");
        assertThat(orders.keySet(Predicates.equal("this", "some"))).containsExactly("text");
        assertThat(orders.values(Predicates.like("this", "s%"))).containsExactly("some");
        assertThat(orders.containsValue("some")).isTrue();
        orders.delete("gone");
        await().until(() -> removed.equals(List.of("gone")));
        assertThat(Batches.texts(map, on("gone", HashOperation.SIZE))).containsExactly("Integer 0");
      } finally {
        client.shutdown();
      }
    }
    try (DoorMember member = new DoorMember(Restarts.in(directory, Durability.ALWAYS))) {
      assertThat(
              Batches.texts(
                  map(member),
                  on("h", HashOperation.ALL),
                  on("s", SetOperation.ALL),
                  on("gone", HashOperation.SIZE)))
          .containsExactly("Elements [f, 1, g, 2]", "Elements [a, b]", "Integer 0");
    }
  }
}
