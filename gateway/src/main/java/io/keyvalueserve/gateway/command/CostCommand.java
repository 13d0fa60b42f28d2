package io.keyvalueserve.gateway.command;

import io.keyvalueserve.gateway.command.Descriptor.Flag;
import io.keyvalueserve.gateway.command.Descriptor.Group;
import io.keyvalueserve.gateway.protocol.Reply;
import io.keyvalueserve.gateway.protocol.Request;
import io.keyvalueserve.tenancy.metering.Measure;
import io.keyvalueserve.tenancy.pricing.Quote;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * KVS.COST: what a command would be charged, without running it. What its answer adds, and what it
 * makes the tenant hold from then on, is not known before and not in it.
 */
final class CostCommand implements SessionCommand {
  private static final Descriptor DESCRIPTOR =
      Descriptor.of(
              "kvs.cost",
              -2,
              Group.CONNECTION,
              "command [argument [argument ...]]",
              "Says what a command would be charged, without running it.")
          .with(Flag.FAST)
          .since("0.1.0");

  /** Around an argument: a type, two ends of lines. */
  private static final int FRAME_BYTES = 5;

  @Override
  public Descriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public Reply execute(Client client, Request request) {
    byte[][] arguments = new byte[request.count() - 1][];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = request.argument(i + 1);
    }
    Descriptor asked = CommandTable.standard().resolve(new Request(arguments)).descriptor();
    Measure measure = asked.measure();
    long operations = measure == null ? 0 : asked.operations(arguments.length);
    long bytes = bytes(arguments);
    Quote quote =
        Quote.of(
                client.member().rates().get(),
                client.sharing(),
                measure == null ? Measure.READS : measure,
                operations,
                bytes,
                0,
                client.member().clock().instant())
            .orElseThrow(
                () -> new CommandException("ERR no rate card holds at present; ask the operator"));
    List<Reply> pairs = new ArrayList<>();
    add(pairs, "currency", Reply.bulk(quote.currency().getCurrencyCode()));
    add(pairs, "amount", money(quote.amount()));
    add(pairs, "minute", money(quote.minute()));
    add(pairs, "band", Reply.bulk(quote.band().name().toLowerCase(Locale.ROOT)));
    add(pairs, "card", Reply.bulk(quote.card()));
    add(pairs, "operation", Reply.bulk(measure == null ? "none" : measure.label()));
    add(pairs, "operations", new Reply.Int(operations));
    add(pairs, "bytesIn", new Reply.Int(bytes));
    return new Reply.MapOf(pairs);
  }

  private static void add(List<Reply> pairs, String name, Reply value) {
    pairs.add(Reply.bulk(name));
    pairs.add(value);
  }

  private static Reply money(BigDecimal amount) {
    return Reply.bulk(amount.toPlainString());
  }

  /** How long a request is on its way. */
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
