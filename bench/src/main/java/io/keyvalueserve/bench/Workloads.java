package io.keyvalueserve.bench;

import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** The option that says what loads do. */
final class Workloads {
  @Option(
      names = "--workloads",
      split = ",",
      paramLabel = "NAME,...",
      converter = Mix.Parser.class,
      description =
          "get, set, reads/writes as 50/50, or a (50/50), b (95/5), c (get) of YCSB, with zipfian"
              + " keys. Default: get,50/50, but a,b,c for real clients")
  private List<Mix> mixes = List.of();

  /** Those that were asked for, or else the usual ones. */
  List<Mix> or(String... usual) {
    return mixes.isEmpty() ? Stream.of(usual).map(Mix::of).toList() : mixes;
  }
}
