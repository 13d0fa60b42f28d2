package io.keyvalueserve.grid.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.billing.ledger.TenantLedger;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class LedgerCacheTest {
  private final LedgerCache cache = new LedgerCache(10);

  private static TenantLedger ledger(int number, int entries) {
    TenantLedger ledger = new TenantLedger(LedgerUse.ACME, number);
    for (int i = 0; i < entries; i++) {
      var _ = ledger.post(LedgerUse.event(1, 0, i, LedgerUse.ACME, number, "m"), Instant.EPOCH);
    }
    return ledger;
  }

  @Test
  void givesAwayWhatItHas() {
    TenantLedger ledger = ledger(1, 3);
    cache.put(ledger, cache.generation());
    assertThat(cache.take(1)).isSameAs(ledger);
    assertThat(cache.take(1)).isNull();
    assertThat(cache.entries()).isZero();
  }

  @Test
  void letsGoOfWhatWasUsedLeastLately() {
    cache.put(ledger(1, 4), cache.generation());
    cache.put(ledger(2, 4), cache.generation());
    cache.put(Objects.requireNonNull(cache.take(1)), cache.generation());
    cache.put(ledger(3, 4), cache.generation());
    assertThat(cache.take(2)).isNull();
    assertThat(cache.entries()).isEqualTo(8);
    assertThat(cache.take(1)).isNotNull();
  }

  @Test
  void keepsNoneThatIsLargerThanAllMayBe() {
    cache.put(ledger(1, 4), cache.generation());
    cache.put(ledger(2, 11), cache.generation());
    assertThat(cache.take(2)).isNull();
    assertThat(cache.entries()).isEqualTo(4);
    cache.put(ledger(1, 11), cache.generation()); // it has grown meanwhile
    assertThat(cache.entries()).isZero();
  }
}
