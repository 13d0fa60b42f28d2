package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.map.IMap;
import com.hazelcast.map.MapInterceptor;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Code of the user's that sees, changes or refuses what goes in and out. */
@ExtendWith(SharedGrids.class)
@ParameterizedClass(name = "members={0}")
@ValueSource(ints = {1, 3})
final class InterceptorTest {
  private final HdGrid grid;

  InterceptorTest(int members) {
    grid = SharedGrids.of(members);
  }

  @Test
  void changesWhatIsReadWrittenAndRemoved() {
    IMap<String, String> map = grid.map();
    IMap<String, String> other = grid.elsewhere(map);
    map.set("old", "v");
    String id = map.addInterceptor(new Marking());
    assertThat(other.put("k", "v")).isNull();
    assertThat(other.get("k")).isEqualTo("v+put+get");
    assertThat(other.put("k", "w")).isEqualTo("v+put");
    assertThat(other.get("old")).isEqualTo("v+get");
    assertThat(other.getAll(Set.of("k"))).isEqualTo(Map.of("k", "w+put+get"));
    assertThat(other.remove("k")).isEqualTo("w+put+removed");
    assertThat(map.removeInterceptor(id)).isTrue();
    assertThat(other.get("old")).isEqualTo("v");
    other.set("k", "plain");
    assertThat(map.get("k")).isEqualTo("plain");
  }

  @Test
  void refuses() {
    IMap<String, String> map = grid.map();
    map.set("k", "v");
    map.addInterceptor(new Marking());
    assertThatThrownBy(() -> map.put("k", "forbidden"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no");
    assertThat(map.get("k")).isEqualTo("v+get");
  }

  /** Marks every value with what was done to it; equal to its like, as Hazelcast asks. */
  private static final class Marking implements MapInterceptor {
    @Override
    public @Nullable Object interceptGet(@Nullable Object value) {
      return value == null ? null : value + "+get";
    }

    @Override
    public void afterGet(Object value) {}

    @Override
    public Object interceptPut(Object oldValue, Object newValue) {
      if (newValue.equals("forbidden")) {
        throw new IllegalArgumentException("no");
      }
      return newValue + "+put";
    }

    @Override
    public void afterPut(Object value) {}

    @Override
    public Object interceptRemove(Object removedValue) {
      return removedValue + "+removed";
    }

    @Override
    public void afterRemove(Object oldValue) {}

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Marking;
    }

    @Override
    public int hashCode() {
      return 1;
    }
  }
}
