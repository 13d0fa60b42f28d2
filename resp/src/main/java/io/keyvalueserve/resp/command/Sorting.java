package io.keyvalueserve.resp.command;

import io.keyvalueserve.resp.command.Descriptor.Flag;
import io.keyvalueserve.resp.command.Descriptor.Group;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import java.util.List;

/** SORT and SORT_RO: transactions, because patterns read other keys. */
final class Sorting {
  private static final String OPTIONS =
      "key [BY pattern] [LIMIT offset count] [GET pattern [GET pattern ...]] [ASC|DESC] [ALPHA]";

  static final List<Command> ALL =
      List.of(
          new Sort(
              descriptor("sort", OPTIONS + " [STORE destination]").with(Flag.WRITE, Flag.DENYOOM),
              true),
          new Sort(descriptor("sort_ro", OPTIONS).with(Flag.READONLY).since("7.0.0"), false));

  private Sorting() {}

  private static Descriptor descriptor(String name, String usage) {
    return Descriptor.of(
            name, -2, Group.GENERIC, usage, "Sorts the elements of a list, a set or a sorted set.")
        .keys(1, 1, 1)
        .complexity(
            "O(N log N+K) where N is the number of elements and K that of keys of patterns");
  }

  private static final class Sort extends MultiKeyCommand {
    private final Descriptor descriptor;
    private final boolean mayStore;

    Sort(Descriptor descriptor, boolean mayStore) {
      this.descriptor = descriptor;
      this.mayStore = mayStore;
    }

    @Override
    public Descriptor descriptor() {
      return descriptor;
    }

    @Override
    public List<byte[]> keys(Request request) {
      SortQuery query = SortQuery.of(request, mayStore);
      byte[] target = query.target();
      return target == null ? List.of(query.key()) : List.of(query.key(), target);
    }

    @Override
    Reply run(TransactionScope scope, Request request) {
      return new SortRun(scope, SortQuery.of(request, mayStore)).run();
    }
  }
}
