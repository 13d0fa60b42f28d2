package io.keyvalueserve.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.partition.strategy.StringPartitioningStrategy;
import io.keyvalueserve.hazelcast.Structure.Placement;
import io.keyvalueserve.tenancy.InvalidNameException;
import io.keyvalueserve.tenancy.TenantName;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectNamesTest {
  private final ObjectNames acme = new ObjectNames(new TenantName("acme"));
  private final ObjectNames globex = new ObjectNames(new TenantName("globex"));

  @ParameterizedTest
  @ValueSource(
      strings = {"orders", "orders@eu", "orders@orders", "@", "a:b", "ö", "_hz_rb_news", "a@b@c"})
  void mapsEveryNameBackToWhatTheTenantSaid(String name) {
    for (Placement placement : Placement.values()) {
      String gridName = acme.toGrid(name, placement);
      assertThat(acme.toTenant(gridName, placement)).contains(name);
      assertThat(globex.toTenant(gridName, placement)).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"orders", "orders@eu", "orders@orders", "a:b@c", "a@b@c"})
  void keepsThePartitionThatClientsReckonFromTheirName(String name) {
    assertThat(StringPartitioningStrategy.getPartitionKey(acme.toGrid(name, Placement.BY_NAME)))
        .isEqualTo(StringPartitioningStrategy.getPartitionKey(name));
  }

  @Test
  void givesDifferentNamesDifferentPlaces() {
    Set<String> gridNames = new HashSet<>();
    for (String name : new String[] {"orders", "orders@orders", "orders@eu", "a:b", "a"}) {
      assertThat(gridNames.add(acme.toGrid(name, Placement.BY_NAME))).as(name).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(Placement.class)
  void takesItsOwnQualifiedNameAsThePlainOne(Placement placement) {
    assertThat(acme.toGrid("acme/orders", placement)).isEqualTo(acme.toGrid("orders", placement));
  }

  @ParameterizedTest
  @ValueSource(strings = {"globex/orders", "/orders", "acme/a/b", "ac/orders", "acmeacme/x", "//"})
  void refusesAnotherTenantsNames(String name) {
    for (Placement placement : Placement.values()) {
      assertThatThrownBy(() -> acme.toGrid(name, placement))
          .isInstanceOf(MessageRefusedException.class)
          .hasMessageContaining("no grant");
    }
  }

  @Test
  void refusesNamesThatAreNone() {
    assertThatThrownBy(() -> acme.toGrid("", Placement.BY_KEY))
        .isInstanceOf(InvalidNameException.class);
    assertThatThrownBy(() -> acme.toGrid("x".repeat(256), Placement.BY_KEY))
        .isInstanceOf(InvalidNameException.class);
  }

  @Test
  void knowsNothingOfSystemObjects() {
    for (Placement placement : Placement.values()) {
      assertThat(acme.toTenant("__kvs.tenants", placement)).isEmpty();
      assertThat(acme.toTenant("acme", placement)).isEmpty();
      assertThat(acme.toTenant("acme-two/orders", placement)).isEmpty();
    }
  }
}
