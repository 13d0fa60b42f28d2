package io.keyvalueserve.gateway.command;

import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.gateway.protocol.Reply;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/**
 * What a request asks of the engine, and how to answer it.
 *
 * @param commands what to do; may be empty
 * @param renderer makes the reply from the outcomes
 */
public record KeyedPlan(List<KeyCommand> commands, Renderer renderer) {
  /** Makes a reply from outcomes, in the order of the plan's commands. */
  @FunctionalInterface
  public interface Renderer {
    /** The reply. */
    Reply render(List<Outcome> outcomes);
  }

  /** One command. Every outcome but a rejection or a failure, which are errors, is rendered. */
  static KeyedPlan one(KeyCommand command, Function<Outcome, Reply> renderer) {
    return new KeyedPlan(
        List.of(command),
        outcomes ->
            switch (outcomes.getFirst()) {
              case Outcome.Rejected rejected -> Errors.of(rejected);
              case Outcome.Failure failure -> Errors.of(failure);
              case Outcome outcome -> renderer.apply(outcome);
            });
  }

  /** Many commands. The first failure, if any, is the reply. */
  static KeyedPlan many(List<? extends KeyCommand> commands, Renderer renderer) {
    return new KeyedPlan(
        Collections.unmodifiableList(commands),
        outcomes -> {
          for (Outcome outcome : outcomes) {
            if (outcome instanceof Outcome.Failure failure) {
              return Errors.of(failure);
            }
          }
          return renderer.render(outcomes);
        });
  }

  /** Nothing to do: the reply is known. */
  public static KeyedPlan answered(Reply reply) {
    return new KeyedPlan(List.of(), outcomes -> reply);
  }
}
