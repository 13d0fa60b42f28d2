package io.keyvalueserve.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One transaction of a client over lists of numbers, with what became of it. Immutable.
 *
 * @param client the client's number
 * @param door the protocol that the client speaks and the way of the transaction, for reports
 * @param invokedNanos when the client sent it
 * @param returnedNanos when the answer arrived; ignored unless it is {@link Outcome#DONE}
 * @param outcome what became of it
 * @param steps what it did, in its order. If it is {@link Outcome#UNKNOWN}, what it did if it was
 *     carried out, without reads whose answer is not known
 */
record ListTransaction(
    int client,
    String door,
    long invokedNanos,
    long returnedNanos,
    Outcome outcome,
    List<Step> steps) {
  private static final int SHOWN = 12;

  /** An outcome of a transaction. */
  enum Outcome {
    /** It was acknowledged. */
    DONE,

    /** It was refused: nothing of it may be seen. */
    NOT_DONE,

    /** Nobody knows. It takes effect as a whole at any time after it was sent, or never. */
    UNKNOWN
  }

  /** A step on one key. A key without a value is an empty list. */
  sealed interface Step {
    /** The key's name. */
    String key();
  }

  /**
   * A whole list was read.
   *
   * @param elements what was in it, in order
   */
  record Read(String key, List<Long> elements) implements Step {
    Read {
      elements = List.copyOf(elements);
    }
  }

  /**
   * A number was added at the end.
   *
   * @param element the number; no other transaction adds it to any key
   */
  record Append(String key, long element) implements Step {}

  ListTransaction {
    if (outcome == Outcome.DONE && returnedNanos < invokedNanos) {
      throw new IllegalArgumentException("a transaction is not valid: it returns before it begins");
    }
    steps = List.copyOf(steps);
  }

  boolean isDone() {
    return outcome == Outcome.DONE;
  }

  /** Returns what it appended. */
  List<Append> appends() {
    List<Append> appends = new ArrayList<>();
    for (Step step : steps) {
      if (step instanceof Append append) {
        appends.add(append);
      }
    }
    return appends;
  }

  /**
   * Returns a line that describes it.
   *
   * @param originNanos the moment from which its times are counted
   */
  String describe(long originNanos) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%s..%s ms, client %d, %s, %s:",
            KeyOperation.millis(invokedNanos, originNanos),
            isDone() ? KeyOperation.millis(returnedNanos, originNanos) : "?",
            client,
            door,
            switch (outcome) {
              case DONE -> "acknowledged";
              case NOT_DONE -> "refused";
              case UNKNOWN -> "not answered";
            }));
    for (Step step : steps) {
      switch (step) {
        case Append(String key, long element) ->
            text.append(" appends ").append(element).append(" to ").append(key).append(';');
        case Read(String key, List<Long> elements) ->
            text.append(
                    outcome == Outcome.NOT_DONE
                        ? " reads "
                        : " reads " + shorten(elements) + " at ")
                .append(key)
                .append(';');
      }
    }
    return text.toString();
  }

  /** Returns a list as a text that leaves out the beginning of a long one. */
  static String shorten(List<Long> elements) {
    return elements.size() <= SHOWN
        ? elements.toString()
        : "[%d more, %s"
            .formatted(
                elements.size() - SHOWN,
                elements.subList(elements.size() - SHOWN, elements.size()).toString().substring(1));
  }
}
