package io.keyvalueserve.billing.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.billing.ledger.TenantLedger.Result;
import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.SharingLevel;
import io.keyvalueserve.billing.metering.UsageEvent;
import io.keyvalueserve.billing.metering.UsageQuantities;
import io.keyvalueserve.tenancy.TenantName;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class TenantLedgerTest {
  private static final Map<Measure, Long> TEN_READS = Map.of(Measure.READS, 10L);

  // Made by another program from the layout that LedgerCodec documents.
  private static final String SEED =
      "a8f6bef68a1fb753f657d7bb33840e0a391229cf2023d32a61e09b52ef97d3ab";

  private static final String FIRST =
      "0101000000070000000000000000a8f6bef68a1fb753f657d7bb33840e0a3912"
          + "29cf2023d32a61e09b52ef97d3ab0000019ca6b1dc7b01000000000000000100"
          + "00000000000000000007000461636d6501000461636d6500026d3101c082ea0d"
          + "010a18453336ad4c55619ae17570ad41f1d05f0b6abedec18187cf6bb6203cab"
          + "e320";

  private static final String SECOND =
      "010200000007000000000000000118453336ad4c55619ae17570ad41f1d05f0b"
          + "6abedec18187cf6bb6203cabe3200000019ca6b1dc7b00000000000000090000"
          + "00000000000000000000000000000000000000000001fffffffffffffffd636f"
          + "756e74656420747769636586aa4b8792f031074bfa34e047d05a70262a098b85"
          + "9a4943b7ce9f998e809940";

  private static Posting.Correction correction(long entry, long reads) {
    return new Posting.Correction(
        new UUID(9, entry), entry, Map.of(Measure.READS, reads), "counted twice");
  }

  /** Entries of today are read, and hashed, by programs of tomorrow. */
  @Test
  void formIsStable() throws Exception {
    Use use = new Use();
    use.post(29_000_000, SharingLevel.SHARED, TEN_READS);
    use.ledger.correct(correction(0, -3), Use.NOW);
    assertThat(use.stored())
        .extracting(bytes -> HexFormat.of().formatHex(bytes))
        .containsExactly(FIRST, SECOND);
    for (LedgerEntry entry : use.ledger.entries()) {
      assertThat(LedgerCodec.decode(LedgerCodec.encode(entry))).isEqualTo(entry);
    }
  }

  @Test
  void anEventCountsOnceHoweverOftenItIsTold() {
    Use use = new Use();
    UsageEvent event = use.post(100, SharingLevel.SHARED, TEN_READS);
    LedgerEntry entry = use.ledger.entries().getFirst();
    assertThat(use.ledger.post(event, Use.NOW.plusSeconds(9))).isEqualTo(new Result.Known(entry));
    assertThat(use.ledger.entries()).containsExactly(entry);
    UsageEvent other =
        new UsageEvent(event.identity(), UsageQuantities.of(Map.of(Measure.READS, 11L)));
    assertThat(use.ledger.post(other, Use.NOW)).isEqualTo(new Result.Conflicting(entry));
    assertThat(use.ledger.entries()).containsExactly(entry);
  }

  @Test
  void eventsOfOthersAreRefused() {
    UsageEvent event = new Use().event(100, SharingLevel.SHARED, TEN_READS);
    assertThat(new TenantLedger(Use.ACME, 8).post(event, Use.NOW))
        .isInstanceOf(Result.Refused.class);
    assertThat(new TenantLedger(new TenantName("other"), 7).post(event, Use.NOW))
        .isInstanceOf(Result.Refused.class);
  }

  @Test
  void correctionsAreEntriesOfTheirOwn() {
    Use use = new Use();
    use.post(100, SharingLevel.SHARED, TEN_READS);
    LedgerEntry before = use.ledger.entries().getFirst();
    Posting.Correction less = correction(0, -4);
    assertThat(use.ledger.correct(less, Use.NOW)).isInstanceOf(Result.Appended.class);
    assertThat(use.ledger.entries()).hasSize(2).first().isEqualTo(before);
    assertThat(use.ledger.correct(less, Use.NOW))
        .isEqualTo(new Result.Known(use.ledger.entries().get(1)));
    assertThat(use.ledger.correct(correction(0, -5), Use.NOW))
        .isInstanceOf(Result.Conflicting.class);
  }

  @Test
  void correctionsThatCannotBeAreRefusedWithTheReason() {
    Use use = new Use();
    use.post(100, SharingLevel.SHARED, TEN_READS);
    assertRefused(use, correction(1, -1), "entry 1 is none of usage");
    assertRefused(use, correction(0, -11), "of 10 reads in entry 0");
    assertRefused(use, correction(0, Long.MAX_VALUE), "of 10 reads");
    use.ledger.correct(correction(0, -6), Use.NOW);
    assertRefused(
        use,
        new Posting.Correction(new UUID(3, 3), 0, Map.of(Measure.READS, -5L), "again"),
        "of 4 reads");
    assertRefused(
        use,
        new Posting.Correction(new UUID(3, 4), 1, Map.of(Measure.READS, 1L), "of a correction"),
        "entry 1 is none of usage");
    assertThatThrownBy(
            () -> new Posting.Correction(new UUID(1, 1), 0, Map.of(Measure.READS, 0L), "x"))
        .hasMessageContaining("none with 0");
    assertThatThrownBy(
            () -> new Posting.Correction(new UUID(1, 1), 0, Map.of(Measure.READS, 1L), " "))
        .hasMessageContaining("reason");
    assertThatThrownBy(
            () -> new Posting.Correction(new UUID(1, 1), 0, Map.of(Measure.READS, 1L), "\ud800"))
        .hasMessageContaining("reason");
  }

  private static void assertRefused(Use use, Posting.Correction correction, String why) {
    assertThat(use.ledger.correct(correction, Use.NOW))
        .isInstanceOfSatisfying(
            Result.Refused.class, refused -> assertThat(refused.why()).contains(why));
  }

  @Test
  void goesOnWhereItWasStored() throws Exception {
    Use use = new Use();
    UsageEvent event = use.post(100, SharingLevel.SHARED, TEN_READS);
    use.ledger.correct(correction(0, -4), Use.NOW);
    TenantLedger again = TenantLedger.open(Use.ACME, 7, use.stored());
    assertThat(again.head()).isEqualTo(use.ledger.head());
    assertThat(again.post(event, Use.NOW)).isInstanceOf(Result.Known.class);
    assertThat(again.correct(correction(0, -4), Use.NOW)).isInstanceOf(Result.Known.class);
    assertThat(
            again.correct(
                new Posting.Correction(new UUID(3, 3), 0, Map.of(Measure.READS, -7L), "x"),
                Use.NOW))
        .isInstanceOf(Result.Refused.class);
    assertThat(again.post(use.event(101, SharingLevel.SHARED, TEN_READS), Use.NOW))
        .isInstanceOfSatisfying(
            Result.Appended.class,
            appended ->
                assertThat(appended.entry().previous())
                    .isEqualTo(use.ledger.entries().get(1).hash()));
  }

  @Test
  void aLedgerIsOfOneTenant() {
    Use use = new Use();
    use.post(100, SharingLevel.SHARED, TEN_READS);
    assertThatThrownBy(() -> TenantLedger.open(new TenantName("other"), 7, use.stored()))
        .isInstanceOf(BrokenLedgerException.class)
        .hasMessageContaining("entry 0 follows one with the hash");
    assertThatThrownBy(() -> TenantLedger.open(Use.ACME, 8, use.stored()))
        .hasMessage("entry 0 is of the tenant with the number 7");
    assertThat(new TenantLedger(Use.ACME, 7).head())
        .isEqualTo(new LedgerHead(0, new EntryHash(SEED)));
  }

  /**
   * One event in two entries, each well-formed: nobody can append that, but somebody can write it.
   */
  @Test
  void anEventInTwoEntriesIsFound() {
    Use use = new Use();
    UsageEvent event = use.post(100, SharingLevel.SHARED, TEN_READS);
    LedgerEntry again =
        LedgerCodec.seal(7, 1, use.ledger.head().hash(), Use.NOW, new Posting.Usage(event));
    List<byte[]> stored = List.of(use.stored().getFirst(), LedgerCodec.encode(again));
    assertThatThrownBy(() -> TenantLedger.open(Use.ACME, 7, stored))
        .isInstanceOfSatisfying(
            BrokenLedgerException.class,
            broken ->
                assertThat(broken.difference())
                    .isEqualTo(new Difference.EventTwice(event.identity(), 0, 1)));
  }

  /** Random bytes, some with a right hash: an exception of its own, or an entry of those bytes. */
  @Property(tries = 300)
  void hasNoOtherAnswerToGarbage(@ForAll Random random) {
    Use use = new Use();
    use.post(random.nextInt(1_000), SharingLevel.SHARED, TEN_READS);
    use.ledger.correct(correction(0, 1), Use.NOW);
    for (int i = 0; i < 50; i++) {
      byte[] bytes = use.stored().get(random.nextInt(2));
      if (i % 8 == 0) {
        bytes = new byte[random.nextInt(200)];
        random.nextBytes(bytes);
      } else if (random.nextBoolean()) {
        bytes = Arrays.copyOf(bytes, 1 + random.nextInt(bytes.length + 20));
      }
      for (int changed = random.nextInt(3); changed > 0 && bytes.length > 0; changed--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      int hashed = bytes.length - EntryHash.BYTES;
      if (hashed >= 0 && random.nextInt(4) > 0) {
        byte[] hash = EntryHash.ofContent(bytes, hashed).bytes();
        System.arraycopy(hash, 0, bytes, hashed, hash.length);
      }
      try {
        assertThat(LedgerCodec.encode(LedgerCodec.decode(bytes))).isEqualTo(bytes);
      } catch (MalformedEntryException e) {
        assertThat(e.getMessage()).isNotEmpty();
      }
    }
  }

  /** One that is extended as it grows elsewhere says what one says that is opened anew. */
  @Test
  void extendsByWhatWasStoredElsewhere() throws Exception {
    Use use = new Use();
    TenantLedger follower = new TenantLedger(Use.ACME, 7);
    for (int i = 0; i < 5; i++) {
      use.post(29_000_000 + i, SharingLevel.SHARED, TEN_READS);
      use.ledger.correct(correction(2L * i, -3), Use.NOW);
      int known = follower.entries().size();
      follower.extend(use.stored().subList(known, use.stored().size()));
      assertThat(follower.head()).isEqualTo(use.ledger.head());
    }
    follower.extend(List.of());
    assertThat(follower.entries()).isEqualTo(use.ledger.entries());
    assertThat(follower.correct(correction(0, -3), Use.NOW))
        .isInstanceOf(TenantLedger.Result.Known.class);
    assertThatThrownBy(() -> follower.extend(use.stored().subList(8, 9)))
        .isInstanceOf(BrokenLedgerException.class)
        .hasMessageContaining("entry 8");
  }
}
