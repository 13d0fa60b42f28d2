package io.keyvalueserve.resp.command;

import io.keyvalueserve.billing.pricing.Quote;
import io.keyvalueserve.resp.command.Descriptor.Flag;
import io.keyvalueserve.resp.command.Descriptor.Group;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** KVS.COST: what a command would be charged, without running it; see {@link CommandCost}. */
final class KvsCost implements SessionCommand {
  private static final Descriptor DESCRIPTOR =
      Descriptor.of(
              "kvs.cost",
              -2,
              Group.CONNECTION,
              "command [argument [argument ...]]",
              "Says what a command would be charged, without running it.")
          .with(Flag.FAST)
          .since("0.1.0");

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
    CommandCost cost =
        CommandCost.of(
                arguments,
                client.member().rates().get(),
                client.sharing(),
                client.member().clock().instant())
            .orElseThrow(
                () -> new CommandException("ERR no rate card holds at present; ask the operator"));
    Quote quote = cost.quote();
    List<Reply> pairs = new ArrayList<>();
    add(pairs, "currency", Reply.bulk(quote.currency().getCurrencyCode()));
    add(pairs, "amount", money(quote.amount()));
    add(pairs, "minute", money(quote.minute()));
    add(pairs, "band", Reply.bulk(quote.band().name().toLowerCase(Locale.ROOT)));
    add(pairs, "card", Reply.bulk(quote.card()));
    add(pairs, "operation", Reply.bulk(cost.operationLabel()));
    add(pairs, "operations", new Reply.Int(cost.operations()));
    add(pairs, "bytesIn", new Reply.Int(cost.bytesIn()));
    return new Reply.MapOf(pairs);
  }

  private static void add(List<Reply> pairs, String name, Reply value) {
    pairs.add(Reply.bulk(name));
    pairs.add(value);
  }

  private static Reply money(BigDecimal amount) {
    return Reply.bulk(amount.toPlainString());
  }
}
