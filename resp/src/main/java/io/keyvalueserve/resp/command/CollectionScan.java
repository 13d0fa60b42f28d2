package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.collection.Arguments;
import io.keyvalueserve.engine.collection.CollectionOperation;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import java.util.List;

/**
 * A command that lists a collection some elements at a time.
 *
 * @param scan its texts are the pattern, if there is one; its numbers the cursor, about how many
 *     elements, and 1 if they are listed without their values
 * @param size tells whether there is a collection
 * @param hasValues whether values may be left out
 */
record CollectionScan(
    Descriptor descriptor, CollectionOperation scan, CollectionOperation size, boolean hasValues)
    implements KeyedCommand {
  private static final long DEFAULT_COUNT = 10;
  private static final Reply NOTHING =
      new Reply.Array(List.of(Reply.bulk("0"), new Reply.Array(List.of())));

  @Override
  public KeyedPlan plan(Request request, PlanContext context) {
    long cursor = Parsing.cursor(request.latin(2));
    Arguments arguments;
    try {
      arguments = options(request, cursor);
    } catch (CommandException e) {
      // Redis looks at the key first: one that is missing is answered before a bad option is.
      return CollectionCommand.plan(
          size,
          Arguments.NONE,
          request,
          context,
          outcome ->
              outcome instanceof Outcome.IntegerResult found && found.value() == 0
                  ? NOTHING
                  : e.reply());
    }
    return CollectionCommand.plan(scan, arguments, request, context, CollectionCommand::array);
  }

  private Arguments options(Request request, long cursor) {
    List<byte[]> pattern = List.of();
    long count = DEFAULT_COUNT;
    long withoutValues = 0;
    for (int i = 3; i < request.count(); i++) {
      boolean isLast = i + 1 == request.count();
      if (request.is(i, "COUNT") && !isLast) {
        count = Parsing.integer(request, ++i);
        if (count < 1) {
          throw Parsing.syntaxError();
        }
      } else if (request.is(i, "MATCH") && !isLast) {
        pattern = List.of(request.argument(++i));
      } else if (hasValues && request.is(i, "NOVALUES")) {
        withoutValues = 1;
      } else {
        throw Parsing.syntaxError();
      }
    }
    return Arguments.of(pattern).with(cursor, count, withoutValues);
  }
}
