package io.keyvalueserve.grid.quorum;

import io.keyvalueserve.grid.quorum.MembersView.Stamp;
import io.keyvalueserve.maps.Lease;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Runs members of a cluster in simulated time, with a list of members as Hazelcast keeps it. The
 * network delays, loses and cuts; members pause, crash, and come back with what they kept.
 */
@SuppressWarnings("ReferenceEquality") // members are what they are
final class QuorumSimulation {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;
  private static final QuorumTimes TIMES = QuorumTimes.DEFAULT;
  private static final long FAULTS = 40 * SECOND;
  private static final long RECOVERY = 150 * SECOND;
  private static final double DRIFT = 0.0025;
  private static final int MOST_DELAY_MILLIS = 30;

  private final Random random;
  private final Node[] nodes;
  private final boolean[][] cut;
  private final boolean explicitSuspicion;
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final Set<String> deposed = new HashSet<>();
  private final Map<String, Long> apart = new HashMap<>();
  private final StringBuilder log = new StringBuilder();
  private double loss;
  private boolean faults = true;
  private long now;
  private long sequence;

  QuorumSimulation(long seed) {
    random = new Random(seed);
    int size = 3 + random.nextInt(3);
    nodes = new Node[size];
    cut = new boolean[size][size];
    explicitSuspicion = random.nextBoolean();
    for (int i = 0; i < size; i++) {
      nodes[i] = new Node(i, 1 + DRIFT * (2 * random.nextDouble() - 1), random.nextInt(1 << 30));
      start(nodes[i]);
      every(nodes[i]);
    }
    at(random.nextInt(8) * SECOND, null, this::fault);
  }

  private record Event(long time, long sequence, @Nullable Node node, Runnable task)
      implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      return time != other.time
          ? Long.compare(time, other.time)
          : Long.compare(sequence, other.sequence);
    }
  }

  /** A member in the list: its number, and which of its lives. */
  private record Seat(int id, int life) {}

  private record Roll(long version, List<Seat> seats, @Nullable Seat owner) {}

  private final class Node implements Quorum.Memory {
    private final int id;
    private final UUID uuid;
    private final double rate;
    private final long offset;
    private int life;
    private boolean up;
    private long pausedUntil;
    private boolean failsToKeep;
    private @Nullable VoterSet kept;
    private @Nullable Stamp promise;
    private Quorum quorum;
    private Lease lease;
    private Roll roll = new Roll(0, List.of(), null);
    private int master = -1;
    private final Set<Seat> suspected = new HashSet<>();
    private final Map<Seat, Roll> accepted = new HashMap<>();
    private boolean claims;
    private long claimsSince;
    private long alone;
    private long ticked;
    private final Set<Stamp> taken = new HashSet<>();
    private boolean begun;
    private boolean owns;
    private boolean unfenced;

    Node(int id, double rate, long offset) {
      this.id = id;
      this.rate = rate;
      this.offset = offset;
      uuid = new UUID(0x9e37, id + 1);
      lease = Lease.none(() -> (long) (now * rate) + offset);
      quorum = newQuorum(uuid, null, null, this, lease, offset);
    }

    @Override
    public boolean keep(VoterSet set, Stamp stamp) {
      if (failsToKeep) {
        return false;
      }
      kept = set;
      promise = stamp;
      return true;
    }

    long clock() {
      return (long) (now * rate) + offset;
    }

    Seat seat() {
      return new Seat(id, life);
    }

    @Nullable VoterSet last;

    boolean waited;

    void noteSet() {
      Stamp waits = quorum.ask(clock()).promise();
      if ((waits != null) != waited) {
        waited = waits != null;
        note(this, "waits for " + waits + " holds=" + lease.holds() + " kept=" + promise);
      }
      VoterSet set = quorum.voters();
      if (set != last) {
        last = set;
        note(
            this,
            "knows "
                + (set == null
                    ? null
                    : set.term()
                        + "."
                        + set.view()
                        + "."
                        + set.number()
                        + " "
                        + set.voters().values()
                        + " kept="
                        + (kept == set)
                        + " lease="
                        + lease.holds()));
      }
    }

    boolean serves() {
      return up && owns && unfenced && lease.holds();
    }

    void enter() {
      if (roll.version() == 0 || master < 0) {
        return;
      }
      Map<UUID, String> members = new HashMap<>();
      for (Seat seat : roll.seats()) {
        members.put(nodes[seat.id()].uuid, "m" + seat.id());
      }
      if (members.containsKey(nodes[master].uuid)) {
        quorum.enter(
            new MembersView(roll.version(), nodes[master].uuid, members), "m" + master, clock());
      }
    }
  }

  private static Quorum newQuorum(
      UUID id,
      @Nullable VoterSet kept,
      @Nullable Stamp promise,
      Quorum.Memory memory,
      Lease lease,
      long now) {
    return new Quorum(id, SplitMode.AUTO, TIMES, kept, promise, memory, lease, now);
  }

  private void start(Node node) {
    node.life++;
    node.up = true;
    node.roll = new Roll(0, List.of(), null);
    node.master = -1;
    node.suspected.clear();
    node.taken.clear();
    node.claims = false;
    node.begun = false;
    node.owns = false;
    node.unfenced = false;
    node.lease = Lease.none(node::clock);
    node.ticked = node.clock();
    node.alone = now + (2 + node.id) * SECOND + random.nextInt(2_000) * MILLI;
    node.quorum = newQuorum(node.uuid, node.kept, node.promise, node, node.lease, node.clock());
  }

  private void stop(Node node, long down, String why) {
    note(node, why);
    node.up = false;
    at(now + down, null, () -> start(node));
  }

  private void note(Node node, String what) {
    log.append(now / MILLI).append(" m").append(node.id).append(' ').append(what).append('\n');
  }

  private void at(long time, @Nullable Node node, Runnable task) {
    events.add(new Event(time, sequence++, node, task));
  }

  private void every(Node node) {
    at(
        now + TIMES.beat() + random.nextInt(5) * MILLI,
        node,
        () -> {
          every(node);
          if (node.up) {
            look(node);
          }
        });
  }

  private void send(Node from, Node to, Runnable task) {
    if (cut[from.id][to.id] || random.nextDouble() < loss) {
      return;
    }
    int life = to.life;
    long delay =
        (1 + random.nextInt(random.nextInt(20) == 0 ? 10 * MOST_DELAY_MILLIS : MOST_DELAY_MILLIS))
            * MILLI;
    at(
        now + delay,
        to,
        () -> {
          if (to.up && to.life == life) {
            task.run();
          }
        });
  }

  // ---- what a member does regularly

  /** As HotRestart: a master with a lease says that the cluster runs, and what it has is taken. */
  private void joinRunning(Node node, long clock) {
    if (node.begun || node.master == node.id) {
      return;
    }
    Node master = nodes[node.master];
    if (node.quorum.ask(clock).promise() == null) {
      node.begun = true;
    } else if (!cut[node.id][master.id]
        && !cut[master.id][node.id]
        && master.up
        && master.lease.holds()
        && has(master.roll, node)) {
      node.begun = true;
      node.quorum.joined(clock);
      note(node, "takes what m" + master.id + " has");
    }
  }

  private void look(Node node) {
    long clock = node.clock();
    long since = clock - node.ticked;
    node.ticked = clock;
    if (node.roll.version() == 0) {
      join(node);
      return;
    }
    if (since > TIMES.lease()) {
      node.quorum.recordPause(clock);
    }
    node.enter();
    joinRunning(node, clock);
    node.quorum.lead(nodes.length, clock);
    QuorumAsk ask = node.quorum.ask(clock);
    for (Node other : nodes) {
      if (other != node && (has(node.roll, other) || !node.lease.holds())) {
        send(node, other, () -> answer(other, node, ask));
      }
    }
    for (UUID silent : node.quorum.silent(clock)) {
      suspect(node, byId(silent));
    }
    for (UUID apart : node.quorum.apart(clock)) {
      suspect(node, byId(apart));
    }
    lookAtClaim(node);
    if (node.master == node.id && !node.claims) {
      publish(node);
    } else if (random.nextInt(5) == 0) {
      Node master = nodes[node.master];
      Seat seat = node.seat();
      send(node, master, () -> heartbeat(master, node, seat));
    }
    if (node.quorum.isOutcast(clock)) {
      stop(node, 200 * MILLI, "is outcast");
    }
  }

  private void answer(Node other, Node node, QuorumAsk ask) {
    if (other.roll.version() == 0) {
      return;
    }
    QuorumAnswer answer = other.quorum.answer(ask, other.clock());
    send(other, node, () -> node.quorum.hear(answer, node.clock()));
  }

  private Node byId(UUID uuid) {
    return nodes[(int) uuid.getLeastSignificantBits() - 1];
  }

  private static boolean has(Roll roll, Node node) {
    return roll.seats().stream().anyMatch(seat -> seat.id() == node.id);
  }

  // ---- the list of members

  private void join(Node node) {
    Seat seat = node.seat();
    for (Node other : nodes) {
      if (other != node) {
        send(node, other, () -> admit(other, node, seat, true));
      }
    }
    if (now > node.alone) {
      note(node, "is alone");
      node.master = node.id;
      take(node, new Roll(1, List.of(seat), seat), null);
    }
  }

  private void admit(Node other, Node node, Seat seat, boolean first) {
    if (other.roll.version() == 0) {
      if (other.id < node.id) {
        node.alone = Math.max(node.alone, now + SECOND);
      }
      return;
    }
    if (other.claims || node.life != seat.life()) {
      return;
    }
    Seat earlier = seatOf(other.roll, node);
    if (earlier != null && !earlier.equals(seat) && other.master != other.id) {
      suspect(other, node); // as Hazelcast does if its master asks to join
    }
    if (other.master != other.id) {
      if (first && other.master != node.id) {
        Node master = nodes[other.master];
        send(other, master, () -> admit(master, node, seat, false));
      }
      return;
    }
    if (other.roll.seats().contains(seat)) {
      publish(other);
      return;
    }
    List<Seat> seats = new ArrayList<>(other.roll.seats());
    if (seats.removeIf(each -> each.id() == seat.id())) {
      change(other, seats, other.roll.version() + 1);
    }
    seats = new ArrayList<>(other.roll.seats());
    seats.add(seat);
    change(other, seats, other.roll.version() + 1);
  }

  private void change(Node master, List<Seat> seats, long version) {
    Seat owner = master.roll.owner();
    Seat next =
        owner != null && seats.contains(owner)
            ? owner
            : seats.get(seats.size() > 1 ? random.nextInt(seats.size()) : 0);
    take(master, new Roll(version, List.copyOf(seats), next), owner);
    publish(master);
  }

  private void publish(Node master) {
    Roll roll = master.roll;
    Seat from = master.seat();
    for (Seat seat : roll.seats()) {
      Node node = nodes[seat.id()];
      if (node != master && node.life == seat.life()) {
        send(
            master,
            node,
            () -> {
              boolean joins = node.roll.version() == 0;
              if (joins || (node.master == from.id() && roll.version() > node.roll.version())) {
                node.master = from.id();
                take(node, roll, node.roll.owner());
              }
            });
      }
    }
  }

  private void take(Node node, Roll roll, @Nullable Seat former) {
    node.roll = roll;
    node.taken.add(new Stamp(roll.version(), nodes[node.master].uuid));
    note(node, "has list " + roll + " of m" + node.master);
    node.enter();
    boolean owns = node.seat().equals(roll.owner());
    if (owns && !node.owns) {
      node.unfenced = false;
      int life = node.life;
      boolean hadJoined = // a list may name a life that is in another cluster, or this one
          former != null
              && former.id() != node.id
              && nodes[former.id()].life == former.life()
              && !Collections.disjoint(nodes[former.id()].taken, node.taken);
      node.lease.fence(
          () -> {
            if (node.life == life) {
              node.unfenced = true;
              note(node, "lifts the fence of " + former);
              if (former != null && hadJoined) {
                deposed.add(former.id() + "/" + former.life());
              }
            }
          },
          former == null || has(roll, nodes[former.id()]) ? null : nodes[former.id()].uuid);
    }
    node.owns = owns;
  }

  private void suspect(Node node, Node lost) {
    Seat seat = seatOf(node.roll, lost);
    if (seat == null || lost == node) {
      return;
    }
    if (node.master == node.id && !node.claims) {
      List<Seat> seats = new ArrayList<>(node.roll.seats());
      seats.remove(seat);
      change(node, seats, node.roll.version() + 1);
      return;
    }
    node.suspected.add(seat);
    if (!node.claims && node.master != node.id && older(node, node.seat())) {
      note(node, "claims to be master");
      node.claims = true;
      node.claimsSince = now;
      node.accepted.clear();
      node.master = node.id;
      node.enter();
    }
  }

  private static @Nullable Seat seatOf(Roll roll, Node node) {
    return roll.seats().stream().filter(seat -> seat.id() == node.id).findFirst().orElse(null);
  }

  /** Whether all members are suspected that are older than one. */
  private static boolean older(Node node, Seat candidate) {
    for (Seat seat : node.roll.seats()) {
      if (seat.equals(candidate)) {
        return true;
      }
      if (!node.suspected.contains(seat)) {
        return false;
      }
    }
    return false;
  }

  private void lookAtClaim(Node node) {
    if (!node.claims) {
      return;
    }
    boolean all = true;
    Seat claimant = node.seat();
    for (Seat seat : node.roll.seats()) {
      Node other = nodes[seat.id()];
      if (other != node && !node.suspected.contains(seat) && !node.accepted.containsKey(seat)) {
        all = false;
        send(node, other, () -> acceptClaim(other, node, claimant, seat));
      }
    }
    if (all || now - node.claimsSince > 5 * SECOND) {
      Roll latest = node.roll;
      for (Roll roll : node.accepted.values()) {
        latest = roll.version() > latest.version() ? roll : latest;
      }
      List<Seat> seats = new ArrayList<>();
      for (Seat seat : latest.seats()) {
        if (seat.id() == node.id
            || (node.accepted.containsKey(seat) && !node.suspected.contains(seat))) {
          seats.add(seat);
        }
      }
      node.claims = false;
      node.suspected.clear();
      if (!seats.contains(node.seat())) {
        seats.add(node.seat());
      }
      node.roll = new Roll(node.roll.version(), node.roll.seats(), latest.owner());
      change(node, seats, latest.version() + 1);
    }
  }

  private void acceptClaim(Node other, Node node, Seat claimant, Seat seat) {
    if (!other.seat().equals(seat) || (other.master == other.id) || !older(other, claimant)) {
      return;
    }
    other.master = node.id;
    other.enter();
    Roll roll = other.roll;
    send(
        other,
        node,
        () -> {
          if (node.claims && node.seat().equals(claimant)) {
            node.accepted.put(seat, roll);
          }
        });
  }

  private void heartbeat(Node master, Node from, Seat seat) {
    if (explicitSuspicion
        && master.roll.version() > 0
        && master.master == master.id
        && !master.claims
        && !master.roll.seats().contains(seat)) {
      send(
          master,
          from,
          () -> {
            if (from.seat().equals(seat) && from.master == master.id) {
              suspect(from, master);
            }
          });
    }
  }

  // ---- faults

  private void fault() {
    if (now > FAULTS) {
      heal();
      return;
    }
    Node node = nodes[random.nextInt(nodes.length)];
    switch (random.nextInt(10)) {
      case 0 -> pause(node);
      case 1, 2 -> {
        if (node.up) {
          stop(node, (200 + random.nextInt(10_000)) * MILLI, "crashes");
        }
      }
      case 3, 4, 5 -> split(random.nextBoolean());
      case 6 -> {
        Node other = nodes[random.nextInt(nodes.length)];
        cut[node.id][other.id] = true;
      }
      case 7 -> loss = random.nextInt(4) / 10.0;
      case 8 -> {
        node.failsToKeep = !node.failsToKeep;
        note(node, "fails to keep: " + node.failsToKeep);
      }
      default -> {
        for (boolean[] row : cut) {
          Arrays.fill(row, false);
        }
      }
    }
    at(now + random.nextInt(6_000) * MILLI, null, this::fault);
  }

  private void pause(Node node) {
    note(node, "pauses");
    node.pausedUntil = now + random.nextInt(8_000) * MILLI;
  }

  private void split(boolean both) {
    int side = random.nextInt(1 << nodes.length);
    log.append(now / MILLI).append(" split ").append(Integer.toBinaryString(side)).append('\n');
    for (int from = 0; from < nodes.length; from++) {
      for (int to = 0; to < nodes.length; to++) {
        boolean fromSide = (side >> from & 1) != 0;
        boolean toSide = (side >> to & 1) != 0;
        cut[from][to] = both ? fromSide != toSide : fromSide && !toSide;
      }
    }
  }

  private void heal() {
    log.append(now / MILLI).append(" heals\n");
    faults = false;
    loss = 0;
    for (boolean[] row : cut) {
      Arrays.fill(row, false);
    }
    for (Node node : nodes) {
      node.failsToKeep = false;
    }
  }

  // ---- what must hold

  /** Returns what went wrong; null if nothing did. */
  @Nullable String run() {
    while (now < FAULTS + RECOVERY) {
      Event event = events.remove();
      if (event.node() != null && event.node().pausedUntil > event.time()) {
        at(event.node().pausedUntil, event.node(), event.task());
        continue;
      }
      now = event.time();
      event.task().run();
      if (event.node() != null) event.node().noteSet();
      String wrong = wrong();
      if (wrong != null) {
        end();
        return now / MILLI + " ms: " + wrong;
      }
      if (!faults && isWell()) {
        return null;
      }
    }
    end();
    return "the members do not all serve in one view";
  }

  private void end() {
    for (Node node : nodes) {
      VoterSet set = node.quorum.voters();
      note(
          node,
          "ends with up="
              + node.up
              + " holds="
              + node.lease.holds()
              + " list="
              + node.roll
              + " master=m"
              + node.master
              + " claims="
              + node.claims
              + " waits="
              + node.quorum.ask(node.clock()).promise()
              + " set="
              + (set == null
                  ? null
                  : set.term()
                      + "."
                      + set.view()
                      + "."
                      + set.number()
                      + " "
                      + set.consistent()
                      + " "
                      + set.voters().values()
                      + " of "
                      + set.origin())
              + " owns="
              + node.owns
              + " unfenced="
              + node.unfenced);
    }
  }

  private @Nullable String wrong() {
    Node serving = null;
    for (Node node : nodes) {
      if (!node.serves()) {
        continue;
      }
      if (serving != null) {
        return "two serve: m" + serving.id + " and m" + node.id;
      }
      if (deposed.contains(node.id + "/" + node.life)) {
        return "serves though another took over: m" + node.id;
      }
      serving = node;
    }
    for (Node one : nodes) {
      for (Node other : nodes) {
        if (one.id < other.id) {
          boolean both =
              one.up
                  && other.up
                  && one.lease.holds()
                  && other.lease.holds()
                  && !has(one.roll, other)
                  && !has(other.roll, one);
          String pair = one.id + " and " + other.id;
          if (!both) {
            apart.remove(pair);
          } else if (now - apart.computeIfAbsent(pair, key -> now) > 3 * TIMES.fence()) {
            return "two majorities: " + pair;
          }
        }
      }
    }
    return null;
  }

  private boolean isWell() {
    for (Node node : nodes) {
      if (!node.up
          || node.pausedUntil > now
          || !node.lease.holds()
          || node.master != nodes[0].master
          || node.roll.version() != nodes[0].roll.version()
          || node.roll.seats().size() != nodes.length
          || (node.owns && !node.unfenced)) {
        return false;
      }
    }
    return true;
  }

  String log() {
    return log.toString();
  }
}
