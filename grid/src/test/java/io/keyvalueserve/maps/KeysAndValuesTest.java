package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.config.PartitioningStrategyConfig;
import com.hazelcast.map.IMap;
import com.hazelcast.partition.PartitionAware;
import com.hazelcast.partition.strategy.StringPartitioningStrategy;
import com.hazelcast.query.Predicates;
import java.io.Serializable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys that choose their partition, and keys and values of unusual size. */
@ExtendWith(SharedGrids.class)
@ParameterizedClass(name = "members={0}")
@ValueSource(ints = {1, 3})
final class KeysAndValuesTest {
  private static final int MEBIBYTE = 1 << 20;

  private final HdGrid grid;

  KeysAndValuesTest(int members) {
    grid = SharedGrids.of(members);
  }

  @Test
  void keysOfOneGroupShareAPartition() {
    IMap<String, Integer> map =
        grid.map(
            config ->
                config.setPartitioningStrategyConfig(
                    new PartitioningStrategyConfig(StringPartitioningStrategy.class.getName())));
    IMap<String, Integer> other = grid.elsewhere(map);
    for (int i = 0; i < 50; i++) {
      map.set("k" + i + "@group", i);
      map.set("k" + i, -i);
    }
    assertThat(other.size()).isEqualTo(100);
    for (int i = 0; i < 50; i++) {
      assertThat(other.get("k" + i + "@group")).isEqualTo(i);
      assertThat(other.get("k" + i)).isEqualTo(-i);
    }
    assertThat(map.keySet(Predicates.partitionPredicate("group", Predicates.like("__key", "%@%"))))
        .hasSize(50);
    assertThat(other.remove("k7@group")).isEqualTo(7);
    assertThat(other.containsKey("k7@group")).isFalse();
    assertThat(map.iterator(10)).toIterable().hasSize(99);
  }

  @Test
  void keysThatNameTheirPartitionAreFoundAgain() {
    IMap<OrderLine, String> map = grid.map();
    for (int i = 0; i < 50; i++) {
      map.set(new OrderLine("customer", i), "line " + i);
    }
    IMap<OrderLine, String> other = grid.elsewhere(map);
    for (int i = 0; i < 50; i++) {
      assertThat(other.get(new OrderLine("customer", i))).isEqualTo("line " + i);
    }
    int owning = 0;
    for (int i = 0; i < grid.size(); i++) {
      owning += grid.at(i, map).localKeySet().isEmpty() ? 0 : 1;
    }
    assertThat(owning).isEqualTo(1);
    assertThat(other.keySet()).hasSize(50).contains(new OrderLine("customer", 7));
    other.executeOnEntries(entry -> entry.setValue(entry.getValue() + "!"));
    assertThat(map.remove(new OrderLine("customer", 7))).isEqualTo("line 7!");
  }

  /** All lines of a customer live in one partition. */
  private record OrderLine(String customer, int line)
      implements PartitionAware<String>, Serializable {
    @Override
    public String getPartitionKey() {
      return customer;
    }
  }

  @Test
  void bigValuesComeBackWhole() {
    IMap<String, byte[]> map = grid.map();
    IMap<String, byte[]> other = grid.elsewhere(map);
    for (int size : new int[] {MEBIBYTE - 1, MEBIBYTE, MEBIBYTE + 1, 4 * MEBIBYTE}) {
      byte[] value = bytes(size, size);
      map.set("k" + size, value);
      assertThat(Arrays.equals(other.get("k" + size), value)).isTrue();
    }
    assertThat(map.size()).isEqualTo(4);
    map.destroy();
  }

  @Test
  void valuesChangeTheirSizeAgainAndAgain() {
    IMap<String, byte[]> map = grid.map();
    Random random = new Random(7);
    Map<String, byte[]> model = new HashMap<>();
    for (int i = 0; i < 400; i++) {
      String key = "k" + random.nextInt(20);
      byte[] value = bytes(1 << random.nextInt(18), i);
      byte[] old = model.put(key, value);
      assertThat(Arrays.equals(map.put(key, value), old)).isTrue();
    }
    model.forEach((key, value) -> assertThat(Arrays.equals(map.get(key), value)).isTrue());
    map.destroy();
  }

  @Test
  void emptyKeysAndValuesAreEntries() {
    IMap<String, Object> map = grid.map();
    map.set("", "");
    map.set("bytes", new byte[0]);
    map.set("list", List.of());
    IMap<String, Object> other = grid.elsewhere(map);
    assertThat(other.get("")).isEqualTo("");
    assertThat(other.get("bytes")).isEqualTo(new byte[0]);
    assertThat(other.get("list")).isEqualTo(List.of());
    assertThat(other.containsValue("")).isTrue();
    assertThat(other.remove("", "")).isTrue();
    assertThat(map.size()).isEqualTo(2);
  }

  @Test
  void longKeysAreToldApart() {
    IMap<String, Integer> map = grid.map();
    String prefix = "x".repeat(70_000);
    for (int i = 0; i < 20; i++) {
      map.set(prefix + i, i);
    }
    IMap<String, Integer> other = grid.elsewhere(map);
    for (int i = 0; i < 20; i++) {
      assertThat(other.get(prefix + i)).isEqualTo(i);
    }
    assertThat(other.get(prefix)).isNull();
  }

  @Test
  void textOfEveryScriptSurvives() {
    IMap<String, String> map = grid.map();
    for (String text : new String[] {"žluťoučký", "日本語", "🙂 emoji", "\0nul", "\uD800 lone"}) {
      map.set(text, text);
      assertThat(grid.elsewhere(map).get(text)).isEqualTo(map.get(text));
      assertThat(map.containsKey(text)).isTrue();
    }
    assertThat(map.get("日本語")).isEqualTo("日本語");
    assertThat(map.keySet()).hasSize(5).contains("žluťoučký", "🙂 emoji");
  }

  private static byte[] bytes(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }
}
