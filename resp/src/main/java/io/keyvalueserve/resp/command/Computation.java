package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.resp.protocol.Reply;
import java.util.List;
import java.util.function.Function;

/**
 * A command whose work may take an event loop too long at a stretch. It is done step by step, and
 * others are served in between. For one request, on its session's event loop.
 */
public interface Computation {
  /** Tells what comes next. */
  sealed interface Step {
    /** There is more to do. */
    enum More implements Step {
      MORE
    }

    /** The outcome of a command is needed, see {@link #take}. */
    record Ask(KeyCommand command) implements Step {}

    /** All is done. */
    record Done(Reply reply) implements Step {}
  }

  /**
   * Returns the commands that it will ask for in any case. Where one of them is refused, none is
   * carried out.
   */
  default List<KeyCommand> known() {
    return List.of();
  }

  /**
   * Does the next step, which takes some tens of microseconds.
   *
   * @throws CommandException if the command ends with an error
   */
  Step step();

  /** Takes the outcome of the command that was asked for. It is no failure. */
  void take(Outcome outcome);

  /** Returns the memory that it holds, in bytes. */
  long heldBytes();

  /**
   * Does all steps within a transaction.
   *
   * @param execute carries a command out, which nobody refuses
   * @param check looks at the time between the steps; throws if it is over
   * @throws CommandException if the command ends with an error
   */
  static Reply run(Computation computation, Function<KeyCommand, Outcome> execute, Runnable check) {
    while (true) {
      check.run();
      switch (computation.step()) {
        case Step.More _ -> {}
        case Step.Ask ask -> {
          Outcome outcome = execute.apply(ask.command());
          if (outcome instanceof Outcome.Failure failure) {
            return Errors.of(failure);
          }
          computation.take(outcome);
        }
        case Step.Done done -> {
          return done.reply();
        }
      }
    }
  }

  /** Does all steps in one go, where none asks for an outcome any more. */
  static Reply finish(Computation computation) {
    while (true) {
      if (computation.step() instanceof Step.Done done) {
        return done.reply();
      }
    }
  }
}
