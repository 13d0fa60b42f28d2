package io.keyvalueserve.bench;

import java.util.Locale;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options that say how many connections there are, and what they do. */
final class StormPlan {
  private static final String RESP = "RESP";
  private static final String CONNECTIONS = "--connections";
  private static final String HAZELCAST_CONNECTIONS = "--hazelcast-connections";

  @Option(
      names = CONNECTIONS,
      defaultValue = "10000",
      paramLabel = "N",
      description = "Connections of Redis clients; 0 to leave them out. Default: ${DEFAULT-VALUE}")
  int connections;

  @Option(
      names = "--rate",
      defaultValue = "1",
      paramLabel = "OPS/S",
      description = "Requests of each of them in a second, as 1 or 0.2. Default: ${DEFAULT-VALUE}")
  double rate;

  @Option(
      names = HAZELCAST_CONNECTIONS,
      defaultValue = "1000",
      paramLabel = "N",
      description =
          "Connections of Hazelcast clients; 0 to leave them out. They log in as clients do, and"
              + " are sessions of their own to the member; so many real clients, with their threads"
              + " and heaps, would take tens of GB at the load's side. Default: ${DEFAULT-VALUE}")
  int hazelcastConnections;

  @Option(
      names = "--hazelcast-rate",
      defaultValue = "5",
      paramLabel = "OPS/S",
      description = "Requests of each of them in a second. Default: ${DEFAULT-VALUE}")
  double hazelcastRate;

  @Option(
      names = "--workload",
      defaultValue = "50/50",
      paramLabel = "NAME",
      converter = Mix.Parser.class,
      description = "get, set or reads/writes as 50/50. Default: ${DEFAULT-VALUE}")
  Mix mix = Mix.of("50/50");

  @Mixin Rounds rounds = new Rounds(1, 20);

  StormShape resp() {
    return new StormShape(RESP, connections, rate, mix);
  }

  StormShape hazelcast() {
    return new StormShape("Hazelcast", hazelcastConnections, hazelcastRate, mix);
  }

  /** The option that says how many connections a shape has. */
  String option(StormShape shape) {
    return shape.protocol().equals(RESP) ? CONNECTIONS : HAZELCAST_CONNECTIONS;
  }

  /** A tenth of the time, at most two seconds: the first requests find cold caches. */
  long leadNanos() {
    return Math.min(rounds.nanos() / 10, 2_000_000_000L);
  }

  /** Refuses what cannot be measured. */
  void check(CommandSpec spec) {
    rounds.check(spec);
    boolean positive = rate > 0 && hazelcastRate > 0;
    boolean some =
        connections >= 0 && hazelcastConnections >= 0 && connections + hazelcastConnections > 0;
    Bench.refuse(
        spec,
        !positive || !some || mix.zipfian(),
        "--rate and --hazelcast-rate are positive, connections not negative, and there is one;"
            + " --workload is none of YCSB");
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%,d keys, %d B values; active for %.1f s",
        rounds.entries(),
        rounds.valueBytes(),
        rounds.seconds);
  }
}
