package io.keyvalueserve.grid.question;

import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/** The functions that answer other members' questions on this member, by topic. Thread-safe. */
public final class Answerers {
  private final ConcurrentHashMap<String, UnaryOperator<String>> byTopic =
      new ConcurrentHashMap<>();

  /**
   * Has questions of a topic answered.
   *
   * @param answerer may block; what it throws makes the member one that gives no answer
   */
  public void add(String topic, UnaryOperator<String> answerer) {
    byTopic.put(topic, answerer);
  }

  /**
   * Answers a question.
   *
   * @throws IllegalStateException if nobody knows the topic, as before the member has started
   */
  String answer(String topic, String question) {
    UnaryOperator<String> answerer = byTopic.get(topic);
    if (answerer == null) {
      throw new IllegalStateException("nobody here answers questions about " + topic);
    }
    return answerer.apply(question);
  }
}
