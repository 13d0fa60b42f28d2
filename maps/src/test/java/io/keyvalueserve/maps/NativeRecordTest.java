package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Views of records stay true, or say that there is nothing, whatever becomes of the record. */
final class NativeRecordTest {
  @Test
  void showsTheValueThatIsThereNow() {
    try (Entries test = new Entries()) {
      NativeRecord record = test.put("k", "one");
      record.setVersion(4);
      record.setHits(9);
      record.setCreationTime(1_700_000_000_000L);
      test.replace("k", "two");
      assertThat(record.getValue()).isEqualTo(Entries.data("two"));
      assertThat(record.getVersion()).isEqualTo(4);
      assertThat(record.getHits()).isEqualTo(9);
      assertThat(record.getCreationTime()).isEqualTo(1_700_000_000_000L);
    }
  }

  @Test
  void showsNothingOnceTheEntryIsRemoved() {
    try (Entries test = new Entries()) {
      NativeRecord record = test.put("k", "one");
      test.remove("k");
      for (int i = 0; i < 10_000; i++) { // so that its block is used anew
        NativeRecord _ = test.put("other-" + i, "two");
      }
      assertThat(record.getValue()).isNull();
      record.setVersion(3);
      assertThat(record.getVersion()).isZero();
      NativeRecord _ = test.put("k", "three");
      assertThat(record.getValue()).isEqualTo(Entries.data("three"));
    }
  }

  @Test
  void showsNothingAfterTheEnd() {
    try (Entries test = new Entries()) {
      NativeRecord record = test.put("k", "one");
      test.entries.close();
      assertThat(record.getValue()).isNull();
      assertThat(test.entries.size()).isZero();
      assertThat(test.bytes.sum()).isZero();
      assertThatThrownBy(() -> test.put("k", "two"))
          .isInstanceOf(RetryableHazelcastException.class);
    }
  }

  @Test
  void keepsItsPartsOnTheHeapUntilItIsStored() {
    try (Entries test = new Entries()) {
      NativeRecord record =
          new NativeRecord(
              NativeRecord.Kind.LAST_ACCESS, test.entries, Entries.data("k"), Entries.data("one"));
      record.setVersion(2);
      record.setLastAccessTime(1_700_000_000_000L);
      assertThat(record.getLastAccessTime()).isEqualTo(1_700_000_000_000L);
      record.setValue(Entries.data("two"));
      assertThat(record.getValue()).isEqualTo(Entries.data("two"));
      assertThat(record.getVersion()).isEqualTo(2);
      assertThat(record.getCreationTime()).as("not kept").isEqualTo(-1);
      assertThat(test.entries.size()).isZero();
    }
  }

  @Test
  void isReadWholeByAnyThreadWhileItChanges() {
    try (Entries test = new Entries()) {
      NativeRecord record = test.put("k", value(0));
      AtomicBoolean stop = new AtomicBoolean();
      CompletableFuture<Set<Data>> reader =
          CompletableFuture.supplyAsync(
              () -> {
                Set<Data> seen = new HashSet<>();
                while (!stop.get()) {
                  seen.add(record.getValue());
                }
                return seen;
              });
      Set<Data> written = new HashSet<>(Set.of(Entries.data(value(0))));
      for (int i = 0; i < 50_000; i++) {
        test.replace("k", value(i % 100));
        written.add(Entries.data(value(i % 100)));
      }
      stop.set(true);
      assertThat(written).containsAll(reader.join());
    }
  }

  @Test
  void iteratesOverWhatStaysWhileAllElseComesAndGoes() {
    try (Entries test = new Entries()) {
      for (int i = 0; i < 1_000; i++) {
        NativeRecord _ = test.put("stays-" + i, i);
        NativeRecord _ = test.put("goes-" + i, i);
      }
      NativeIterator iterator = new NativeIterator(test.entries, NativeRecord.Kind.SIMPLE);
      List<String> seen = new ArrayList<>();
      for (int i = 0; iterator.hasNext(); i++) {
        var entry = iterator.next();
        assertThat(entry.getValue().getValue()).isNotNull();
        seen.add(Entries.SERIALIZATION.toObject(entry.getKey()));
        if (i < 1_000 && test.entries.contains(Entries.data("goes-" + i))) {
          test.remove("goes-" + i);
          NativeRecord _ = test.put("comes-" + i, i);
        }
      }
      assertThat(seen).doesNotHaveDuplicates();
      assertThat(seen.stream().filter(key -> key.startsWith("stays-"))).hasSize(1_000);
    }
  }

  private static String value(int i) {
    return ("value " + i + " ").repeat(1 + i % 7);
  }
}
