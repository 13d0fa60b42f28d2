package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.Outcome.Failure.Kind;
import io.keyvalueserve.resp.protocol.Reply;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/**
 * The commands that a request gives to the engine, and how to answer it.
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
              case Outcome.Rejected rejected -> refusal(command, rejected);
              case Outcome.Failure failure -> Errors.of(failure);
              case Outcome outcome -> renderer.apply(outcome);
            });
  }

  private static Reply.ErrorLine refusal(KeyCommand command, Outcome.Rejected rejected) {
    if (rejected != Outcome.Rejected.TOO_LONG) {
      return Errors.of(rejected);
    }
    return switch (command) {
      case KeyCommand.Append append -> Errors.grownTooLong(append.mostBytes());
      case KeyCommand.Overwrite overwrite -> Errors.grownTooLong(overwrite.mostBytes());
      default -> Errors.of(rejected);
    };
  }

  /**
   * Many commands. The first failure, if any, is the reply; but if some did something, and others
   * did not as a disk has failed in between, they are in doubt as a whole.
   */
  static KeyedPlan many(List<? extends KeyCommand> commands, Renderer renderer) {
    return new KeyedPlan(
        Collections.unmodifiableList(commands),
        outcomes -> {
          for (Outcome outcome : outcomes) {
            if (outcome instanceof Outcome.Failure failure) {
              return Errors.of(asOne(failure, commands, outcomes));
            }
          }
          return renderer.render(outcomes);
        });
  }

  private static Outcome.Failure asOne(
      Outcome.Failure first, List<? extends KeyCommand> commands, List<Outcome> outcomes) {
    if (first.kind() != Kind.NOT_LOGGED) {
      return first;
    }
    for (int i = 0; i < outcomes.size(); i++) {
      switch (outcomes.get(i)) {
        case Outcome.Failure other -> {
          if (other.kind() == Kind.IN_DOUBT) {
            return other;
          }
        }
        case Outcome.Missing _, Outcome.NotApplied _, Outcome.Rejected _ -> {}
        default -> {
          if (commands.get(i).writes()) {
            return new Outcome.Failure(
                Kind.IN_DOUBT,
                "a disk has failed: some of the keys were changed, others were not; read them"
                    + " again");
          }
        }
      }
    }
    return first;
  }

  /** Returns a plan with nothing to do, as the reply is known. */
  public static KeyedPlan answered(Reply reply) {
    return new KeyedPlan(List.of(), outcomes -> reply);
  }
}
