package io.keyvalueserve.engine.collection;

import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.Outcome.Failure;
import io.keyvalueserve.engine.Outcome.Failure.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;

/**
 * Elements that are chosen at random. The same seed chooses the same.
 *
 * <p>A few of many elements are chosen by their places. If most places turn out to be empty, as
 * what was there has expired, all elements are looked through.
 */
final class Sample {
  /** No more elements are chosen, if each may be chosen again. */
  private static final long MOST_AGAIN = 100_000;

  /** If more than one element in so many is chosen, all are looked through. */
  private static final int MANY = 3;

  /** The number of places that may be looked at for an element, on average. */
  private static final long MOST_LOOKS = 32;

  private Sample() {}

  /**
   * Chooses elements.
   *
   * @param size how many elements there are
   * @param places where they are
   * @param count so many, each once at most, in no order; if negative, as many as its magnitude,
   *     each any number of times
   * @param add adds one that was chosen to the answer
   */
  static <T> Outcome of(
      long size, Places<T> places, long count, long seed, BiConsumer<T, Answer> add) {
    SplittableRandom random = new SplittableRandom(seed);
    Answer answer = new Answer();
    if (count >= 0) {
      if (Math.min(count, size) > Answer.MOST_ELEMENTS) {
        return Answer.tooLong();
      }
      distinct(size, places, count, random).forEach(each -> add.accept(each, answer));
      return answer.outcome();
    }
    if (size == 0) {
      return answer.outcome();
    }
    if (count < -MOST_AGAIN) {
      return new Failure(
          Kind.TOO_COSTLY,
          "at most " + MOST_AGAIN + " elements are chosen at once, if each may be chosen again");
    }
    again(places, -count, random, add, answer);
    return answer.outcome();
  }

  private static <T> void again(
      Places<T> places, long count, SplittableRandom random, BiConsumer<T, Answer> add, Answer to) {
    long looks = MOST_LOOKS * (count + MOST_LOOKS);
    Places<T> from = places;
    for (long left = count; left > 0 && !to.isTooLong(); ) {
      if (looks-- == 0) {
        from = Places.of(all(places));
      }
      T element = from.at(random.nextLong(from.count()));
      if (element != null) {
        add.accept(element, to);
        left--;
      }
    }
  }

  /**
   * Chooses elements, each once.
   *
   * @param size how many elements there are
   * @param count how many, or all if there are fewer
   */
  static <T> List<T> distinct(long size, Places<T> places, long count, SplittableRandom random) {
    if (count <= size / MANY) {
      List<T> chosen = few(places, (int) count, random);
      if (chosen.size() == count) {
        return chosen;
      }
    }
    List<T> all = all(places);
    if (count >= all.size()) {
      return all;
    }
    for (int i = 0; i < count; i++) {
      Collections.swap(all, i, random.nextInt(i, all.size()));
    }
    return all.subList(0, (int) count);
  }

  /** Chooses elements by their places; gives up if too many of these are empty. */
  private static <T> List<T> few(Places<T> places, int count, SplittableRandom random) {
    List<T> chosen = new ArrayList<>(count);
    Set<Long> looked = new HashSet<>();
    long looks = MOST_LOOKS * (count + MOST_LOOKS);
    while (chosen.size() < count && looks-- > 0) {
      long place = random.nextLong(places.count());
      if (looked.add(place)) {
        T element = places.at(place);
        if (element != null) {
          chosen.add(element);
        }
      }
    }
    return chosen;
  }

  private static <T> List<T> all(Places<T> places) {
    List<T> all = new ArrayList<>();
    places.forEach(all::add);
    return all;
  }
}
