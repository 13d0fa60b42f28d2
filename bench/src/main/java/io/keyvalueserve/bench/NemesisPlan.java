package io.keyvalueserve.bench;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options of {@code kvs bench crash} that put faults of the network and others to members. */
final class NemesisPlan {
  private static final int FEWEST_MEMBERS = 3;

  @Option(
      names = "--nemesis",
      split = ",",
      paramLabel = "KIND,...",
      description =
          "Do faults to a cluster of three or more members instead, each in a network namespace:"
              + " ${COMPLETION-CANDIDATES}. Networks that break, processes that are stopped and go"
              + " on, processes that are killed and start again, clocks that are set by up to an"
              + " hour, links that are slow and lose packets. With mixed, every other round has two"
              + " of different kinds at once: of those that are named, or of cut, pause and kill if"
              + " less than two are (kill only with --durability always). Clients at all doors read"
              + " and write meanwhile. What they saw is checked key by key (linearizability). Needs"
              + " root; clock needs a C compiler (cc), slow needs netem in the kernel")
  private Set<NemesisKind> kinds = EnumSet.noneOf(NemesisKind.class);

  @Option(
      names = "--transactions",
      split = ",",
      arity = "0..1",
      fallbackValue = "redis,http",
      paramLabel = "DOOR,...",
      description =
          "Clients send transactions on several keys instead of operations on one, through these"
              + " doors: ${COMPLETION-CANDIDATES}. They append numbers to lists and read lists. The"
              + " whole history is checked for strict serializability. Without a value: redis and"
              + " http, which have one order; transactions of Hazelcast clients promise less."
              + " Without --nemesis: pause and kill; without --members: 3")
  private Set<TransactionDoor> transactions = EnumSet.noneOf(TransactionDoor.class);

  @Option(
      names = "--minutes",
      defaultValue = "5",
      paramLabel = "N",
      description = "How long, with --nemesis or --transactions. Default: ${DEFAULT-VALUE}")
  double minutes;

  @Option(
      names = "--peers",
      split = ",",
      paramLabel = "NAME,...",
      description =
          "Measure how long faults stop writers, and count acknowledged writes that are lost:"
              + " ${COMPLETION-CANDIDATES}. Each has three servers with a writer beside each; one"
              + " server is cut off, stopped or killed until the writers of the others go on. redis"
              + " has replicas and Sentinel (4 s), hazelcast is as it comes. --nemesis chooses of"
              + " cut, pause, kill. Needs root; redis needs the Debian package redis-server")
  private Set<FaultPeer> peers = EnumSet.noneOf(FaultPeer.class);

  /** Returns whether faults are asked for. */
  boolean isChosen() {
    return !kinds.isEmpty() || !transactions.isEmpty();
  }

  /** Returns the work of clients meanwhile. */
  NemesisWork work() {
    return transactions.isEmpty()
        ? new KeyWork(kinds().contains(NemesisKind.CLOCK))
        : new TransactionWork(transactions);
  }

  /** Names the work of clients meanwhile, in a word or two. */
  String workName() {
    return transactions.isEmpty() ? "operations on keys" : "transactions " + transactions;
  }

  /** Whether peers are to suffer them, too. */
  boolean isBesidePeers() {
    return !peers.isEmpty();
  }

  Set<FaultPeer> peers() {
    return peers;
  }

  /** The faults that are done beside peers. */
  Set<NemesisKind> kindsBesidePeers(CommandSpec spec) {
    Bench.refuse(
        spec,
        !FaultPeersRun.KINDS.containsAll(kinds),
        "--peers goes with --nemesis cut, pause and kill only");
    return kinds.isEmpty() ? FaultPeersRun.KINDS : kinds;
  }

  Set<NemesisKind> kinds() {
    return kinds.isEmpty() ? EnumSet.of(NemesisKind.PAUSE, NemesisKind.KILL) : kinds;
  }

  /** Refuses what cannot be run, and completes what was left out. */
  void check(CommandSpec spec, CrashPlan plan) {
    if (!transactions.isEmpty() && plan.members == 1) {
      plan.members = FEWEST_MEMBERS;
    }
    Bench.refuse(
        spec,
        plan.of != CrashPlan.Of.KVS || plan.disk != CrashDisk.REAL,
        "--nemesis and --transactions go without --of and --disk");
    Bench.refuse(
        spec,
        plan.members < FEWEST_MEMBERS || !(minutes > 0),
        "--nemesis needs --members "
            + FEWEST_MEMBERS
            + " or more, so that a majority can be left; --minutes is positive");
    Bench.refuse(
        spec,
        kinds.contains(NemesisKind.CLOCK) && SteppedClocks.compiler().isEmpty(),
        "--nemesis clock needs a C compiler: install one (apt install gcc libc6-dev), or leave out"
            + " clock");
    Optional<String> why =
        kinds.contains(NemesisKind.SLOW) ? MemberNetwork.whyLinksCannotBeSlow() : Optional.empty();
    Bench.refuse(
        spec,
        why.isPresent(),
        "--nemesis slow cannot be run here: "
            + why.orElse("")
            + ". Load netem (modprobe sch_netem), or leave out slow");
  }
}
