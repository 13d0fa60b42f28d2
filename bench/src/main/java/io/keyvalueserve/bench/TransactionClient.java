package io.keyvalueserve.bench;

import io.keyvalueserve.bench.ListTransaction.Append;
import io.keyvalueserve.bench.ListTransaction.Step;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * One client of the cluster, which does one transaction at a time on lists of numbers. A list is a
 * text of numbers, each with a comma behind it; or a list of Redis, if the key says so. Not
 * thread-safe.
 */
abstract class TransactionClient implements AutoCloseable {
  /** How long a request may take before its outcome counts as unknown. */
  static final int PATIENCE_MILLIS = NemesisClient.PATIENCE_MILLIS;

  /** The beginning of names of keys whose values are lists of Redis. */
  private static final String LIST = "l";

  private static final String SEPARATOR = ",";

  private final String door;
  private final int member;

  /** Tells what became of a transaction. */
  sealed interface Answer {
    /** The way in which it was done, for reports. */
    String way();

    /**
     * It was carried out.
     *
     * @param steps with what was read
     */
    record Done(String way, List<Step> steps) implements Answer {}

    /**
     * It was not carried out.
     *
     * @param why the kind of error
     */
    record NotDone(String way, String why) implements Answer {}

    /**
     * It may have been carried out, or may yet be.
     *
     * @param why the kind of error
     * @param steps what it did if it was, without reads whose answer is not known
     */
    record Unknown(String way, String why, List<Step> steps) implements Answer {}
  }

  /**
   * @param door how its door is called in reports
   * @param member that it talks to, from 1; 0 if it talks to all
   */
  TransactionClient(String door, int member) {
    this.door = door;
    this.member = member;
  }

  /** How its door is called in reports. */
  final String door() {
    return door;
  }

  /** The member that it talks to, from 1; 0 if it talks to all. */
  final int member() {
    return member;
  }

  /** Returns whether it can use keys whose values are lists of Redis. */
  boolean hasLists() {
    return false;
  }

  /**
   * Does one transaction, in a way that is drawn. It may do less than was planned, and read more.
   * The connection is made again after it has failed.
   *
   * @param plan what to do; what its reads find is not known yet
   */
  abstract Answer perform(List<Step> plan, SplittableRandom random);

  @Override
  public abstract void close();

  /** A key that no other has. */
  static String key(boolean isList, int round, int number) {
    return (isList ? LIST : "s") + round + "." + number;
  }

  /** Returns whether the value of a key is a list of Redis. */
  static boolean isList(String key) {
    return key.startsWith(LIST);
  }

  /** Returns an element as it is in a text. */
  static String text(long element) {
    return element + SEPARATOR;
  }

  /**
   * The elements of a text.
   *
   * @throws BenchException if it is not made of numbers with a comma behind each
   */
  static List<Long> elements(String text) {
    List<Long> elements = new ArrayList<>();
    int from = 0;
    for (int end; (end = text.indexOf(SEPARATOR, from)) >= 0; from = end + 1) {
      try {
        elements.add(Long.parseLong(text, from, end, 10));
      } catch (NumberFormatException e) {
        throw new BenchException("a value is not made of numbers: " + text, e);
      }
    }
    if (from != text.length()) {
      throw new BenchException("a value ends within a number: " + text);
    }
    return elements;
  }

  /** The elements that a plan adds to each of its keys; none to those that are only read. */
  static Map<String, List<Long>> additions(List<Step> plan) {
    Map<String, List<Long>> additions = new LinkedHashMap<>();
    for (Step step : plan) {
      List<Long> own = additions.computeIfAbsent(step.key(), _ -> new ArrayList<>());
      if (step instanceof Append(String _, long element)) {
        own.add(element);
      }
    }
    return additions;
  }

  /** A text with more elements at its end. */
  static String longer(String text, List<Long> more) {
    StringBuilder longer = new StringBuilder(text);
    more.forEach(element -> longer.append(text(element)));
    return longer.toString();
  }

  /** The steps of one that reads each key, and then adds to some. */
  static List<Step> readThenAppend(
      Map<String, List<Long>> found, Map<String, List<Long>> additions) {
    List<Step> steps = new ArrayList<>();
    found.forEach((key, elements) -> steps.add(new ListTransaction.Read(key, elements)));
    additions.forEach(
        (key, elements) -> elements.forEach(element -> steps.add(new Append(key, element))));
    return steps;
  }
}
