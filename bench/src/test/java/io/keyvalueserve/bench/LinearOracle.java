package io.keyvalueserve.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a small history is linearizable by trying all orders of all subsets that contain
 * the known operations. Shares no code with what it checks. Immutable.
 *
 * @param slackNanos how far clocks may differ
 * @param undoes whether operations with an unknown outcome may be undone
 */
record LinearOracle(long slackNanos, boolean undoes) {
  /**
   * What the key holds.
   *
   * @param value null if absent
   * @param fromNanos when the value may expire at the earliest, or null if it does not expire
   * @param toNanos when it has expired at the latest, or null if it may stay
   */
  private record Content(@Nullable String value, @Nullable Long fromNanos, @Nullable Long toNanos) {
    static final Content NOTHING = new Content(null, null, null);

    static Content of(@Nullable String value) {
      return new Content(value, null, null);
    }
  }

  boolean isLinearizable(List<KeyOperation> history) {
    return canFinish(history, List.of(Content.NOTHING), Long.MIN_VALUE);
  }

  /**
   * @param contents what the key holds, after what it holds if the last change is undone, and so on
   */
  private boolean canFinish(List<KeyOperation> rest, List<Content> contents, long nowNanos) {
    if (rest.stream().allMatch(KeyOperation::isUnknown)) {
      return true;
    }
    if (contents.size() > 1
        && canFinish(rest, contents.subList(0, contents.size() - 1), nowNanos)) {
      return true;
    }
    long until = rest.stream().mapToLong(KeyOperation::returnedNanos).min().orElseThrow();
    for (int i = 0; i < rest.size(); i++) {
      KeyOperation operation = rest.get(i);
      if (operation.invokedNanos() > until) {
        continue; // an operation that is not in the order yet had ended
      }
      long now = Math.max(nowNanos, operation.invokedNanos());
      List<KeyOperation> others = new ArrayList<>(rest);
      others.remove(i);
      for (Content seen : contents(contents.getLast(), now, until)) {
        for (Content next : apply(operation, seen)) {
          if (canFinish(others, after(operation, contents, seen, next), now)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /** What the key holds after an operation that found one content and left another one. */
  private List<Content> after(
      KeyOperation operation, List<Content> contents, Content seen, Content next) {
    if (!undoes) {
      return List.of(next);
    }
    boolean writes =
        switch (operation.kind()) {
          case GET -> false;
          case SET, SET_WITH_EXPIRY, GET_AND_SET, INCREMENT -> true;
          case DELETE -> seen.value != null;
          case SET_IF_ABSENT -> seen.value == null;
          case COMPARE_AND_SET -> seen.value != null && seen.value.equals(operation.expected());
        };
    if (writes && !operation.isUnknown()) {
      return List.of(next);
    }
    List<Content> after = new ArrayList<>(contents);
    after.set(after.size() - 1, seen);
    if (writes) {
      after.add(next);
    }
    return after;
  }

  /** What an operation may find that takes effect at a moment of an interval. */
  private static List<Content> contents(Content content, long from, long to) {
    List<Content> contents = new ArrayList<>();
    if (content.value == null || content.toNanos == null || from <= content.toNanos) {
      contents.add(content);
    }
    if (content.fromNanos != null && to >= content.fromNanos) {
      contents.add(Content.NOTHING);
    }
    return contents;
  }

  /** What the key may hold after an operation; nothing if its answer cannot be right. */
  private List<Content> apply(KeyOperation operation, Content content) {
    String value = content.value;
    String argument = operation.argument();
    return switch (operation.kind()) {
      case GET ->
          operation.isUnknown() || Objects.equals(value, operation.result())
              ? List.of(content)
              : List.of();
      case SET -> List.of(Content.of(argument));
      case SET_WITH_EXPIRY -> List.of(expiring(operation));
      case DELETE -> told(operation, value != null ? "1" : "0", Content.NOTHING);
      case SET_IF_ABSENT ->
          value == null
              ? told(operation, "1", Content.of(argument))
              : told(operation, "0", content);
      case COMPARE_AND_SET ->
          value != null && value.equals(operation.expected())
              ? told(operation, "1", new Content(argument, content.fromNanos, null))
              : told(operation, "0", content);
      case GET_AND_SET ->
          operation.isUnknown()
                  || "?".equals(operation.result())
                  || Objects.equals(value, operation.result())
              ? List.of(Content.of(argument))
              : List.of();
      case INCREMENT -> {
        if (value == null) {
          yield told(operation, "1", Content.of("1"));
        }
        if (!value.matches("0|-?[1-9][0-9]{0,15}")) {
          yield List.of();
        }
        String more = Long.toString(Long.parseLong(value) + 1);
        yield told(operation, more, new Content(more, content.fromNanos, null));
      }
    };
  }

  private static List<Content> told(KeyOperation operation, String right, Content next) {
    boolean accepts =
        operation.isUnknown() || "?".equals(operation.result()) || right.equals(operation.result());
    return accepts ? List.of(next) : List.of();
  }

  private Content expiring(KeyOperation operation) {
    long from = operation.invokedNanos() + operation.expiryNanos() - slackNanos;
    Long to =
        operation.isUnknown()
            ? null
            : (Long) (operation.returnedNanos() + operation.expiryNanos() + slackNanos);
    return new Content(operation.argument(), from, to);
  }
}
