package io.keyvalueserve.grid.external;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.impl.SerializationConstants;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.grid.external.Settlement.End;
import io.keyvalueserve.grid.space.KeyText;
import io.keyvalueserve.maps.NativeMaps;
import io.keyvalueserve.maps.WriteQueue;
import io.keyvalueserve.maps.external.QueuedWrite;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The dead letters of maps in the partitions that this member owns. Thread-safe. */
final class LocalLetters {
  static final Comparator<DeadLetter> OLDEST_FIRST =
      Comparator.comparingLong(DeadLetter::sinceMillis)
          .thenComparingInt(letter -> letter.number().partition())
          .thenComparingLong(letter -> letter.number().number());

  private static final int MOST_KEY_CHARS = 256;
  private static final int MOST_AT_ONCE = 500;

  private final NativeMaps maps;
  private final NodeEngine nodeEngine;

  LocalLetters(NativeMaps maps, NodeEngine nodeEngine) {
    this.maps = maps;
    this.nodeEngine = nodeEngine;
  }

  /**
   * Some dead letters.
   *
   * @param total how many there are
   */
  record Found(List<DeadLetter> letters, long total) {}

  private interface Visitor {
    void visit(int partition, Data key, QueuedWrite letter);
  }

  /** Finds the oldest dead letters of a map. */
  Found oldest(String map, int most) {
    PriorityQueue<DeadLetter> kept = new PriorityQueue<>(OLDEST_FIRST.reversed());
    long[] total = new long[1];
    KeyText text = new KeyText();
    visit(
        map,
        (partition, key, letter) -> {
          total[0]++;
          if (kept.size() == most
              && Objects.requireNonNull(kept.peek()).sinceMillis() <= letter.sinceMillis()) {
            return;
          }
          kept.add(letter(partition, key, letter, text));
          if (kept.size() > most) {
            DeadLetter _ = kept.remove();
          }
        });
    List<DeadLetter> letters = new ArrayList<>(kept);
    letters.sort(OLDEST_FIRST);
    return new Found(letters, total[0]);
  }

  /**
   * Ends dead letters of a map. Blocks.
   *
   * @param numbers those that end; null for all
   * @return how many have ended
   */
  long end(String map, @Nullable Set<LetterNumber> numbers, End end, long patienceMillis) {
    List<List<Settlement>> settlements = new ArrayList<>();
    for (int partition = 0; partition < maps.partitionCount(); partition++) {
      settlements.add(new ArrayList<>());
    }
    visit(
        map,
        (partition, key, letter) -> {
          if (numbers == null || numbers.contains(new LetterNumber(partition, letter.number()))) {
            settlements.get(partition).add(new Settlement(key, letter.number(), end, null));
          }
        });
    return settle(map, settlements, System.nanoTime() + patienceMillis * 1_000_000);
  }

  private long settle(String map, List<List<Settlement>> settlements, long endNanos) {
    List<CompletableFuture<Integer>> counts = new ArrayList<>();
    for (int partition = 0; partition < settlements.size(); partition++) {
      List<Settlement> all = settlements.get(partition);
      for (int from = 0; from < all.size(); from += MOST_AT_ONCE) {
        List<Settlement> some = all.subList(from, Math.min(all.size(), from + MOST_AT_ONCE));
        counts.add(
            nodeEngine
                .getOperationService()
                .<Integer>invokeOnPartitionAsync(
                    MapService.SERVICE_NAME, new SettleOperation(map, List.copyOf(some)), partition)
                .toCompletableFuture());
      }
    }
    long sum = 0;
    for (CompletableFuture<Integer> count : counts) {
      long left = Math.max(0, endNanos - System.nanoTime());
      sum += count.orTimeout(left, TimeUnit.NANOSECONDS).join();
    }
    return sum;
  }

  private void visit(String map, Visitor visitor) {
    for (int partition = 0; partition < maps.partitionCount(); partition++) {
      WriteQueue queue = maps.ownedMillis(partition) < 0 ? null : maps.writeQueue(map, partition);
      if (queue != null && queue.size() > 0) {
        int at = partition;
        boolean _ =
            queue.visit(
                (key, write) -> {
                  if (write.isDead()) {
                    visitor.visit(at, key, write);
                  }
                  return true;
                });
      }
    }
  }

  private static DeadLetter letter(int partition, Data key, QueuedWrite write, KeyText text) {
    Data value = write.value();
    return new DeadLetter(
        new LetterNumber(partition, write.number()),
        text(key, text),
        value == null,
        String.valueOf(write.refused()),
        write.sinceMillis(),
        value == null ? 0 : bytes(value));
  }

  private static @Nullable String text(Data key, KeyText text) {
    byte[] bytes = key.toByteArray();
    if (!text.read(bytes, 0, bytes.length)) {
      return null;
    }
    int most = Math.min(text.length(), MOST_KEY_CHARS * 4); // a character has 4 bytes at most
    return printable(new String(text.bytes(), text.offset(), most, StandardCharsets.UTF_8));
  }

  /** Returns a text that moves no cursor and turns no line around, and is not too long. */
  static String printable(String text) {
    StringBuilder printable = new StringBuilder();
    for (int at = 0; at < text.length(); at += Character.charCount(text.codePointAt(at))) {
      int next = text.codePointAt(at);
      if (printable.length() + Character.charCount(next) > MOST_KEY_CHARS) {
        break;
      }
      printable.appendCodePoint(isPrintable(next) ? next : '?');
    }
    return printable.toString();
  }

  private static boolean isPrintable(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }

  /** Returns the size of a value without what serialization adds to a text or an array. */
  private static long bytes(Data value) {
    return switch (value.getType()) {
      case SerializationConstants.CONSTANT_TYPE_STRING,
          SerializationConstants.CONSTANT_TYPE_BYTE_ARRAY,
          SerializationConstants.JAVASCRIPT_JSON_SERIALIZATION_TYPE ->
          Math.max(0, value.dataSize() - Integer.BYTES);
      default -> value.dataSize();
    };
  }
}
