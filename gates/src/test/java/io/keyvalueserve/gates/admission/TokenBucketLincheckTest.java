package io.keyvalueserve.gates.admission;

import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/**
 * Goal: takes and charges of many threads have an order in which one thread could have made them.
 * Method: Lincheck in stress mode; each operation has a time of its own, forwards or backwards.
 */
@Param(name = "amount", gen = IntGen.class, conf = "0:7")
@Param(name = "second", gen = IntGen.class, conf = "0:9")
public class TokenBucketLincheckTest {
  private static final int BURST = 5;
  private static final long SECOND = 1_000_000_000;

  private final TokenBucket bucket = new TokenBucket(1, BURST, 0);

  @Test
  void takesAndChargesAreLinearizable() {
    new StressOptions()
        .iterations(12)
        .invocationsPerIteration(500)
        .threads(3)
        .actorsBefore(1)
        .actorsPerThread(4)
        .actorsAfter(2)
        .sequentialSpecification(Plain.class)
        .minimizeFailedScenario(false)
        .check(TokenBucketLincheckTest.class);
  }

  @Operation
  public boolean take(@Param(name = "amount") int amount, @Param(name = "second") int second) {
    return bucket.take(amount, second * SECOND) == 0;
  }

  @Operation
  public void charge(@Param(name = "amount") int amount, @Param(name = "second") int second) {
    bucket.charge(amount, second * SECOND);
  }

  @Operation
  public long available(@Param(name = "second") int second) {
    return bucket.available(second * SECOND);
  }

  /** What a bucket of one token a second should be. */
  public static final class Plain {
    private long used;

    public boolean take(int amount, int second) {
      if (available(second) < Math.min(amount, BURST)) {
        return false;
      }
      charge(amount, second);
      return true;
    }

    public void charge(int amount, int second) {
      used = Math.max(used, second) + amount;
    }

    public long available(int second) {
      return Math.min(BURST, second + BURST - used);
    }
  }
}
