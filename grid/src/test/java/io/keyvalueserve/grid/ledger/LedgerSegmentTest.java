package io.keyvalueserve.grid.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.billing.ledger.LedgerEntry;
import io.keyvalueserve.billing.ledger.Posting;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LedgerSegmentTest {
  private static LedgerSegment with(LedgerSegment segment, long interval) {
    Posting posting =
        new Posting.Usage(LedgerUse.event(1, 0, interval, LedgerUse.ACME, LedgerUse.ACMES, "m"));
    return segment.with(
        List.of(LedgerEntry.after(segment.end().head(), LedgerUse.ACMES, posting, Instant.EPOCH)));
  }

  private final LedgerSegment first =
      with(with(LedgerSegment.first(LedgerUse.ACME, LedgerUse.ACMES), 0), 1);

  /** What is stored today is read by programs of tomorrow. */
  @Test
  void formIsStable() {
    LedgerSegment second = first.next(first.end());
    String form = HexFormat.of().formatHex(second.encode());
    assertThat(form)
        .isEqualTo(
            "01"
                + "00000001"
                + "00000007"
                + "000461636d65"
                + "0000000000000002"
                + "0040"
                + HexFormat.of()
                    .formatHex(first.end().head().hash().hex().getBytes(StandardCharsets.US_ASCII))
                + "00000001"
                + "0000000000000001"
                + "0000000000000001"
                + "0000000000000000"
                + "0000000000000001");
    LedgerSegment read = LedgerSegment.decode(first.encode());
    assertThat(read.encode()).isEqualTo(first.encode());
    assertThat(read.end().head()).isEqualTo(first.end().head());
  }

  @Test
  void isFullByWhatItHas() {
    LedgerSegment segment = first;
    long interval = 2;
    while (!segment.isFull()) {
      segment = with(segment, interval++);
    }
    int bytes = segment.entries().stream().mapToInt(entry -> entry.length).sum();
    assertThat(bytes).isBetween(LedgerSegment.FULL_BYTES, LedgerSegment.FULL_BYTES + 1_000);
    assertThat(segment.next(segment.end()).isFull()).isFalse();
    assertThat(segment.next(segment.end()).before().entries()).isEqualTo(interval);
  }

  @Test
  void refusesWhatIsDamagedOrCutOff() {
    byte[] stored = first.encode();
    for (int length = 0; length < stored.length; length += 7) {
      byte[] cut = Arrays.copyOf(stored, length);
      assertThatThrownBy(() -> LedgerSegment.decode(cut).end())
          .as("%d bytes", length)
          .isInstanceOf(LedgerException.class);
    }
    byte[] later = stored.clone();
    later[0] = 2;
    assertThatThrownBy(() -> LedgerSegment.decode(later)).hasMessageContaining("version 2");
    LedgerSegment gap =
        new LedgerSegment(
            first.tenant(),
            first.tenantNumber(),
            0,
            first.before(),
            first.marks(),
            first.entries().subList(1, 2));
    assertThatThrownBy(gap::end).hasMessageContaining("entry 1 does not follow");
  }
}
