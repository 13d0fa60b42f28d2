package io.keyvalueserve.bench;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options of {@code peers} that say what loads do: to keys, or to Redis' types. */
final class PeerWorkloads {
  private static final Mix ALL = new Mix(TypeLoad.ALL, 0, false);

  @Option(
      names = "--workloads",
      split = ",",
      paramLabel = "NAME,...",
      converter = Parser.class,
      description = {
        "get, set, reads/writes as 50/50, or a (50/50), b (95/5), c (get) of YCSB, with zipfian"
            + " keys. Default: get,50/50",
        "Of Redis' types: hset, hget, queue (LPUSH and RPOP), sadd (SADD and SREM), sismember, zadd,"
            + " zrange, incr, multi (5 commands), limiter (a script), lock (SET NX and a script),"
            + " pubsub, blocking (BLPOP and RPUSH); types is all of them. Beside redis-server and"
            + " valkey-server, by default at pipeline 1 and 16 over 64 connections."
      })
  private List<Mix> mixes = List.of();

  @Option(
      names = "--leaderboard",
      defaultValue = "1000000",
      paramLabel = "N",
      description = "Members of the sorted set of zadd and zrange. Default: ${DEFAULT-VALUE}")
  private int leaderboard;

  @Option(
      names = "--subscribers",
      defaultValue = "1000",
      paramLabel = "N",
      description = "Connections that pubsub sends each message to. Default: ${DEFAULT-VALUE}")
  private int subscribers;

  /** Reads names of both kinds. */
  static final class Parser implements ITypeConverter<Mix> {
    @Override
    public Mix convert(String text) {
      if (text.equalsIgnoreCase(TypeLoad.ALL)) {
        return ALL;
      }
      return TypeLoad.of(text).map(TypeLoad::mix).orElseGet(() -> key(text));
    }

    private static Mix key(String text) {
      try {
        return Mix.of(text);
      } catch (TypeConversionException e) {
        throw new TypeConversionException(
            e.getMessage() + "; or of Redis' types " + Arrays.toString(TypeLoad.values()));
      }
    }
  }

  /** Refuses what cannot be done. */
  void check(CommandSpec spec) {
    Bench.refuse(
        spec,
        leaderboard < 100 || subscribers < 1,
        "--leaderboard is 100 or more, --subscribers is positive");
  }

  /** Returns the loads of keys; the usual ones if nobody has asked for any load. */
  List<Mix> keys() {
    return mixes.isEmpty()
        ? Stream.of("get", "50/50").map(Mix::of).toList()
        : mixes.stream().filter(mix -> types(mix).isEmpty()).toList();
  }

  /** Returns the loads of Redis' types, each once. */
  List<TypeLoad> types() {
    return mixes.stream().map(PeerWorkloads::types).flatMap(List::stream).distinct().toList();
  }

  private static List<TypeLoad> types(Mix mix) {
    return mix.equals(ALL)
        ? List.of(TypeLoad.values())
        : TypeLoad.of(mix.name()).map(List::of).orElse(List.of());
  }

  /** Returns how much loads of Redis' types have to do with. */
  TypePlan plan(Rounds rounds) {
    return new TypePlan(rounds.entries(), leaderboard, subscribers, rounds.valueBytes());
  }
}
