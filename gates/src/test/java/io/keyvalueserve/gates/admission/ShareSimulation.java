package io.keyvalueserve.gates.admission;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Members that share one limit, in one thread and a time of its own that goes on by milliseconds.
 * One seed replays a run.
 *
 * <p>The faults it injects: messages that are delayed by any time up to a most and so reordered,
 * lost, or delivered twice; links that are cut; members that die; members that learn of others, of
 * a dead coordinator and of a changed limit at different times.
 */
final class ShareSimulation {
  static final RateKey QUOTA = new RateKey(7, Resource.OPERATIONS);
  static final long MILLI = 1_000_000;

  private static final int POLL_MILLIS = 10;

  final List<Node> nodes = new ArrayList<>();

  /** By millisecond: tokens admitted on all members, refused, and the sum of shares. */
  final List<Long> admitted = new ArrayList<>();

  final List<Long> refused = new ArrayList<>();
  final List<Double> shares = new ArrayList<>();
  final Random random;
  int mostDelayMillis = 3;
  double lost;
  double twice;
  Link link = (from, to) -> true;
  long messages;

  private final PriorityQueue<Event> events =
      new PriorityQueue<>(
          Comparator.comparingLong(Event::atMilli).thenComparingLong(Event::number));
  private final long beginNanos;
  private RateLimit limit;
  private long milli;
  private long number;

  ShareSimulation(int members, RateLimit limit, long seed) {
    this.random = new Random(seed);
    this.limit = limit;
    this.beginNanos = random.nextLong(); // as nanoTime may begin anywhere
    for (int i = 0; i < members; i++) {
      nodes.add(new Node(i, members));
    }
    for (Node node : nodes) {
      node.shares.setLimit(QUOTA, limit, node.now());
    }
    setOldest(nodes, nodes.getFirst());
  }

  private record Event(long atMilli, long number, Runnable run) {}

  /** Whether messages go from one member to another. */
  interface Link {
    boolean isUp(Node from, Node to);
  }

  /** Tokens a second that a member is asked for at a time. */
  interface Load {
    double perSecond(int node, long milli);
  }

  /** One member. */
  final class Node {
    final int index;
    final UUID id;
    final MemberShares shares;
    final Gate gate;
    boolean alive = true;
    Node oldest;
    @Nullable ShareCoordinator coordinator;
    List<Node> view = List.of();
    long admittedTokens;
    private final long skewNanos = random.nextLong();
    private double owed;

    Node(int index, int members) {
      this.index = index;
      this.id = new UUID(1, index);
      this.shares = new MemberShares(id, members, ShareTimes.DEFAULT, now());
      this.gate = shares.gate(QUOTA, now());
      this.oldest = this;
    }

    /** By its own clock, which began some other time. */
    long now() {
      return beginNanos + skewNanos + milli * MILLI;
    }

    private void see(List<Node> members, Node nextOldest) {
      shares.setMembers(members.size());
      if (nextOldest != oldest) {
        shares.changeCoordinator(now());
      }
      boolean leads = nextOldest == this;
      if (!leads) {
        coordinator = null;
      } else if (coordinator == null || oldest != this) {
        coordinator =
            new ShareCoordinator(
                1 + random.nextInt(1 << 30), ids(members), ShareTimes.DEFAULT, now());
        coordinator.setLimit(QUOTA, limit);
      } else {
        coordinator.setMembers(ids(members), now());
      }
      oldest = nextOldest;
      view = members;
    }

    private void hear(DemandReport report) {
      if (alive && coordinator != null) {
        for (ShareAssignment assignment : coordinator.accept(report, now())) {
          for (Node node : nodes) {
            if (node.id.equals(assignment.member())) {
              send(this, node, to -> to.hear(assignment));
            }
          }
        }
      }
    }

    private void hear(ShareAssignment assignment) {
      if (alive) {
        shares.accept(assignment, now()).ifPresent(this::report);
      }
    }

    private void report(DemandReport report) {
      send(this, oldest, to -> to.hear(report));
    }
  }

  private static List<UUID> ids(List<Node> nodes) {
    return nodes.stream().map(node -> node.id).toList();
  }

  /** Lets the members of a view know of it at once. */
  void setOldest(List<Node> view, Node oldest) {
    for (Node node : view) {
      node.see(List.copyOf(view), oldest);
    }
  }

  /** Lets one member know of a view. */
  void setOldest(List<Node> view, Node oldest, Node told) {
    told.see(List.copyOf(view), oldest);
  }

  /** Starts another member, which the others learn of at once. */
  Node join() {
    Node node = new Node(nodes.size(), nodes.size() + 1);
    nodes.add(node);
    node.shares.setLimit(QUOTA, limit, node.now());
    setOldest(nodes, nodes.getFirst());
    return node;
  }

  /** Changes the limit; members learn of it one after the other, within so many milliseconds. */
  void setLimit(RateLimit next, int withinMillis) {
    limit = next;
    for (Node node : nodes) {
      after(
          random.nextInt(withinMillis + 1),
          () -> {
            node.shares.setLimit(QUOTA, next, node.now());
            if (node.coordinator != null) {
              node.coordinator.setLimit(QUOTA, next);
            }
          });
    }
  }

  void after(long millis, Runnable run) {
    events.add(new Event(milli + millis, number++, run));
  }

  private void send(Node from, Node to, Consumer<Node> deliver) {
    messages++;
    int copies = from == to ? 1 : (random.nextDouble() < lost ? 0 : 1);
    copies += random.nextDouble() < twice ? 1 : 0;
    for (int i = 0; i < copies; i++) {
      int delay = from == to ? 0 : 1 + random.nextInt(mostDelayMillis);
      after(
          delay,
          () -> {
            if (link.isUp(from, to)) {
              deliver.accept(to);
            }
          });
    }
  }

  /** Goes on for so long under a load, asking for one token at a time. */
  void run(long millis, Load load) {
    for (long end = milli + millis; milli < end; milli++) {
      while (!events.isEmpty() && events.element().atMilli() <= milli) {
        events.remove().run().run();
      }
      long admittedNow = 0;
      long refusedNow = 0;
      double sum = 0;
      for (Node node : nodes) {
        if (!node.alive) {
          continue;
        }
        if ((milli + node.index) % POLL_MILLIS == 0) {
          node.shares.poll(node.now()).ifPresent(node::report);
        }
        node.owed += load.perSecond(node.index, milli) / 1000;
        for (; node.owed >= 1; node.owed--) {
          if (node.gate.take(1, node.now()) == 0) {
            admittedNow++;
            node.admittedTokens++;
          } else {
            refusedNow++;
          }
        }
        sum += (double) node.shares.share(QUOTA) / ShareAssignment.WHOLE;
      }
      admitted.add(admittedNow);
      refused.add(refusedNow);
      shares.add(sum);
    }
  }

  long milli() {
    return milli;
  }

  /** Tokens admitted on all members from one millisecond to another. */
  long admittedBetween(long from, long to) {
    return admitted.subList((int) from, (int) to).stream().mapToLong(Long::longValue).sum();
  }

  long refusedBetween(long from, long to) {
    return refused.subList((int) from, (int) to).stream().mapToLong(Long::longValue).sum();
  }

  /** The largest sum of shares since a time: 1 is the whole limit. */
  double mostShares(long from) {
    return shares.subList((int) from, shares.size()).stream()
        .mapToDouble(Double::doubleValue)
        .max()
        .orElse(0);
  }

  /** Over all windows since a time: the most tokens by which one passes what the rate supplies. */
  double mostAbove(double perSecond, long from) {
    double lowest = 0;
    double above = 0;
    double most = 0;
    for (int i = (int) from; i < admitted.size(); i++) {
      lowest = Math.min(lowest, above);
      above += admitted.get(i) - perSecond / 1000;
      most = Math.max(most, above - lowest);
    }
    return most;
  }
}
