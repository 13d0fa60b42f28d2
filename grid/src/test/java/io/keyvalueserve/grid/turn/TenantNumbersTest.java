package io.keyvalueserve.grid.turn;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.tenancy.Quota;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.TenantState;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class TenantNumbersTest {
  private static final int MANY = 20_000;

  private final TenantNumbers numbers = new TenantNumbers();

  private static Tenant tenant(String name, int number, TenantState state, long revision) {
    return new Tenant(
        new TenantName(name), number, state, Instant.EPOCH, List.of(), Quota.USUAL, revision);
  }

  private void assertNumber(String object, int number) {
    byte[] bytes = ("x" + object).getBytes(UTF_8);
    assertThat(numbers.ofObject(object)).as(object).isEqualTo(number);
    assertThat(numbers.ofObject(bytes, 1, bytes.length - 1)).as(object).isEqualTo(number);
  }

  @Test
  void knowsVeryManyTenants() {
    for (int i = 1; i <= MANY; i++) {
      numbers.apply(tenant("t-" + i, i, TenantState.ACTIVE, 1));
    }
    for (int i = 1; i <= MANY; i += 7) {
      assertNumber("t-" + i + "/map", i);
    }
    assertNumber("t-0/map", TenantNumbers.UNKNOWN);
    assertNumber("t-1", TenantNumbers.UNKNOWN);
  }

  @Test
  void aTenantThatIsDeletedIsUnknownUntilItIsThereAgain() {
    numbers.apply(tenant("acme", 1, TenantState.ACTIVE, 1));
    assertNumber("acme/orders", 1);
    assertNumber("acme:lock", 1);
    numbers.apply(tenant("acme", 1, TenantState.DELETED, 3));
    assertNumber("acme/orders", TenantNumbers.UNKNOWN);
    numbers.apply(tenant("acme", 1, TenantState.ACTIVE, 2));
    assertNumber("acme/orders", TenantNumbers.UNKNOWN);
    numbers.apply(tenant("acme", 9, TenantState.ACTIVE, 4));
    assertNumber("acme/orders", 9);
  }
}
