package io.keyvalueserve.gates;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.tenancy.Door;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.TenantName;
import org.junit.jupiter.api.Test;

/** Goal: rates are what meters gained, over all doors, in the time between two looks. */
class TenantRatesTest {
  private static final TenantName ACME = new TenantName("acme");
  private static final Identity WHO = new Identity(ACME, 1, "key");
  private static final long SECOND = 1_000_000_000L;

  private final TenantMeters meters = new TenantMeters(1);
  private final TenantRates rates = new TenantRates();

  @Test
  void dividesWhatAllDoorsGainedByTheTime() {
    add(Door.RESP, 100);
    add(Door.HAZELCAST, 10);
    rates.look(meters, 0);
    assertThat(rates.of(ACME)).as("one look says nothing").isEqualTo(TenantRates.Rates.NONE);
    add(Door.RESP, 1000);
    add(Door.HAZELCAST, 20);
    rates.look(meters, 2 * SECOND);
    assertThat(rates.of(ACME)).isEqualTo(new TenantRates.Rates(510, 1020, 1530));
    assertThat(rates.all()).containsOnlyKeys(ACME);
    rates.look(meters, 3 * SECOND);
    assertThat(rates.of(ACME)).as("it rests").isEqualTo(TenantRates.Rates.NONE);
    assertThat(rates.all()).isEmpty();
  }

  @Test
  void aTenantThatIsGoneDoesNothing() {
    add(Door.RESP, 100);
    rates.look(meters, 0);
    add(Door.RESP, 100);
    rates.look(meters, SECOND);
    meters.forget(1);
    rates.look(meters, 2 * SECOND);
    assertThat(rates.of(ACME)).isEqualTo(TenantRates.Rates.NONE);
    add(Door.RESP, 5);
    rates.look(meters, 3 * SECOND);
    assertThat(rates.of(ACME)).as("its meters began anew").isEqualTo(TenantRates.Rates.NONE);
  }

  private void add(Door door, long count) {
    TenantMeters.Meter meter = meters.meter(WHO, door);
    meter.operations(count);
    meter.bytesIn(2 * count);
    meter.bytesOut(3 * count);
  }
}
