package io.keyvalueserve.bench;

import io.keyvalueserve.bench.ListTransaction.Outcome;
import io.keyvalueserve.bench.ListTransaction.Step;
import io.keyvalueserve.bench.TransactionClient.Answer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Sends one transaction at a time, and notes each with its times. */
final class TransactionWorker extends NemesisWorker<TransactionRound> {
  private final TransactionClient client;

  /**
   * @param number of the client
   * @param current the round that goes on, if one does
   */
  TransactionWorker(
      int number,
      TransactionClient client,
      Supplier<@Nullable TransactionRound> current,
      SplittableRandom random) {
    super(number, client.door(), client.member(), current, random);
    this.client = client;
  }

  @Override
  boolean operate(TransactionRound round) {
    List<Step> plan = round.plan(client.hasLists(), random);
    long invoked = System.nanoTime();
    Answer answer = client.perform(plan, random);
    long returned = System.nanoTime();
    round.add(transaction(number(), plan, answer, invoked, returned));
    switch (answer) {
      case Answer.Done(String way, List<Step> _) -> countDone(way, returned);
      case Answer.NotDone(String way, String why) -> countNotDone(way + ": " + why);
      case Answer.Unknown(String way, String why, List<Step> _) -> countUnknown(way + ": " + why);
    }
    return answer instanceof Answer.Done;
  }

  /**
   * Returns what the history has of an answer.
   *
   * @param plan what was planned
   */
  static ListTransaction transaction(
      int client, List<Step> plan, Answer answer, long invokedNanos, long returnedNanos) {
    Outcome outcome =
        switch (answer) {
          case Answer.Done _ -> Outcome.DONE;
          case Answer.NotDone _ -> Outcome.NOT_DONE;
          case Answer.Unknown _ -> Outcome.UNKNOWN;
        };
    List<Step> steps =
        switch (answer) {
          case Answer.Done done -> done.steps();
          case Answer.NotDone _ -> plan;
          case Answer.Unknown unknown -> unknown.steps();
        };
    return new ListTransaction(client, answer.way(), invokedNanos, returnedNanos, outcome, steps);
  }

  @Override
  public void close() {
    client.close();
  }
}
