package io.keyvalueserve.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options that say over how many connections requests come, how many at once and how fast. */
final class RawShapes {
  @Option(
      names = "--connections",
      split = ",",
      paramLabel = "N,...",
      description = "How many connections. Default: ${DEFAULT-VALUE}")
  private List<Integer> connections;

  @Option(
      names = "--pipeline",
      split = ",",
      defaultValue = "1,16,64",
      paramLabel = "N,...",
      description = "Requests that a connection sends at once. Default: ${DEFAULT-VALUE}")
  private List<Integer> pipelines = List.of();

  @Option(
      names = "--rate",
      defaultValue = "0",
      paramLabel = "OPS/S|N%",
      converter = Rate.Parser.class,
      description =
          "The same rate for all, kept by a timetable: latencies then count from when a request"
              + " was due. With %%: this part of what the first peer (redis, stock) reaches in a"
              + " round before. Default: as many as the server answers.")
  Rate rate = new Rate.Most();

  /**
   * @param connections how many, if nobody asks for others
   */
  RawShapes(List<Integer> connections) {
    this.connections = connections;
  }

  /** Refuses what cannot be offered. */
  void check(CommandSpec spec) {
    Bench.refuse(
        spec,
        Stream.of(connections, pipelines).flatMap(List::stream).anyMatch(count -> count < 1),
        "--connections and --pipeline are positive");
  }

  /** All combinations; those with a share of a rate have none yet. */
  List<Shape> shapes(int members, List<Mix> mixes) {
    long perSecond = rate instanceof Rate.Fixed fixed ? fixed.perSecond() : 0;
    List<Shape> shapes = new ArrayList<>();
    for (Mix mix : mixes) {
      for (int pipeline : pipelines) {
        for (int count : connections) {
          shapes.add(new Shape(members, count, pipeline, mix, perSecond));
        }
      }
    }
    return shapes;
  }

  /**
   * All combinations for Redis' types. There are fewer where nobody asks for others, and one number
   * of connections for channels.
   */
  List<Shape> shapes(CommandSpec spec, int members, List<TypeLoad> loads, TypePlan plan) {
    List<Integer> depths = isChosen(spec, "--pipeline") ? pipelines : List.of(1, 16);
    List<Integer> some = isChosen(spec, "--connections") ? connections : List.of(64);
    List<Shape> shapes = new ArrayList<>();
    for (TypeLoad load : loads) {
      List<Integer> counts = load == TypeLoad.PUBSUB ? List.of(plan.subscribers()) : some;
      for (int pipeline : depths) {
        for (int count : counts) {
          shapes.add(new Shape(members, count, pipeline, load.mix(), 0));
        }
      }
    }
    return shapes;
  }

  private static boolean isChosen(CommandSpec spec, String option) {
    return spec.commandLine().getParseResult().hasMatchedOption(option);
  }
}
