package io.keyvalueserve.bench;

import io.keyvalueserve.server.config.ConfigException;
import io.keyvalueserve.server.config.ConfigReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The clusters that Hazelcast clients compare. */
enum Grids {
  /** This product as it comes. */
  KVS,
  /** This product with requests of different clients not put together. */
  COALESCING_OFF,
  /** Hazelcast as it comes. */
  STOCK;

  private static final String SETTING = "fast-path.coalescing";

  /** What the options of the bench call it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Those that take part: all but some, and the one without coalescing if this version can.
   *
   * @param progress is told what is left out
   */
  static List<Grids> but(Set<Grids> without, Progress progress) {
    List<Grids> all = new ArrayList<>(List.of(values()));
    all.removeAll(without);
    all.remove(KVS);
    all.addFirst(KVS);
    if (all.contains(COALESCING_OFF) && !hasSetting()) {
      progress.say("this version has no setting %s: kvs without it is left out", SETTING);
      all.remove(COALESCING_OFF);
    }
    return all;
  }

  /**
   * Starts it.
   *
   * @param folder for data and output
   * @param members of the cluster
   */
  Grid start(Path folder, int members) {
    return switch (this) {
      case KVS -> OwnCluster.start("kvs", folder, members, List.of());
      case COALESCING_OFF -> {
        Path config =
            FileTree.write(
                folder.resolve("coalescing-off.yaml"), "fast-path:\n  coalescing: false\n");
        yield OwnCluster.start(
            "kvs-coalescing-off", folder, members, List.of("--config", config.toString()));
      }
      case STOCK -> StockCluster.start(folder, members);
    };
  }

  private static boolean hasSetting() {
    try {
      ConfigReader.read(null, Map.of(SETTING, "false"));
      return true;
    } catch (ConfigException e) {
      return e.mistakes().stream().noneMatch(mistake -> mistake.startsWith(SETTING));
    }
  }
}
