package io.keyvalueserve.grid.external;

import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.grid.external.Settlement.End;
import io.keyvalueserve.grid.question.Answerers;
import io.keyvalueserve.grid.question.MemberAnswer;
import io.keyvalueserve.grid.question.Questioner;
import io.keyvalueserve.maps.NativeMaps;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The questions to all members that hold data, what is between maps and their external stores. Each
 * answers for the partitions that it owns. Thread-safe; asking blocks.
 */
public final class StoreQuestions {
  private static final String STATUS = "stores.status";
  private static final String DEAD = "stores.dead";
  private static final String RETRY = "stores.retry";
  private static final String DISCARD = "stores.discard";
  private static final Duration PATIENCE_FOR_STATUS = Duration.ofSeconds(2);
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** Less than others wait for the answer. */
  private static final long PATIENCE_OF_ANSWERER_MILLIS = 15_000;

  private final Questioner questioner;
  private final ExternalStores stores;
  private final LocalLetters letters;

  /** Asks for this member, and has it answer from now on. */
  public StoreQuestions(
      Questioner questioner,
      Answerers answerers,
      ExternalStores stores,
      NativeMaps maps,
      NodeEngine nodeEngine) {
    this.questioner = questioner;
    this.stores = stores;
    this.letters = new LocalLetters(maps, nodeEngine);
    answerers.add(STATUS, this::answerStatus);
    answerers.add(DEAD, this::answerDead);
    answerers.add(RETRY, text -> answerEnd(text, End.RETRIED));
    answerers.add(DISCARD, text -> answerEnd(text, End.DISCARDED));
  }

  /**
   * The figures of all members together.
   *
   * @param maps by their names in the grid; a map without a store is not there
   * @param silent the addresses of members that gave no answer
   */
  public record Statuses(Map<String, MapStoreStatus> maps, List<String> silent) {
    public Statuses {
      maps = Map.copyOf(maps);
      silent = List.copyOf(silent);
    }
  }

  /**
   * Dead letters of a map.
   *
   * @param letters the oldest first
   * @param total how many there are at the members that gave an answer
   * @param silent the addresses of members that gave no answer
   */
  public record DeadLetters(List<DeadLetter> letters, long total, List<String> silent) {
    public DeadLetters {
      letters = List.copyOf(letters);
      silent = List.copyOf(silent);
    }
  }

  /**
   * The end of dead letters.
   *
   * @param count how many have ended
   * @param silent the addresses of members that gave no answer: theirs may have ended or not
   */
  public record Ended(long count, List<String> silent) {
    public Ended {
      silent = List.copyOf(silent);
    }
  }

  /** Returns what is between all maps and their stores. */
  public Statuses status() {
    return askForStatus("");
  }

  /** Returns what is between a map and its store; of no map if nothing is behind it. */
  public Statuses status(String map) {
    return askForStatus(map);
  }

  private Statuses askForStatus(String map) {
    Map<String, MapStoreStatus> all = new HashMap<>();
    List<String> silent =
        ask(
            STATUS,
            map,
            PATIENCE_FOR_STATUS,
            text ->
                StoreQuestionCodec.decodeStatuses(text)
                    .forEach((name, status) -> all.merge(name, status, MapStoreStatus::plus)));
    return new Statuses(all, silent);
  }

  /**
   * Returns the oldest dead letters of a map.
   *
   * @param most how many at most: 1 or more
   */
  public DeadLetters deadLetters(String map, int most) {
    List<DeadLetter> all = new ArrayList<>();
    long[] total = new long[1];
    List<String> silent =
        ask(
            DEAD,
            StoreQuestionCodec.encode(new StoreQuestionCodec.Asked(map, most)),
            PATIENCE,
            text -> {
              LocalLetters.Found found = StoreQuestionCodec.decodeFound(text);
              all.addAll(found.letters());
              total[0] += found.total();
            });
    all.sort(LocalLetters.OLDEST_FIRST);
    return new DeadLetters(all.subList(0, Math.min(most, all.size())), total[0], silent);
  }

  /**
   * Has dead letters of a map written once more, soon.
   *
   * @param numbers those of them; null for all
   */
  public Ended retry(String map, @Nullable Set<LetterNumber> numbers) {
    return end(RETRY, map, numbers);
  }

  /**
   * Discards dead letters of a map: what the store has holds.
   *
   * @param numbers those of them; null for all
   */
  public Ended discard(String map, @Nullable Set<LetterNumber> numbers) {
    return end(DISCARD, map, numbers);
  }

  private Ended end(String topic, String map, @Nullable Set<LetterNumber> numbers) {
    long[] count = new long[1];
    List<String> silent =
        ask(
            topic,
            StoreQuestionCodec.encode(new StoreQuestionCodec.Wish(map, numbers)),
            PATIENCE,
            text -> count[0] += Long.parseLong(text));
    return new Ended(count[0], silent);
  }

  /** Returns the members that gave no answer. */
  private List<String> ask(
      String topic, String question, Duration patience, Consumer<String> answers) {
    List<String> silent = new ArrayList<>();
    for (MemberAnswer answer : questioner.ask(topic, question, patience)) {
      String text = answer.text();
      if (text == null) {
        silent.add(answer.member());
      } else {
        answers.accept(text);
      }
    }
    return silent;
  }

  // ---- answers

  private String answerStatus(String map) {
    Map<String, MapStoreStatus> all = stores.status();
    if (map.isEmpty()) {
      stores.lookAgain();
      return StoreQuestionCodec.encode(all);
    }
    MapStoreStatus status = all.get(map);
    return StoreQuestionCodec.encode(status == null ? Map.of() : Map.of(map, status));
  }

  private String answerDead(String text) {
    StoreQuestionCodec.Asked asked = StoreQuestionCodec.decodeAsked(text);
    return StoreQuestionCodec.encode(letters.oldest(asked.map(), asked.limit()));
  }

  private String answerEnd(String text, End end) {
    StoreQuestionCodec.Wish wish = StoreQuestionCodec.decodeWish(text);
    long count = letters.end(wish.map(), wish.numbers(), end, PATIENCE_OF_ANSWERER_MILLIS);
    stores.ended(wish.map(), end == End.DISCARDED ? count : 0);
    return Long.toString(count);
  }
}
