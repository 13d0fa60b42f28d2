package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.collection.Arguments;
import io.keyvalueserve.engine.collection.CollectionOperation;
import io.keyvalueserve.engine.collection.CollectionType;
import io.keyvalueserve.engine.collection.ListOperation;
import io.keyvalueserve.resp.command.Descriptor.Flag;
import io.keyvalueserve.resp.command.Descriptor.Group;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import java.util.Arrays;
import java.util.List;

/** Commands on several lists. */
final class ListMoves {
  static final List<Command> ALL = List.of(new Move(), new MoveRightToLeft(), new PopMany());

  private static final long LAST = -1;

  private ListMoves() {}

  /** The element is put in first: that may fail, and then nothing was taken out. */
  static Reply move(TransactionScope scope, Request request, boolean first, boolean toFirst) {
    byte[] from = request.argument(1);
    byte[] to = request.argument(2);
    if (Arrays.equals(from, to)) {
      Arguments ends = Arguments.NONE.with(first ? 1 : 0, toFirst ? 1 : 0);
      return Rendering.value(scope.demand(scope.on(from, ListOperation.ROTATE, ends)));
    }
    KeyCommand taking =
        scope.on(from, first ? ListOperation.POP_FIRST : ListOperation.POP_LAST, Arguments.NONE);
    scope.require(List.of(taking));
    Arguments index = Arguments.NONE.with(first ? 0 : LAST);
    if (!(scope.demand(scope.on(from, ListOperation.GET, index)) instanceof Outcome.Entry found)) {
      return Reply.Null.NULL;
    }
    Outcome _ =
        scope.demand(
            scope.on(
                to,
                toFirst ? ListOperation.PUSH_FIRST : ListOperation.PUSH_LAST,
                Arguments.of(found.value())));
    return Rendering.value(scope.demand(taking));
  }

  private static final class Move extends MultiKeyCommand {
    private static final Descriptor DESCRIPTOR =
        Descriptor.of(
                "lmove",
                5,
                Group.LIST,
                "source destination <LEFT|RIGHT> <LEFT|RIGHT>",
                "Moves an element from one list to another.")
            .with(Flag.WRITE, Flag.DENYOOM)
            .keys(1, 2, 1)
            .since("6.2.0");

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    Reply run(TransactionScope scope, Request request) {
      return move(scope, request, ManyPops.isLeft(request, 3), ManyPops.isLeft(request, 4));
    }
  }

  private static final class MoveRightToLeft extends MultiKeyCommand {
    private static final Descriptor DESCRIPTOR =
        Descriptor.of(
                "rpoplpush",
                3,
                Group.LIST,
                "source destination",
                "Moves the last element of one list before the first one of another.")
            .with(Flag.WRITE, Flag.DENYOOM)
            .keys(1, 2, 1)
            .since("1.2.0");

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    Reply run(TransactionScope scope, Request request) {
      return move(scope, request, false, true);
    }
  }

  /** Takes elements out of the first list that is not empty. */
  private static final class PopMany extends MultiKeyCommand {
    private static final Descriptor DESCRIPTOR =
        Descriptor.of(
                "lmpop",
                -4,
                Group.LIST,
                "numkeys key [key ...] <LEFT|RIGHT> [COUNT count]",
                "Takes out elements of the first list that is not empty.")
            .with(Flag.WRITE, Flag.MOVABLEKEYS)
            .since("7.0.0")
            .complexity("O(N+M) where N is the number of keys and M that of elements");

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public List<byte[]> keys(Request request) {
      return numbered(request, 1, ManyPops.keys(request, 1));
    }

    @Override
    Reply run(TransactionScope scope, Request request) {
      int count = ManyPops.keys(request, 1);
      boolean first = ManyPops.isLeft(request, 2 + count);
      Arguments most = Arguments.NONE.with(ManyPops.count(request, 3 + count));
      CollectionOperation pop = ManyPops.operation(CollectionType.LIST, first);
      for (byte[] key : numbered(request, 1, count)) {
        Reply reply =
            ManyPops.reply(CollectionType.LIST, key, scope.demand(scope.on(key, pop, most)));
        if (reply != null) {
          return reply;
        }
      }
      return Reply.NullArray.NULL_ARRAY;
    }
  }
}
