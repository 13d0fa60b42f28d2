package io.keyvalueserve.tenancy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Goal: rates are what meters gained, over all doors, in the time between two looks. */
class TenantRatesTest {
  private static final TenantName ACME = new TenantName("acme");
  private static final long SECOND = 1_000_000_000L;

  private final TenantRates rates = new TenantRates();

  @Test
  void dividesWhatAllDoorsGainedByTheTime() {
    rates.look(List.of(at(Door.RESP, 100), at(Door.HAZELCAST, 10)), 0);
    assertThat(rates.of(ACME)).as("one look says nothing").isEqualTo(TenantRates.Rates.NONE);
    rates.look(List.of(at(Door.RESP, 1100), at(Door.HAZELCAST, 30)), 2 * SECOND);
    assertThat(rates.of(ACME)).isEqualTo(new TenantRates.Rates(510, 1020, 1530));
  }

  @Test
  void aTenantThatIsGoneDoesNothing() {
    rates.look(List.of(at(Door.RESP, 100)), 0);
    rates.look(List.of(at(Door.RESP, 200)), SECOND);
    rates.look(List.of(), 2 * SECOND);
    assertThat(rates.of(ACME)).isEqualTo(TenantRates.Rates.NONE);
    rates.look(List.of(at(Door.RESP, 5)), 3 * SECOND);
    assertThat(rates.of(ACME)).as("its meters began anew").isEqualTo(TenantRates.Rates.NONE);
  }

  private static TenantMeters.Reading at(Door door, long count) {
    return new TenantMeters.Reading(ACME, door, count, 0, 2 * count, 3 * count, 0);
  }
}
