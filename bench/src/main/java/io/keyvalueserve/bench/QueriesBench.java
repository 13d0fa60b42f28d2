package io.keyvalueserve.bench;

import com.hazelcast.instance.BuildInfoProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kvs bench queries}: seed 001's queries, and SQL. */
@Command(
    name = "queries",
    description = {
      "Measure queries beside stock Hazelcast's predicates and SQL, and beside Infinispan.",
      "",
      "The queries of the paper over its people, about 100 B each: q0 to q2 return half of the rows,"
          + " q3 one of a thousand. Each client is separate, with one question under way. All"
          + " servers run on core 0, the load on the others, and servers take turns. The number of"
          + " rows of each answer is compared with the data; a wrong one ends the bench.",
      "",
      "With --sql: a point query with a cached plan and with a text that is new, beside a get, and an"
          + " aggregation over all rows, as query 1 of TPC-H."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class QueriesBench extends Bench {
  private static final int MOST_CLIENTS = 128;

  @Option(
      names = "--sql",
      description =
          "Measure SQL: by default get, point, fresh and aggregate over 1,000,000 entries, with the"
              + " contenders ours-sql and sql.")
  private boolean sql;

  @Option(
      names = "--entries",
      split = ",",
      paramLabel = "N,...",
      description = "How many people there are. Default: 1000,10000,100000, with --sql 1000000")
  private List<Integer> entries = List.of();

  @Option(
      names = "--clients",
      split = ",",
      defaultValue = "8",
      paramLabel = "N,...",
      description = "How many separate clients, from 1 to 128. Default: ${DEFAULT-VALUE}")
  private List<Integer> clients = List.of();

  @Option(
      names = "--queries",
      split = ",",
      paramLabel = "NAME,...",
      description =
          "What is asked: ${COMPLETION-CANDIDATES}; the last three by SQL only. Default: the first"
              + " five")
  private List<Query> queries = List.of();

  /** The values of an option. */
  enum Indexes {
    NONE,
    HASH,
    SORTED,
    ALL;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }

    private List<QueryIndex> list() {
      return this == ALL ? List.of(QueryIndex.values()) : List.of(QueryIndex.valueOf(name()));
    }
  }

  @Option(
      names = "--index",
      paramLabel = "KIND",
      description =
          "The indexes of Hazelcast's maps and ours: ${COMPLETION-CANDIDATES}, all being one after"
              + " the other. Infinispan always has its own. Default: sorted, but hash for"
              + " predicate-serializable, as the paper has it")
  private @Nullable Indexes index;

  @Option(
      names = "--contenders",
      split = ",",
      paramLabel = "NAME,...",
      description = "Who answers: ${COMPLETION-CANDIDATES}. Default: all")
  private List<QueryContender> contenders = List.of();

  @Option(
      names = "--without",
      split = ",",
      paramLabel = "NAME,...",
      description = "Contenders to leave out.")
  private Set<QueryContender> without = EnumSet.noneOf(QueryContender.class);

  @Option(
      names = "--rounds",
      defaultValue = "3",
      paramLabel = "N",
      description = "How often each server has its turn. Default: ${DEFAULT-VALUE}")
  private int rounds;

  @Option(
      names = "--seconds",
      defaultValue = "3",
      paramLabel = "SECONDS",
      description = "How long a turn lasts, as 0.5 or 10. Default: ${DEFAULT-VALUE}")
  private double seconds;

  @Option(
      names = "--warm-up",
      defaultValue = "30",
      paramLabel = "SECONDS",
      description =
          "How long each server is loaded before each measurement of a map, at most: it ends when its"
              + " processor time for a query has stopped falling. Default: ${DEFAULT-VALUE}")
  private double warmUp;

  @Override
  public Integer call() throws IOException {
    List<Query> asked = asked();
    List<QueryContender> who = contenders();
    check(asked, who);
    Path folder = results.make();
    Cores.moveLoad();
    Progress progress = progress();
    List<ClientFleet> fleets = new ArrayList<>();
    List<Cell> cells = new ArrayList<>();
    List<WarmUp.Result> warmUps = new ArrayList<>();
    try {
      for (QueryContender contender : who) {
        progress.say("%s: starting", contender);
        fleets.add(contender.start(folder.resolve("logs"), Launcher.own()));
      }
      QueryComparison comparison =
          new QueryComparison(
              progress,
              who,
              fleets,
              rounds,
              (long) (seconds * 1e9),
              (long) (warmUp * 1e9),
              warmUps);
      List<QueryIndex> kinds = index == null ? Arrays.asList((QueryIndex) null) : index.list();
      for (int count : entries()) {
        for (QueryIndex kind : kinds) {
          cells.addAll(
              comparison.measure(count, kind, new ArrayList<>(new TreeSet<>(clients)), asked));
        }
      }
      report(cells, warmUps, who, asked, folder);
      return 0;
    } catch (BenchException e) {
      if (!cells.isEmpty()) {
        progress.say("a query failed: the report has what was measured before");
        report(cells, warmUps, who, asked, folder);
      }
      throw e;
    } finally {
      fleets.reversed().forEach(QueriesBench::end);
    }
  }

  private void report(
      List<Cell> cells,
      List<WarmUp.Result> warmUps,
      List<QueryContender> who,
      List<Query> asked,
      Path folder)
      throws IOException {
    QueryReport queryReport = new QueryReport(cells, who, asked);
    ComparisonReport report = new ComparisonReport(conditions(), warmUps, cells, List.of());
    report.append(queryReport.tables());
    report.add(queryReport.goals());
    report.write(folder, sql ? "queries-sql" : "queries");
    tell(report.table());
  }

  private static void end(ClientFleet fleet) {
    fleet.close();
    fleet.grid().close();
  }

  private List<Integer> entries() {
    return !entries.isEmpty() ? entries : sql ? List.of(1_000_000) : List.of(1000, 10_000, 100_000);
  }

  private List<Query> asked() {
    return !queries.isEmpty()
        ? EnumSet.copyOf(queries).stream().toList()
        : sql ? Query.OF_SQL : Query.OF_SEED;
  }

  private List<QueryContender> contenders() {
    List<QueryContender> usual =
        sql
            ? List.of(QueryContender.OURS_SQL, QueryContender.SQL)
            : List.of(QueryContender.values());
    return (contenders.isEmpty() ? usual : EnumSet.copyOf(contenders).stream().toList())
        .stream().filter(contender -> !without.contains(contender)).toList();
  }

  private void check(List<Query> asked, List<QueryContender> who) {
    refuse(
        rounds < 1 || seconds <= 0 || warmUp < 0,
        "--rounds and --seconds are positive, --warm-up is not negative");
    refuse(entries().stream().anyMatch(count -> count < 1), "--entries are positive");
    refuse(
        clients.isEmpty() || clients.stream().anyMatch(count -> count < 1 || count > MOST_CLIENTS),
        "--clients are from 1 to " + MOST_CLIENTS);
    refuse(who.isEmpty(), "--without leaves no contender");
    for (Query query : asked) {
      refuse(
          who.stream().noneMatch(contender -> contender.answers(query)),
          "--queries " + query + " needs a contender that has SQL: sql or ours-sql");
    }
  }

  private String conditions() {
    return String.format(
        Locale.ROOT,
        "%s; real clients, each with a connection of its own; people of about 100 B; %d rounds of"
            + " %.1f s, in turns; ours: one member, tenancy on; Hazelcast %s; all with the usual JVM"
            + " options, but a heap of 2 GiB; %s",
        Cores.describe(),
        rounds,
        seconds,
        BuildInfoProvider.getBuildInfo().getVersion(),
        Machine.describe());
  }
}
