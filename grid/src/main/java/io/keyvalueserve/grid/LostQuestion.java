package io.keyvalueserve.grid;

import io.keyvalueserve.grid.question.Answerers;
import io.keyvalueserve.grid.question.MemberAnswer;
import io.keyvalueserve.grid.question.Questioner;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The question to all members that hold data, which of their partitions have no copy left. */
final class LostQuestion {
  private static final String TOPIC = "lost";
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private LostQuestion() {}

  /**
   * The members' answers together.
   *
   * @param complete whether all of them gave an answer
   * @param lost the partitions without a copy, sorted
   */
  record Answer(boolean complete, List<Integer> lost) {
    Answer {
      lost = List.copyOf(lost);
    }

    /** Returns whether all members have said that they have lost none. */
    boolean none() {
      return complete && lost.isEmpty();
    }
  }

  /**
   * Has this member answer.
   *
   * @param held the partitions that it owns and that have no copy left
   */
  static void answer(Answerers answerers, Supplier<List<Integer>> held) {
    answerers.add(
        TOPIC,
        question -> held.get().stream().map(String::valueOf).collect(Collectors.joining(",")));
  }

  /**
   * Asks all members that hold data. Blocks.
   *
   * @param here what is known without asking: what this member has lost
   */
  static Answer ask(Questioner questioner, List<Integer> here) {
    NavigableSet<Integer> lost = new TreeSet<>(here);
    boolean complete = true;
    for (MemberAnswer answer : questioner.ask(TOPIC, "", PATIENCE)) {
      String text = answer.text();
      if (text == null) {
        complete = false;
      } else if (!text.isEmpty()) {
        Arrays.stream(text.split(",", -1)).map(Integer::valueOf).forEach(lost::add);
      }
    }
    return new Answer(complete, List.copyOf(lost));
  }
}
