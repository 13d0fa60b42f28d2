package io.keyvalueserve.grid;

import io.keyvalueserve.grid.question.Answerers;
import io.keyvalueserve.grid.question.MemberAnswer;
import io.keyvalueserve.grid.question.Questioner;
import io.keyvalueserve.grid.restart.HotRestart;
import io.keyvalueserve.grid.restart.Losses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The question to all members that hold data, what no copy had when they started. */
final class LossesQuestion {
  private static final String TOPIC = "losses";
  private static final String ACKNOWLEDGE = "acknowledge";
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private LossesQuestion() {}

  /**
   * Holds what the members said.
   *
   * @param complete whether all of them gave an answer
   */
  record Answer(boolean complete, Losses losses) {
    /** Returns whether all members have said that nothing is lost. */
    boolean none() {
      return complete && losses.isEmpty();
    }
  }

  /** Has this member answer. */
  static void answer(Answerers answerers, @Nullable HotRestart restart) {
    answerers.add(
        TOPIC,
        question -> {
          if (restart == null) {
            return text(Losses.NONE);
          }
          try {
            return text(
                question.equals(ACKNOWLEDGE) ? restart.acknowledgeLosses() : restart.losses());
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  /** Asks all members that hold data, this one too. Blocks. */
  static Answer ask(Questioner questioner) {
    return ask(questioner, "");
  }

  /** Has them take note that it is known, and says what it was. Blocks. */
  static Answer acknowledge(Questioner questioner) {
    return ask(questioner, ACKNOWLEDGE);
  }

  private static Answer ask(Questioner questioner, String question) {
    Losses all = Losses.NONE;
    boolean complete = true;
    for (MemberAnswer answer : questioner.ask(TOPIC, question, PATIENCE)) {
      String text = answer.text();
      if (text == null) {
        complete = false;
      } else {
        all = all.and(losses(text));
      }
    }
    return new Answer(complete, all);
  }

  /** Places, then a line for each partition, then one for each map. */
  private static String text(Losses losses) {
    StringBuilder text = new StringBuilder().append(losses.places());
    losses.partitions().forEach(partition -> text.append("\np ").append(partition));
    losses
        .records()
        .forEach((map, count) -> text.append("\nm ").append(count).append(' ').append(map));
    return text.toString();
  }

  private static Losses losses(String text) {
    String[] lines = text.split("\n", -1);
    SortedMap<String, Long> records = new TreeMap<>();
    SortedSet<Integer> partitions = new TreeSet<>();
    for (String line : lines) {
      if (line.startsWith("p ")) {
        boolean _ = partitions.add(Integer.valueOf(line.substring(2)));
      } else if (line.startsWith("m ")) {
        int end = line.indexOf(' ', 2);
        Long _ = records.put(line.substring(end + 1), Long.valueOf(line.substring(2, end)));
      }
    }
    return new Losses(records, partitions, Long.parseLong(lines[0]));
  }
}
