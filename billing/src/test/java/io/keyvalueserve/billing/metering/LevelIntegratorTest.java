package io.keyvalueserve.billing.metering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class LevelIntegratorTest {
  private static final long SECOND = 1_000_000_000;
  private static final BigInteger NANOS = BigInteger.valueOf(SECOND);

  @Test
  void aLevelHoldsUntilAnotherIsTold() {
    LevelIntegrator bytes = new LevelIntegrator(0);
    bytes.set(100, 10 * SECOND);
    bytes.change(50, 12 * SECOND);
    bytes.change(-150, 13 * SECOND);
    assertThat(bytes.take(60 * SECOND)).isEqualTo(2 * 100 + 150);
    assertThat(bytes.take(120 * SECOND)).isZero();
    assertThat(bytes.level()).isZero();
  }

  @Test
  void partsOfASecondAreKeptForTheNextTime() {
    LevelIntegrator connections = new LevelIntegrator(0);
    connections.set(1, 0);
    long sum = 0;
    for (int i = 1; i <= 30; i++) {
      sum += connections.take(i * SECOND / 3);
    }
    assertThat(sum).isEqualTo(10);
  }

  @Test
  void timeThatGoesBackCountsNothing() {
    LevelIntegrator bytes = new LevelIntegrator(5 * SECOND);
    bytes.set(10, 5 * SECOND);
    assertThat(bytes.take(4 * SECOND)).isZero();
    assertThat(bytes.take(6 * SECOND)).isEqualTo(10);
    LevelIntegrator wrapping = new LevelIntegrator(Long.MAX_VALUE);
    wrapping.set(10, Long.MAX_VALUE);
    assertThat(wrapping.take(Long.MAX_VALUE + SECOND)).isEqualTo(10);
  }

  @Test
  void moreThanALongIsTakenInParts() {
    LevelIntegrator bytes = new LevelIntegrator(0);
    bytes.set(Long.MAX_VALUE, 0);
    assertThat(bytes.take(3 * SECOND)).isEqualTo(Long.MAX_VALUE);
    bytes.set(0, 3 * SECOND);
    assertThat(bytes.take(3 * SECOND)).isEqualTo(Long.MAX_VALUE);
    assertThat(bytes.take(3 * SECOND)).isEqualTo(Long.MAX_VALUE);
    assertThat(bytes.take(3 * SECOND)).isZero();
  }

  @Test
  void levelsOutOfRangeAreRefusedAndNothingChanges() {
    LevelIntegrator bytes = new LevelIntegrator(0);
    bytes.set(5, 0);
    assertThatThrownBy(() -> bytes.set(-1, SECOND)).hasMessage("a level is 0 or more: -1");
    assertThatThrownBy(() -> bytes.change(-6, SECOND)).hasMessageContaining("a change of -6");
    assertThatThrownBy(() -> bytes.change(Long.MAX_VALUE, SECOND))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(bytes.take(SECOND)).isEqualTo(5);
  }

  /** Goal: 128 bits say what whole numbers without end say. Method: random levels and times. */
  @Property(tries = 200)
  void isExact(@ForAll Random random) {
    LevelIntegrator integrator = new LevelIntegrator(0);
    BigInteger unitNanos = BigInteger.ZERO;
    BigInteger taken = BigInteger.ZERO;
    long now = 0;
    for (int i = 0; i < 200; i++) {
      long elapsed = random.nextLong() >>> (12 + random.nextInt(52));
      unitNanos =
          unitNanos.add(
              BigInteger.valueOf(integrator.level()).multiply(BigInteger.valueOf(elapsed)));
      now += elapsed;
      if (random.nextBoolean()) {
        integrator.set(random.nextLong() >>> (1 + random.nextInt(63)), now);
      } else {
        taken = taken.add(BigInteger.valueOf(integrator.take(now)));
      }
    }
    for (long more = integrator.take(now); more > 0; more = integrator.take(now)) {
      taken = taken.add(BigInteger.valueOf(more));
    }
    assertThat(taken).isEqualTo(unitNanos.divide(NANOS));
  }
}
