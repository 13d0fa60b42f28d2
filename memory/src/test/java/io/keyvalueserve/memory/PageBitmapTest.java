package io.keyvalueserve.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** The bitmap against a plain {@link BitSet}: the same operations, compared after each. */
class PageBitmapTest {

  /** A run that was acquired. */
  private record Run(int page, int pages) {}

  @Property(tries = 300)
  void agreesWithPlainBitSet(@ForAll @IntRange(min = 1, max = 300) int pages, @ForAll long seed) {
    Random random = new Random(seed);
    PageBitmap bitmap = new PageBitmap(pages);
    BitSet model = new BitSet(pages);
    List<Run> runs = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      if (runs.isEmpty() || random.nextInt(100) < 55) {
        int wanted = random.nextBoolean() ? 1 : 1 + random.nextInt(Math.min(pages, 90));
        int page = bitmap.acquire(wanted);
        if (page < 0) {
          assertThat(longestFree(model, pages)).isLessThan(wanted);
        } else {
          assertThat(page + wanted).isLessThanOrEqualTo(pages);
          assertThat(model.get(page, page + wanted).isEmpty()).isTrue();
          model.set(page, page + wanted);
          runs.add(new Run(page, wanted));
        }
      } else {
        Run run = runs.remove(random.nextInt(runs.size()));
        // Now and then only the first part of it.
        int part = random.nextInt(4) == 0 ? 1 + random.nextInt(run.pages()) : run.pages();
        bitmap.release(run.page(), part);
        model.clear(run.page(), run.page() + part);
        if (part < run.pages()) {
          runs.add(new Run(run.page() + part, run.pages() - part));
        }
      }
      assertAgrees(bitmap, model, pages);
    }
    for (Run run : runs) {
      bitmap.release(run.page(), run.pages());
    }
    assertAgrees(bitmap, new BitSet(), pages);
  }

  private static void assertAgrees(PageBitmap bitmap, BitSet model, int pages) {
    assertThat(bitmap.free()).isEqualTo(pages - model.cardinality());
    assertThat(bitmap.largestFreeRun()).isEqualTo(longestFree(model, pages));
    for (int page = 0; page < pages; page++) {
      assertThat(bitmap.isTaken(page)).isEqualTo(model.get(page));
    }
    int free = model.nextClearBit(pages / 2);
    assertThat(bitmap.nextFree(pages / 2)).isEqualTo(free < pages ? free : -1);
    int taken = model.nextSetBit(pages / 2);
    assertThat(bitmap.nextTaken(pages / 2)).isEqualTo(taken < 0 ? pages : taken);
  }

  private static int longestFree(BitSet model, int pages) {
    int longest = 0;
    for (int start = model.nextClearBit(0); start < pages; ) {
      int next = model.nextSetBit(start);
      int end = next < 0 ? pages : next;
      longest = Math.max(longest, end - start);
      start = model.nextClearBit(end);
    }
    return longest;
  }

  @Test
  void keepsSinglePagesTogether() {
    PageBitmap bitmap = new PageBitmap(256);
    for (int page = 0; page < 100; page++) {
      assertThat(bitmap.acquire(1)).isEqualTo(page);
    }
    bitmap.release(7, 1);
    bitmap.release(70, 1);
    assertThat(bitmap.acquire(1)).isEqualTo(7);
    assertThat(bitmap.acquire(1)).isEqualTo(70);
    assertThat(bitmap.acquire(1)).isEqualTo(100);
  }

  @Test
  void findsRunThatBeginsBeforeTheLastOneAndEndsAfterItWasReleased() {
    PageBitmap bitmap = new PageBitmap(128);
    assertThat(bitmap.acquire(60)).isZero();
    assertThat(bitmap.acquire(60)).isEqualTo(60);
    bitmap.release(0, 120);
    assertThat(bitmap.acquire(128)).isZero();
  }

  @Test
  void refusesToReleaseFreePageAndChangesNothing() {
    PageBitmap bitmap = new PageBitmap(100);
    assertThat(bitmap.acquire(10)).isZero();
    bitmap.release(4, 1);
    assertThatThrownBy(() -> bitmap.release(0, 10))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("page=4");
    assertThat(bitmap.free()).isEqualTo(91);
  }
}
