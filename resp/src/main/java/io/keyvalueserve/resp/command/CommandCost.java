package io.keyvalueserve.resp.command;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.SharingLevel;
import io.keyvalueserve.billing.pricing.Quote;
import io.keyvalueserve.billing.pricing.RateCards;
import io.keyvalueserve.resp.protocol.Request;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The charge for a command, computed without running it. It does not include what the answer adds,
 * or what the command makes the tenant hold from then on. Neither is known before.
 *
 * @param quote the amounts
 * @param operation what it is counted as; null if only its bytes are
 * @param operations how many: one on several keys is one for each of them
 * @param bytesIn how long it is on its way, as clients send it
 */
public record CommandCost(Quote quote, @Nullable Measure operation, long operations, long bytesIn) {
  /** Around an argument: a type, two ends of lines. */
  private static final int FRAME_BYTES = 5;

  /**
   * Asks what a command would be charged.
   *
   * @param arguments its name first, 1 or more
   * @param cards the tenant's prices
   * @param sharing of the map and the member that it would run on
   * @return empty if no rate card holds at that time
   * @throws CommandException if there is no such command, or it takes other arguments
   */
  public static Optional<CommandCost> of(
      byte[][] arguments, RateCards cards, SharingLevel sharing, Instant at) {
    Descriptor asked = CommandTable.standard().resolve(new Request(arguments)).descriptor();
    Measure measure = asked.measure();
    long operations = measure == null ? 0 : asked.operations(arguments.length);
    long bytes = bytes(arguments);
    return Quote.of(
            cards, sharing, measure == null ? Measure.READS : measure, operations, bytes, 0, at)
        .map(quote -> new CommandCost(quote, measure, operations, bytes));
  }

  /**
   * Returns the measure that the command is counted as, by its name in exports; {@code none} if
   * only its bytes are counted.
   */
  public String operationLabel() {
    return operation == null ? "none" : operation.label();
  }

  private static long bytes(byte[][] arguments) {
    long bytes = FRAME_BYTES - 2L + digits(arguments.length);
    for (byte[] argument : arguments) {
      bytes += (long) FRAME_BYTES + digits(argument.length) + argument.length;
    }
    return bytes;
  }

  private static int digits(int length) {
    return Integer.toString(length).length();
  }
}
