package io.keyvalueserve.billing.metering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.Persistence;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class UsageBookTest {
  private static final UUID MEMBER = new UUID(1, 2);
  private static final TenantName ACME = new TenantName("acme");
  private static final QualifiedName ORDERS = new QualifiedName(ACME, new MapName("orders"));

  private final UsageBook book = new UsageBook(MEMBER, 3);

  private UsageMeter meter(@Nullable QualifiedName map, SharingLevel sharing) {
    return book.meter(ACME, 7, map, sharing);
  }

  @Test
  void aFlushTellsWhatWasCountedSinceTheLast() {
    UsageMeter meter = meter(ORDERS, SharingLevel.SHARED);
    meter.request(Measure.WRITES, 2, 100, 5);
    meter.add(Measure.RESIDENT_BYTES, 6_000);
    assertThat(book.flush(1_000))
        .containsExactly(
            new UsageEvent(
                new UsageIdentity(MEMBER, 3, 0, ACME, 7, ORDERS, SharingLevel.SHARED, 1_000),
                UsageQuantities.of(
                    Map.of(
                        Measure.WRITES,
                        2L,
                        Measure.BYTES_IN,
                        100L,
                        Measure.BYTES_OUT,
                        5L,
                        Measure.RESIDENT_BYTES,
                        6_000L))));
    assertThat(book.flush(1_001)).as("nothing since").isEmpty();
    meter.add(Measure.WRITES, 1);
    assertThat(book.flush(1_002))
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.identity().interval()).isEqualTo(2);
              assertThat(event.quantities().toMap()).isEqualTo(Map.of(Measure.WRITES, 1L));
            });
  }

  @Test
  void howAMapIsKeptIsToldAsItIsWhenItIsFlushed() {
    UsageMeter orders = meter(ORDERS, SharingLevel.SHARED);
    UsageMeter ofNoMap = meter(null, SharingLevel.SHARED);
    orders.add(Measure.RESIDENT_BYTES, 1);
    assertThat(book.flush(1_000).getFirst().identity().persistence())
        .isEqualTo(Persistence.DEFAULT);
    book.keepBy(map -> map.equals(ORDERS) ? Persistence.DURABLE : Persistence.MEMORY);
    orders.add(Measure.RESIDENT_BYTES, 1);
    ofNoMap.add(Measure.RESIDENT_BYTES, 1);
    assertThat(book.flush(1_001))
        .extracting(event -> event.identity().map(), event -> event.identity().persistence())
        .containsExactlyInAnyOrder(
            tuple(ORDERS, Persistence.DURABLE), tuple(null, Persistence.DEFAULT));
  }

  @Test
  void whatIsSharedIsToldAsWhatItIsWhenItIsFlushed() {
    Set<Integer> reserving = new HashSet<>();
    book.shareBy(
        (tenant, map) ->
            reserving.contains(tenant) && ORDERS.equals(map)
                ? SharingLevel.RESERVED_MAP
                : SharingLevel.SHARED);
    UsageMeter orders = meter(ORDERS, SharingLevel.SHARED);
    UsageMeter apart = meter(null, SharingLevel.SHARED);
    for (SharingLevel expected :
        List.of(SharingLevel.SHARED, SharingLevel.RESERVED_MAP, SharingLevel.SHARED)) {
      if (!reserving.remove(7) && expected == SharingLevel.RESERVED_MAP) {
        reserving.add(7); // the session has the meter that it had before
      }
      orders.add(Measure.READS, 2);
      apart.add(Measure.CONNECTIONS, 1);
      assertThat(book.sharing(7, ORDERS)).isEqualTo(expected);
      List<UsageEvent> events = book.flush(1);
      assertThat(events).hasSize(2);
      for (UsageEvent event : events) {
        assertThat(event.identity().sharing())
            .isEqualTo(event.identity().map() == null ? SharingLevel.SHARED : expected);
      }
    }
  }

  @Test
  void mapsAndSharingLevelsAreCountedApart() {
    UsageMeter[] all = {
      meter(ORDERS, SharingLevel.SHARED),
      meter(ORDERS, SharingLevel.RESERVED_MAP),
      meter(null, SharingLevel.SHARED)
    };
    for (UsageMeter each : all) {
      each.add(Measure.READS, 1);
    }
    meter(ORDERS, SharingLevel.SHARED).add(Measure.READS, 1);
    List<UsageEvent> events = book.flush(1);
    assertThat(events).hasSize(3);
    assertThat(events)
        .extracting(event -> event.quantities().of(Measure.READS))
        .containsExactlyInAnyOrder(2L, 1L, 1L);
    assertThat(events.stream().map(UsageEvent::identity)).doesNotHaveDuplicates();
  }

  @Test
  void aSampleTellsWhatWasCountedSinceTheLastWhetherFlushedOrNot() {
    UsageMeter meter = meter(ORDERS, SharingLevel.SHARED);
    meter.add(Measure.READS, 1);
    assertThat(book.sample()).extracting(each -> each.quantities().of(Measure.READS)).contains(1L);
    meter.add(Measure.READS, 2);
    assertThat(book.flush(1)).hasSize(1);
    meter.add(Measure.READS, 3);
    assertThat(book.sample())
        .containsExactly(
            new UsageBook.Sample(7, ORDERS, UsageQuantities.of(Map.of(Measure.READS, 5L))));
    assertThat(book.sample()).as("nothing since").isEmpty();
    assertThat(book.flush(2))
        .as("a sample takes nothing from the bill")
        .singleElement()
        .satisfies(event -> assertThat(event.quantities().of(Measure.READS)).isEqualTo(3));
  }

  @Test
  void countersThatWentAwayAreInTheNextSample() {
    assertThat(book.sample()).isEmpty();
    book.meter(ACME, 7, ORDERS, SharingLevel.SHARED).add(Measure.READS, 4);
    while (book.size() > 0) {
      System.gc();
      List<UsageEvent> _ = book.flush(1);
    }
    assertThat(book.sample())
        .containsExactly(
            new UsageBook.Sample(7, ORDERS, UsageQuantities.of(Map.of(Measure.READS, 4L))));
  }

  @Test
  void countersThatWrapAroundStillTellDifferences() {
    UsageMeter meter = meter(ORDERS, SharingLevel.SHARED);
    for (int i = 0; i < 5; i++) {
      meter.add(Measure.BYTES_IN, Long.MAX_VALUE);
      assertThat(book.flush(i).getFirst().quantities().of(Measure.BYTES_IN))
          .isEqualTo(Long.MAX_VALUE);
    }
  }

  @Test
  void numbersOutOfRangeAreNamed() {
    UsageMeter meter = meter(ORDERS, SharingLevel.SHARED);
    meter.add(Measure.READS, 1);
    assertThatThrownBy(() -> meter.add(Measure.READS, -1))
        .hasMessage("what is counted is 0 or more: reads -1");
    assertThatThrownBy(() -> book.flush(-1)).hasMessageStartingWith("minute is 0 to ");
    assertThat(book.flush(0)).as("nothing is lost by that").hasSize(1);
    assertThatThrownBy(() -> book.meter(ACME, 0, null, SharingLevel.SHARED))
        .hasMessage("tenantNumber is 1 or more: 0");
    assertThatThrownBy(() -> new UsageBook(MEMBER, -1)).hasMessage("incarnation is 0 or more: -1");
  }

  /**
   * Goal: every count is in exactly one event. Method: threads count on meters that they keep, get
   * anew and forget, while one flushes and asks for collections; in the end all events together are
   * all counts together, by tenant and measure.
   */
  @Test
  void nothingIsLostAndNothingIsCountedTwice() throws Exception {
    int threads = 4;
    int counts = 25_000;
    AtomicInteger running = new AtomicInteger(threads);
    CountDownLatch begin = new CountDownLatch(1);
    List<Map<String, Long>> counted = new ArrayList<>();
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Map<String, Long> mine = new HashMap<>();
      counted.add(mine);
      Random random = new Random(i);
      all.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    await(begin);
                    try {
                      count(random, counts, mine);
                    } finally {
                      running.decrementAndGet();
                    }
                  }));
    }
    List<UsageEvent> events = new ArrayList<>();
    begin.countDown();
    long minute = 0;
    while (running.get() > 0) {
      events.addAll(book.flush(minute++));
      if (minute % 50 == 0) {
        System.gc();
      }
    }
    for (Thread thread : all) {
      thread.join();
    }
    events.addAll(book.flush(minute));
    Map<String, Long> expected = new HashMap<>();
    counted.forEach(mine -> mine.forEach((name, sum) -> expected.merge(name, sum, Long::sum)));
    assertThat(sums(events)).isEqualTo(expected);
    Set<UsageIdentity> identities = new HashSet<>();
    events.forEach(event -> assertThat(identities.add(event.identity())).isTrue());
  }

  private void count(Random random, int counts, Map<String, Long> mine) {
    @Nullable UsageMeter[] kept = new @Nullable UsageMeter[4];
    for (int i = 0; i < counts; i++) {
      int tenant = random.nextInt(kept.length);
      UsageMeter meter = kept[tenant];
      if (meter == null || random.nextInt(20) == 0) {
        meter = book.meter(new TenantName("t" + tenant), 1 + tenant, ORDERS, SharingLevel.SHARED);
        kept[tenant] = random.nextInt(3) == 0 ? null : meter;
      }
      Measure measure = Measure.ofCode(1 + random.nextInt(4));
      long quantity = random.nextInt(1_000);
      meter.add(measure, quantity);
      if (quantity > 0) {
        mine.merge("t" + tenant + measure, quantity, Long::sum);
      }
    }
  }

  private static Map<String, Long> sums(List<UsageEvent> events) {
    Map<String, Long> sums = new HashMap<>();
    for (UsageEvent event : events) {
      event
          .quantities()
          .toMap()
          .forEach(
              (measure, quantity) ->
                  sums.merge(event.identity().tenant().value() + measure, quantity, Long::sum));
    }
    return sums;
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** A meter that is used for the last time, and forgotten, just as the book looks at it. */
  @Test
  void theLastCountBeforeAMeterIsForgottenIsFlushed() {
    UsageCounters counters = new UsageCounters();
    WeakReference<UsageMeter> forgotten =
        new WeakReference<>(new UsageMeter(counters)) {
          @Override
          public @Nullable UsageMeter get() {
            counters.add(Measure.READS, 5);
            return null;
          }
        };
    List<UsageEvent> events = new ArrayList<>();
    UsageBook.Slot left =
        book.flush(
            new UsageBook.Key(ACME, 7, ORDERS, SharingLevel.SHARED),
            new UsageBook.Slot(counters, forgotten),
            1,
            events);
    assertThat(left).isNull();
    assertThat(events)
        .singleElement()
        .satisfies(event -> assertThat(event.quantities().of(Measure.READS)).isEqualTo(5));
  }

  @Test
  void aTenantWithVeryManyMapsHasTheRestCountedAsOfNone() {
    List<UsageMeter> held = new ArrayList<>();
    int more = 500;
    for (int i = 0; i < UsageBook.MOST_MAPS + more; i++) {
      UsageMeter meter = meter(new QualifiedName(ACME, new MapName("m" + i)), SharingLevel.SHARED);
      meter.add(Measure.READS, 1);
      held.add(meter);
    }
    assertThat(book.size()).isEqualTo(UsageBook.MOST_MAPS + 1);
    assertThat(meter(new QualifiedName(ACME, new MapName("m0")), SharingLevel.SHARED))
        .isSameAs(held.getFirst());
    assertThat(book.meter(new TenantName("globex"), 8, ORDERS, SharingLevel.SHARED))
        .as("of another tenant")
        .isNotSameAs(held.getLast());
    assertThat(book.flush(1))
        .filteredOn(event -> event.identity().map() == null)
        .singleElement()
        .satisfies(
            event -> assertThat(event.quantities().of(Measure.READS)).isEqualTo((long) more));
    held.clear();
    for (int tries = 0; tries < 1_000 && book.size() > 0; tries++) {
      System.gc();
      var _ = book.flush(tries);
    }
    UsageMeter again = meter(ORDERS, SharingLevel.SHARED);
    again.add(Measure.READS, 1);
    assertThat(book.flush(1)).singleElement().matches(event -> event.identity().map() != null);
  }

  /** What nobody holds any more is flushed once more, and is gone. */
  @Test
  void countersOfWhatNobodyHoldsGoAwayWithTheirLastCounts() {
    long told = 0;
    for (int i = 0; i < 100; i++) {
      QualifiedName map = new QualifiedName(ACME, new MapName("m" + i));
      meter(map, SharingLevel.SHARED).add(Measure.READS, 1);
    }
    UsageMeter held = meter(ORDERS, SharingLevel.SHARED);
    for (int tries = 0; tries < 1_000 && book.size() > 1; tries++) {
      System.gc();
      told += book.flush(tries).size();
    }
    assertThat(book.size()).as("but the one that is held").isEqualTo(1);
    assertThat(told).isEqualTo(100);
    held.add(Measure.READS, 1);
    assertThat(book.flush(1)).hasSize(1);
  }
}
