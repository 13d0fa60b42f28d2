package io.keyvalueserve.grid.space;

import static io.keyvalueserve.engine.Batches.run;
import static io.keyvalueserve.engine.Batches.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.DistributedObject;
import com.hazelcast.core.HazelcastInstance;
import io.keyvalueserve.engine.KeyCommand.Write;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import org.junit.jupiter.api.Test;

final class TenantObjectsTest {
  @Test
  void destroysEverythingOfATenantAndNothingOfOthers() {
    try (TestGrid grid = new TestGrid(2, 31)) {
      HazelcastInstance member = grid.member(1);
      run(grid.map(0, "acme", "orders"), Write.of(utf8("k"), utf8("v")));
      run(grid.map(0, "acme-2", "orders"), Write.of(utf8("k"), utf8("v")));
      member.getQueue("acme/q@q").add("x");
      member.getList("acme:l@k").add("x");
      member.getTopic("acme/news").publish("x");
      member.getMap("acme").put("k", "v");
      TenantObjects objects = new TenantObjects(TestGrid.nodeEngine(member));
      assertThat(objects.destroyAll(new TenantName("acme"))).isEqualTo(4);
      assertThat(objects.list(new TenantName("acme"))).isEmpty();
      assertThat(objects.destroyAll(new TenantName("acme"))).isZero();
      assertThat(member.getDistributedObjects())
          .extracting(DistributedObject::getName)
          .contains("acme", "acme-2/orders")
          .noneMatch(name -> QualifiedName.belongsTo(new TenantName("acme"), name));
    }
  }

  @Test
  void destroysChosenMapsAndNothingElse() {
    try (TestGrid grid = new TestGrid(2, 31)) {
      HazelcastInstance member = grid.member(1);
      run(grid.map(0, "acme", "orders"), Write.of(utf8("k"), utf8("v")));
      run(grid.map(0, "acme", "kept"), Write.of(utf8("k"), utf8("v")));
      member.getQueue("acme/q@q").add("x");
      TenantObjects objects = new TenantObjects(TestGrid.nodeEngine(member));
      assertThat(objects.destroyMaps(new TenantName("acme"), name -> !name.equals("acme/kept")))
          .isEqualTo(1);
      assertThat(objects.list(new TenantName("acme")))
          .extracting(TenantObjects.GridObject::name)
          .containsExactlyInAnyOrder("acme/kept", "acme/q@q");
    }
  }

  @Test
  void aNameBelongsToOneTenantOnly() {
    TenantName acme = new TenantName("acme");
    assertThat(QualifiedName.belongsTo(acme, "acme/orders")).isTrue();
    assertThat(QualifiedName.belongsTo(acme, "acme:orders@key")).isTrue();
    assertThat(QualifiedName.belongsTo(acme, "acme")).isFalse();
    assertThat(QualifiedName.belongsTo(acme, "acme-2/orders")).isFalse();
    assertThat(QualifiedName.belongsTo(acme, "ac/orders")).isFalse();
    assertThat(QualifiedName.parse("acme/orders").map(QualifiedName::toString))
        .hasValue("acme/orders");
    assertThat(QualifiedName.parse("acme")).isEmpty();
    assertThat(QualifiedName.parse("acme/a/b")).isEmpty();
    assertThat(QualifiedName.parse("__internal/x")).isEmpty();
  }
}
