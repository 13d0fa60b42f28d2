package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.collection.Arguments;
import io.keyvalueserve.engine.collection.CollectionOperation;
import io.keyvalueserve.engine.collection.Element;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import java.util.List;
import java.util.function.Function;

/**
 * A command that is one operation on one collection, whose key is its first argument.
 *
 * @param operation what it does
 * @param reader makes the operation's arguments of the request; throws {@link CommandException} if
 *     they are not what the command takes
 * @param renderer makes the reply from every outcome but a rejection or a failure
 */
record CollectionCommand(
    Descriptor descriptor,
    CollectionOperation operation,
    Reader reader,
    Function<Outcome, Reply> renderer)
    implements KeyedCommand {
  /** Makes an operation's arguments. */
  @FunctionalInterface
  interface Reader {
    Arguments read(Request request, PlanContext context);
  }

  @Override
  public KeyedPlan plan(Request request, PlanContext context) {
    return plan(operation, reader.read(request, context), request, context, renderer);
  }

  /** A plan of one operation on the collection whose key is the first argument. */
  static KeyedPlan plan(
      CollectionOperation operation,
      Arguments arguments,
      Request request,
      PlanContext context,
      Function<Outcome, Reply> renderer) {
    return KeyedPlan.one(
        new KeyCommand.OnCollection(
            request.argument(1), operation, arguments, context.mostCollectionBytes()),
        renderer);
  }

  /** The arguments from an index on, as they are. */
  static Reader from(int first) {
    return (request, context) -> rest(request, first);
  }

  /** The arguments from an index on, as they are. */
  static Arguments rest(Request request, int first) {
    return Arguments.of(Many.of(request.count() - first, i -> request.argument(i + first)));
  }

  /** Elements in order. */
  static Reply array(Outcome outcome) {
    return new Reply.Array(replies(outcome));
  }

  /** Elements in no order, each once. */
  static Reply set(Outcome outcome) {
    return new Reply.SetOf(replies(outcome));
  }

  /** Elements that are a key and its value, and so on. */
  static Reply map(Outcome outcome) {
    return new Reply.MapOf(replies(outcome));
  }

  /** The elements of an outcome as replies. */
  static List<Reply> replies(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Elements elements -> replies(elements.elements());
      case Outcome other -> throw Rendering.unexpected(other);
    };
  }

  private static List<Reply> replies(List<Element> elements) {
    return Many.of(elements.size(), i -> reply(elements.get(i)));
  }

  /** An element as a reply. */
  static Reply reply(Element element) {
    return switch (element) {
      case Element.Nothing _ -> Reply.Null.NULL;
      case Element.Text text -> new Reply.Bulk(text.bytes());
      case Element.Whole whole -> Reply.integer(whole.value());
      case Element.Real real -> new Reply.Real(real.value());
      case Element.Group group -> new Reply.Array(replies(group.elements()));
    };
  }
}
