package io.keyvalueserve.bench;

import io.keyvalueserve.bench.IsolationServer.Subject;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options that say who is measured beside whom, how often and how long. */
final class IsolationPlan {
  private static final int MOST_TENANTS = 8;
  private static final int MOST_PIPELINE = 100;
  private static final long MOST_RATE = 100_000;
  private static final double LEAD_SECONDS = 1;
  private static final double SHORT_SECONDS = 1;
  private static final long SHORT_LEAD_NANOS = 200_000_000;
  private static final int SHORT_FLOOD_BYTES = 256;
  private static final int SHORT_ENTRIES = 10_000;
  private static final double SHORT_WARM_UP = 3;
  private static final int SHORT_PEERS = 400;
  private static final int LEAST_PEERS = 16;
  private static final int MOST_PEERS = 200_000;

  /** Files that a server has open for connections that it is closing, and for other tenants. */
  private static final int SPARE_FILES = 200;

  /** What is measured. */
  enum Part {
    AGGRESSORS,
    FAIRNESS,
    COST;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Option(
      names = "--parts",
      split = ",",
      paramLabel = "PART,...",
      description = "${COMPLETION-CANDIDATES}. Default: all")
  Set<Part> parts = EnumSet.allOf(Part.class);

  @Option(
      names = "--subjects",
      split = ",",
      paramLabel = "NAME,...",
      description = "Servers: ${COMPLETION-CANDIDATES}. Default: all that are installed")
  Set<Subject> subjects = EnumSet.noneOf(Subject.class);

  @Option(
      names = "--aggressors",
      split = ",",
      paramLabel = "NAME,...",
      description = "${COMPLETION-CANDIDATES}. Default: all")
  Set<IsolationAggression> aggressors = EnumSet.allOf(IsolationAggression.class);

  @Option(
      names = "--limits",
      description =
          "Measure each aggressor of this product a second time, with a quota. It is an error if"
              + " the server cannot limit tenants.")
  boolean limits;

  @Option(
      names = "--loops-apart",
      description =
          "This product's event loops have the servers' core to themselves (kvs serve --resp-cpus);"
              + " its compilers, timers and all other threads have the load's, before the"
              + " aggressor's load. Of kvs. Default: all threads of a server are on its core")
  boolean loopsApart;

  @Option(
      names = "--rate",
      defaultValue = "2000",
      paramLabel = "OPS/S",
      description = "What the victim offers, whatever the server does. Default: ${DEFAULT-VALUE}")
  long rate;

  @Option(
      names = "--connections",
      defaultValue = "16",
      paramLabel = "N",
      description =
          "The victim's connections; the aggressor 'connections' has ten times as many. Default:"
              + " ${DEFAULT-VALUE}")
  int connections;

  @Option(
      names = "--workload",
      defaultValue = "90/10",
      paramLabel = "NAME",
      converter = Mix.Parser.class,
      description = "What the victim does: get, set or reads/writes. Default: ${DEFAULT-VALUE}")
  Mix mix = Mix.of("90/10");

  @Option(
      names = "--tenants",
      defaultValue = "4",
      paramLabel = "N",
      description =
          "How many equal tenants with unequal loads, each twice the one before, have their"
              + " fairness measured; 2 to 8. Default: ${DEFAULT-VALUE}")
  int tenants;

  @Option(
      names = "--pipeline",
      defaultValue = "4",
      paramLabel = "N",
      description =
          "How many requests each of 16 connections of the tenant with the least load sends ahead;"
              + " 1 to 100. A tenant whose requests are answered sooner than it sends new ones asks"
              + " for less than its part, and is served less. Default: ${DEFAULT-VALUE}")
  int pipeline;

  @Option(
      names = "--huge-value",
      defaultValue = "16m",
      paramLabel = "SIZE",
      converter = DataSize.class,
      description =
          "Of the aggressor 'huge-values'; servers of this product take 16m with the heap that they"
              + " have by default. Default: ${DEFAULT-VALUE}")
  long hugeBytes;

  @Option(
      names = "--peers",
      defaultValue = "20000",
      paramLabel = "N",
      description =
          "How many connections without a key the aggressor 'peers' wants to have open at the four"
              + " ports together, 16 to 200000; fewer if a process may not open as many files"
              + " (ulimit -n). Default: ${DEFAULT-VALUE}")
  int peers;

  @Option(
      names = "--peers-cpu",
      defaultValue = "50",
      paramLabel = "PERCENT",
      description =
          "How much of a core these peers use at most, 1 to 100, so that the victim does not wait"
              + " for them. Default: ${DEFAULT-VALUE}")
  int peersCpu;

  @Option(
      names = "--peers-limited",
      description =
          "The server allows as many connections without a key as it does by itself. Default: it"
              + " allows all of --peers")
  boolean peersLimited;

  private FileRoom room = new FileRoom(Long.MAX_VALUE, List.of());

  @Option(
      names = "--memory",
      defaultValue = "1g",
      paramLabel = "SIZE",
      converter = DataSize.class,
      description =
          "What this product and redis-server have for entries; a stock member has its heap of 1"
              + " GiB. Default: ${DEFAULT-VALUE}")
  long memoryBytes;

  @Option(
      names = "--rehearsal",
      defaultValue = "90",
      paramLabel = "SECONDS",
      description =
          "How long each aggressor runs before it counts, at most: it ends when the server has"
              + " compiled what it asks for; 0.1 to 600. Default: ${DEFAULT-VALUE}")
  double rehearsalSeconds;

  @Option(
      names = "--short",
      description =
          "A first look: one round of 1 s at most, 10,000 keys, 3 s of warming up, small values for"
              + " the flood, and a second at most for the server to come to rest after each"
              + " aggressor. What it says is no measurement.")
  boolean brief;

  @Mixin Rounds rounds = new Rounds();

  /**
   * Makes it short, if that was asked for, refuses what cannot be measured, and asks for files for
   * as many peers as are wanted.
   */
  void check(CommandSpec spec) {
    if (brief) {
      peers = Math.min(peers, SHORT_PEERS);
      rounds.rounds = 1;
      rounds.seconds = Math.min(rounds.seconds, SHORT_SECONDS);
      rehearsalSeconds = Math.min(rehearsalSeconds, rounds.seconds);
      rounds.preparation.entries = Math.min(rounds.preparation.entries, SHORT_ENTRIES);
      rounds.preparation.warmUpSeconds = Math.min(rounds.preparation.warmUpSeconds, SHORT_WARM_UP);
    }
    rounds.check(spec);
    Bench.refuse(spec, rate < 1 || rate > MOST_RATE, "--rate is from 1 to 100000");
    Bench.refuse(spec, connections < 1 || connections > rate, "--connections are from 1 to --rate");
    Bench.refuse(
        spec, mix.zipfian(), "--workload is none of YCSB: get, set, or reads/writes as 90/10");
    Bench.refuse(
        spec,
        !(rehearsalSeconds >= 0.1 && rehearsalSeconds <= 600),
        "--rehearsal is from 0.1 to 600 seconds");
    Bench.refuse(
        spec, tenants < 2 || tenants > MOST_TENANTS, "--tenants are from 2 to " + MOST_TENANTS);
    Bench.refuse(
        spec, pipeline < 1 || pipeline > MOST_PIPELINE, "--pipeline is from 1 to " + MOST_PIPELINE);
    Bench.refuse(
        spec,
        hugeBytes < 1 || hugeBytes > 64 << 20,
        "--huge-value is from 1 byte to 64m, as no server takes more");
    Bench.refuse(
        spec,
        peers < LEAST_PEERS || peers > MOST_PEERS,
        "--peers are from " + LEAST_PEERS + " to " + MOST_PEERS);
    Bench.refuse(spec, peersCpu < 1 || peersCpu > 100, "--peers-cpu is from 1 to 100");
    Bench.refuse(spec, memoryBytes < 64 << 20, "--memory is 64m or more");
    Bench.refuse(
        spec,
        subjects.contains(Subject.REDIS) && Programs.here().find(Program.REDIS).isEmpty(),
        "redis-server is not installed (Debian package redis-server): leave redis out of"
            + " --subjects");
    Bench.refuse(
        spec,
        limits && !subjects.isEmpty() && subjects.stream().noneMatch(Subject::isOwn),
        "--limits are of this product: name kvs or kvs-hazelcast in --subjects");
    Bench.refuse(
        spec,
        loopsApart && !subjects().contains(Subject.KVS),
        "--loops-apart is of kvs: name it in --subjects");
    Bench.refuse(
        spec,
        loopsApart && parts.equals(Set.of(Part.COST)),
        "--loops-apart is of the parts aggressors and fairness: name one in --parts");
    Bench.refuse(
        spec, loopsApart && !Cores.areApart(), "--loops-apart needs two cores and taskset");
    Bench.refuse(
        spec,
        parts.equals(Set.of(Part.COST)) && !subjects().contains(Subject.KVS),
        "--parts cost is of kvs: name it in --subjects");
    if (hasPeers()) {
      room = FileRoom.wanting(peers + filesBesidesPeers());
      Bench.refuse(
          spec,
          peersThatFit() < LEAST_PEERS,
          "a process may open too few files for peers without a key: raise the limit (ulimit -n)");
    }
  }

  private boolean hasPeers() {
    return parts.contains(Part.AGGRESSORS)
        && aggressors.contains(IsolationAggression.PEERS)
        && subjects().stream().anyMatch(Subject::isOwn);
  }

  private long filesBesidesPeers() {
    return (long) connections + OpenFiles.BESIDES + SPARE_FILES;
  }

  /**
   * Returns how many peers without a key there are: as many as were asked for, if files suffice.
   */
  int peersThatFit() {
    return Math.clamp(room.limit() - filesBesidesPeers(), 0, peers);
  }

  /** Returns how many connections without a key the server lets be open; 0 for its own limit. */
  int keyless() {
    return hasPeers() && !peersLimited ? peersThatFit() : 0;
  }

  /** Returns what goes before the commands of processes that open many files. */
  List<String> files() {
    return room.before();
  }

  /** Says how many peers there are, and why they are fewer than were asked for; or nothing. */
  private String describePeers() {
    if (!hasPeers()) {
      return "";
    }
    int fit = peersThatFit();
    return String.format(
        Locale.ROOT,
        "; peers without a key: %,d%s, with %d %% of a core%s",
        fit,
        fit == peers
            ? ""
            : String.format(
                Locale.ROOT,
                " INSTEAD OF %,d, as a process may open %,d files: raise the limit (ulimit -n)",
                peers,
                room.limit()),
        peersCpu,
        peersLimited ? ", the server allows what it does by itself" : "");
  }

  /** Those that were asked for, or else all that can be had. */
  List<Subject> subjects() {
    List<Subject> all = new ArrayList<>(List.of(Subject.values()));
    if (!subjects.isEmpty()) {
      all.retainAll(subjects);
    } else if (Programs.here().find(Program.REDIS).isEmpty()) {
      all.remove(Subject.REDIS);
    }
    return all;
  }

  /** How long each aggressor runs before it counts. */
  long rehearsalNanos() {
    return (long) (rehearsalSeconds * 1e9);
  }

  /** A tenth of a turn, and a second at least: an aggressor's connections are open by then. */
  long leadNanos() {
    if (brief) {
      return SHORT_LEAD_NANOS;
    }
    return Math.max((long) (LEAD_SECONDS * 1e9), rounds.nanos() / 10);
  }

  int entries() {
    return rounds.entries();
  }

  IsolationQuota quota() {
    return IsolationQuota.ofAggressor(entries(), rounds.valueBytes());
  }

  IsolationForce force(IsolationAggression kind) {
    if (kind == IsolationAggression.PEERS) {
      return new IsolationForce(peersThatFit(), peersCpu, 0);
    }
    IsolationForce usual = IsolationForce.of(kind, connections, Math.toIntExact(hugeBytes));
    return brief && kind == IsolationAggression.FLOOD
        ? new IsolationForce(usual.connections(), usual.depth(), SHORT_FLOOD_BYTES)
        : usual;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "victim: %,d ops/s over %d connections, %s; %s%s%s%s",
        rate,
        connections,
        mix.name(),
        rounds,
        limits ? "; at limit: " + quota() : "",
        loopsApart
            ? "; kvs, but for the cost: only its event loops on core " + Cores.ofServer()
            : "",
        describePeers());
  }
}
