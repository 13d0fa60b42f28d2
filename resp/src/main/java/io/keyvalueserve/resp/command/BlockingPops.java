package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.collection.Arguments;
import io.keyvalueserve.engine.collection.CollectionOperation;
import io.keyvalueserve.engine.collection.CollectionType;
import io.keyvalueserve.engine.collection.ListOperation;
import io.keyvalueserve.engine.collection.SortedSetOperation;
import io.keyvalueserve.resp.command.Descriptor.Flag;
import io.keyvalueserve.resp.command.Descriptor.Group;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Commands that take elements out of lists and sorted sets, and wait for some. */
final class BlockingPops {
  static final List<Command> ALL =
      List.of(
          new Pop(
              list("blpop", "Takes out the first element of a list, or waits for one."),
              CollectionType.LIST,
              ListOperation.POP_FIRST),
          new Pop(
              list("brpop", "Takes out the last element of a list, or waits for one."),
              CollectionType.LIST,
              ListOperation.POP_LAST),
          new Pop(
              sortedSet("bzpopmin", "Takes out the member of the lowest score, or waits for one."),
              CollectionType.SORTED_SET,
              SortedSetOperation.POP_LOWEST),
          new Pop(
              sortedSet("bzpopmax", "Takes out the member of the highest score, or waits for one."),
              CollectionType.SORTED_SET,
              SortedSetOperation.POP_HIGHEST),
          new PopMany(
              Descriptor.of(
                      "blmpop",
                      -5,
                      Group.LIST,
                      "timeout numkeys key [key ...] <LEFT|RIGHT> [COUNT count]",
                      "Takes out elements of the first list that has any, or waits for some.")
                  .with(Flag.WRITE, Flag.MOVABLEKEYS)
                  .since("7.0.0")
                  .complexity("O(N+M) where N is the number of keys and M that of elements"),
              CollectionType.LIST),
          new PopMany(
              Descriptor.of(
                      "bzmpop",
                      -5,
                      Group.SORTED_SET,
                      "timeout numkeys key [key ...] <MIN|MAX> [COUNT count]",
                      "Takes out members of the first sorted set that has any, or waits for some.")
                  .with(Flag.WRITE, Flag.MOVABLEKEYS)
                  .since("7.0.0")
                  .complexity("O(K+M) where K is the number of keys and M that of members"),
              CollectionType.SORTED_SET),
          new Move(
              Descriptor.of(
                      "blmove",
                      6,
                      Group.LIST,
                      "source destination <LEFT|RIGHT> <LEFT|RIGHT> timeout",
                      "Moves an element from one list to another, or waits for one.")
                  .with(Flag.WRITE, Flag.DENYOOM, Flag.NOSCRIPT)
                  .keys(1, 2, 1)
                  .since("6.2.0"),
              true),
          new Move(
              Descriptor.of(
                      "brpoplpush",
                      4,
                      Group.LIST,
                      "source destination timeout",
                      "Moves the last element of a list before the first one of another, or waits.")
                  .with(Flag.WRITE, Flag.DENYOOM, Flag.NOSCRIPT)
                  .keys(1, 2, 1)
                  .since("2.2.0"),
              false));

  private BlockingPops() {}

  private static Descriptor list(String name, String summary) {
    return Descriptor.of(name, -3, Group.LIST, "key [key ...] timeout", summary)
        .with(Flag.WRITE, Flag.NOSCRIPT)
        .keys(1, -2, 1)
        .since("2.0.0")
        .complexity("O(N) where N is the number of keys");
  }

  private static Descriptor sortedSet(String name, String summary) {
    return Descriptor.of(name, -3, Group.SORTED_SET, "key [key ...] timeout", summary)
        .with(Flag.WRITE, Flag.NOSCRIPT, Flag.FAST)
        .keys(1, -2, 1)
        .since("5.0.0")
        .complexity("O(log(N)) where N is the number of members");
  }

  /** Takes one element out. */
  private static final class Pop extends BlockingCommand {
    private final Descriptor descriptor;
    private final CollectionType type;
    private final CollectionOperation operation;

    Pop(Descriptor descriptor, CollectionType type, CollectionOperation operation) {
      this.descriptor = descriptor;
      this.type = type;
      this.operation = operation;
    }

    @Override
    public Descriptor descriptor() {
      return descriptor;
    }

    @Override
    CollectionType type() {
      return type;
    }

    @Override
    long check(Request request) {
      return timeoutMillis(request, request.count() - 1);
    }

    @Override
    List<byte[]> awaited(Request request) {
      return Many.of(request.count() - 2, i -> request.argument(i + 1));
    }

    @Override
    KeyCommand single(Request request, byte[] key, int mostCollectionBytes) {
      Arguments arguments = type == CollectionType.LIST ? Arguments.NONE : Arguments.NONE.with(1);
      return new KeyCommand.OnCollection(key, operation, arguments, mostCollectionBytes);
    }

    @Override
    @Nullable Reply taken(Request request, byte[] key, Outcome outcome) {
      return switch (outcome) {
        case Outcome.Missing _ -> null;
        case Outcome.Entry element ->
            new Reply.Array(List.of(new Reply.Bulk(key), new Reply.Bulk(element.value())));
        default -> {
          List<Reply> flat = CollectionCommand.replies(outcome);
          yield flat.isEmpty()
              ? null
              : new Reply.Array(List.of(new Reply.Bulk(key), flat.get(0), flat.get(1)));
        }
      };
    }
  }

  /** Takes several elements out. */
  private static final class PopMany extends BlockingCommand {
    private static final int NUMBER_AT = 2;

    private final Descriptor descriptor;
    private final CollectionType type;

    PopMany(Descriptor descriptor, CollectionType type) {
      this.descriptor = descriptor;
      this.type = type;
    }

    @Override
    public Descriptor descriptor() {
      return descriptor;
    }

    @Override
    CollectionType type() {
      return type;
    }

    @Override
    long check(Request request) {
      boolean _ = isFromFirst(request);
      long _ = count(request);
      return timeoutMillis(request, 1);
    }

    private boolean isFromFirst(Request request) {
      int at = NUMBER_AT + 1 + ManyPops.keys(request, NUMBER_AT);
      return type == CollectionType.LIST
          ? ManyPops.isLeft(request, at)
          : ManyPops.isMin(request, at);
    }

    private static long count(Request request) {
      return ManyPops.count(request, NUMBER_AT + 2 + ManyPops.keys(request, NUMBER_AT));
    }

    @Override
    List<byte[]> awaited(Request request) {
      return numbered(request, NUMBER_AT, ManyPops.keys(request, NUMBER_AT));
    }

    @Override
    KeyCommand single(Request request, byte[] key, int mostCollectionBytes) {
      return new KeyCommand.OnCollection(
          key,
          ManyPops.operation(type, isFromFirst(request)),
          Arguments.NONE.with(count(request)),
          mostCollectionBytes);
    }

    @Override
    @Nullable Reply taken(Request request, byte[] key, Outcome outcome) {
      return ManyPops.reply(type, key, outcome);
    }
  }

  /** Takes an element out of one list, and puts it into another or the same one. */
  private static final class Move extends BlockingCommand {
    private final Descriptor descriptor;
    private final boolean saysEnds;

    /**
     * @param saysEnds whether its arguments say at which ends, else from the last to the first
     */
    Move(Descriptor descriptor, boolean saysEnds) {
      this.descriptor = descriptor;
      this.saysEnds = saysEnds;
    }

    @Override
    public Descriptor descriptor() {
      return descriptor;
    }

    @Override
    CollectionType type() {
      return CollectionType.LIST;
    }

    @Override
    long check(Request request) {
      if (saysEnds) {
        boolean _ = ManyPops.isLeft(request, 3);
        boolean _ = ManyPops.isLeft(request, 4);
      }
      return timeoutMillis(request, request.count() - 1);
    }

    @Override
    List<byte[]> awaited(Request request) {
      return List.of(request.argument(1));
    }

    @Override
    Reply nothingNow() {
      return Reply.Null.NULL;
    }

    @Override
    @Nullable Reply take(TransactionScope scope, Request request, byte[] key) {
      Reply moved =
          ListMoves.move(
              scope,
              request,
              saysEnds && ManyPops.isLeft(request, 3),
              !saysEnds || ManyPops.isLeft(request, 4));
      return moved instanceof Reply.Null ? null : moved;
    }
  }
}
