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

  @Option(
      names = "--rounds",
      defaultValue = "1",
      paramLabel = "N",
      description = "How many storms each server has, in turns. Default: ${DEFAULT-VALUE}")
  int rounds;

  @Option(
      names = "--seconds",
      defaultValue = "20",
      paramLabel = "SECONDS",
      description = "How long the connections are active. Default: ${DEFAULT-VALUE}")
  double seconds;

  @Mixin Preparation preparation = new Preparation();

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

  long nanos() {
    return (long) (seconds * 1e9);
  }

  int entries() {
    return preparation.entries;
  }

  int valueBytes() {
    return preparation.valueBytes;
  }

  /** A tenth of the time, at most two seconds: the first requests find cold caches. */
  long leadNanos() {
    return Math.min(nanos() / 10, 2_000_000_000L);
  }

  /** Refuses what cannot be measured. */
  void check(CommandSpec spec) {
    boolean positive =
        rounds > 0 && nanos() > 0 && preparation.isPossible() && rate > 0 && hazelcastRate > 0;
    boolean some =
        connections >= 0 && hazelcastConnections >= 0 && connections + hazelcastConnections > 0;
    Bench.refuse(
        spec,
        !positive || !some || mix.zipfian(),
        "--rate, --hazelcast-rate, --rounds, --seconds, --entries and --value are positive,"
            + " --warm-up and connections not negative, and there is a connection; --workload is"
            + " none of YCSB");
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "%,d keys, %d B values; active for %.1f s", entries(), valueBytes(), seconds);
  }
}
