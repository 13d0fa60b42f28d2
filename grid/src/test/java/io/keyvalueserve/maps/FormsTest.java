package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.config.IndexType;
import com.hazelcast.config.MetadataPolicy;
import com.hazelcast.core.HazelcastJsonValue;
import com.hazelcast.map.IMap;
import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import com.hazelcast.nio.serialization.genericrecord.GenericRecordBuilder;
import com.hazelcast.query.Predicates;
import io.keyvalueserve.maps.Shapes.CompactPoint;
import io.keyvalueserve.maps.Shapes.Identified;
import io.keyvalueserve.maps.Shapes.JavaPoint;
import io.keyvalueserve.maps.Shapes.PortablePoint;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys and values in every form that Hazelcast writes objects in, queried by their fields. */
@ExtendWith(SharedGrids.class)
@ParameterizedClass(name = "members={0}")
@ValueSource(ints = {1, 3})
final class FormsTest {
  private static final int COUNT = 60;

  /** A form, and how to make a point in it. */
  enum Form {
    JAVA(i -> new JavaPoint(i, -i)),
    IDENTIFIED(i -> new Identified(i, -i)),
    PORTABLE(i -> new PortablePoint(i, -i)),
    COMPACT(i -> new CompactPoint(i, -i)),
    GENERIC_RECORD(
        i ->
            GenericRecordBuilder.compact("generic-point")
                .setInt32("x", i)
                .setInt32("y", -i)
                .build());

    private final IntFunction<Object> make;

    Form(IntFunction<Object> make) {
      this.make = make;
    }
  }

  private final HdGrid grid;

  FormsTest(int members) {
    grid = SharedGrids.of(members);
  }

  @ParameterizedTest
  @EnumSource
  void servesAsValue(Form form) {
    IMap<Integer, Object> map = grid.map();
    IMap<Integer, Object> other = grid.elsewhere(map);
    for (int i = 0; i < COUNT; i++) {
      map.set(i, form.make.apply(i));
    }
    for (int i = 0; i < COUNT; i++) {
      assertThat(other.get(i)).isEqualTo(form.make.apply(i));
    }
    assertThat(other.replace(7, form.make.apply(7), form.make.apply(70))).isTrue();
    assertThat(map.get(7)).isEqualTo(form.make.apply(70));
    map.addIndex(IndexType.SORTED, "x");
    assertThat(other.keySet(Predicates.greaterEqual("x", 58))).containsExactlyInAnyOrder(7, 58, 59);
    assertThat(other.keySet(Predicates.lessThan("y", -58))).containsExactlyInAnyOrder(7, 59);
    assertThat(other.remove(7)).isEqualTo(form.make.apply(70));
  }

  @ParameterizedTest
  @EnumSource
  void servesAsKey(Form form) {
    IMap<Object, Integer> map = grid.map();
    IMap<Object, Integer> other = grid.elsewhere(map);
    for (int i = 0; i < COUNT; i++) {
      map.set(form.make.apply(i), i);
    }
    for (int i = 0; i < COUNT; i++) {
      assertThat(other.get(form.make.apply(i))).isEqualTo(i);
    }
    assertThat(other.get(form.make.apply(COUNT))).isNull();
    assertThat(other.values(Predicates.equal("__key.x", 5))).containsExactly(5);
    assertThat(other.remove(form.make.apply(5))).isEqualTo(5);
    assertThat(map.size()).isEqualTo(COUNT - 1);
  }

  @Test
  void aCompactValueReadsAsAGenericRecordInAProcessor() {
    IMap<Integer, CompactPoint> map = grid.map();
    map.set(1, new CompactPoint(3, 4));
    assertThat(map.<Integer>executeOnKey(1, entry -> entry.getValue().y())).isEqualTo(4);
    IMap<Integer, GenericRecord> records = grid.map();
    records.set(1, GenericRecordBuilder.compact("free").setString("name", "n").build());
    assertThat(records.<String>executeOnKey(1, entry -> entry.getValue().getString("name")))
        .isEqualTo("n");
  }

  @ParameterizedTest
  @EnumSource(MetadataPolicy.class)
  void jsonIsQueriedByItsPaths(MetadataPolicy policy) {
    IMap<Integer, HazelcastJsonValue> map = grid.map(config -> config.setMetadataPolicy(policy));
    IMap<Integer, HazelcastJsonValue> other = grid.elsewhere(map);
    for (int i = 0; i < COUNT; i++) {
      map.set(i, json(i));
    }
    assertThat(other.get(7)).isEqualTo(json(7));
    assertThat(other.keySet(Predicates.equal("name", "n7"))).containsExactly(7);
    assertThat(other.keySet(Predicates.greaterThan("at.depth", 57)))
        .containsExactlyInAnyOrder(58, 59);
    assertThat(other.keySet(Predicates.equal("list[any]", 42))).containsExactlyInAnyOrder(41, 42);
    map.set(7, json(8));
    assertThat(other.keySet(Predicates.equal("name", "n8"))).containsExactlyInAnyOrder(7, 8);
    other.<Boolean>executeOnKey(
        9,
        entry -> {
          entry.setValue(new HazelcastJsonValue("{\"name\":\"n8\"}"));
          return true;
        });
    assertThat(other.keySet(Predicates.equal("name", "n8"))).containsExactlyInAnyOrder(7, 8, 9);
    map.addIndex(IndexType.HASH, "name");
    assertThat(other.keySet(Predicates.equal("name", "n8"))).containsExactlyInAnyOrder(7, 8, 9);
    map.remove(8);
    assertThat(other.keySet(Predicates.equal("name", "n8"))).containsExactlyInAnyOrder(7, 9);
  }

  private static HazelcastJsonValue json(int i) {
    return new HazelcastJsonValue(
        "{\"name\":\"n%d\",\"at\":{\"depth\":%d},\"list\":[%d,%d]}".formatted(i, i, i, i + 1));
  }

  @Test
  void jsonKeysAreQueriedToo() {
    IMap<HazelcastJsonValue, Integer> map =
        grid.map(config -> config.setMetadataPolicy(MetadataPolicy.CREATE_ON_UPDATE));
    for (int i = 0; i < COUNT; i++) {
      map.set(json(i), i);
    }
    assertThat(map.values(Predicates.equal("__key.name", "n7"))).containsExactly(7);
    assertThat(map.get(json(9))).isEqualTo(9);
  }
}
