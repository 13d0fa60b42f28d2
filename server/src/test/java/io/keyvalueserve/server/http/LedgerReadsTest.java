package io.keyvalueserve.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.tenancy.TenantName;
import org.junit.jupiter.api.Test;

/** A tenant reads its ledger once at a time. */
class LedgerReadsTest {
  private static final TenantName ACME = new TenantName("acme");
  private static final TenantName OTHER = new TenantName("other");

  private final LedgerReads reads = new LedgerReads();

  @Test
  void aSecondReadAtOnceIsToldToComeAgain() {
    int answer =
        reads.one(
            ACME,
            () -> {
              assertThatThrownBy(() -> reads.one(ACME, () -> 2))
                  .isInstanceOfSatisfying(
                      HttpErrors.Refused.class,
                      refused -> {
                        assertThat(refused.status().code()).isEqualTo(503);
                        assertThat(refused.code()).isEqualTo("busy");
                        assertThat(refused.retryAfterSeconds()).isPositive();
                      });
              return reads.one(OTHER, () -> 3);
            });
    assertThat(answer).isEqualTo(3);
  }

  @Test
  void aReadThatFailsMakesRoomForTheNext() {
    assertThatThrownBy(
            () ->
                reads.one(
                    ACME,
                    () -> {
                      throw new IllegalStateException("the ledger cannot be reached");
                    }))
        .isInstanceOf(IllegalStateException.class);
    assertThat(reads.<Integer>one(ACME, () -> 1)).isEqualTo(1);
  }
}
