package io.keyvalueserve.server;

import io.keyvalueserve.grid.GridMember;
import io.keyvalueserve.grid.MemberInfo;
import io.keyvalueserve.grid.Role;
import io.keyvalueserve.grid.question.MemberAnswer;
import io.keyvalueserve.grid.restart.LoadProgress;
import io.keyvalueserve.grid.restart.LogFigures;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** The reports of members: this one, and all. Thread-safe; asking all blocks. */
final class MemberReports {
  private static final String TOPIC = "member";
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int LOOKS = 10;
  private static final double NANOS = 1e9;

  private final GridMember grid;
  private final UUID uuid;
  private final String name;
  private final TenantUsages usages;
  private final MemoryFacts memory;
  private final IntSupplier connections;
  private final Deque<Look> looks = new ArrayDeque<>();
  private volatile double appendedPerSecond;

  private record Look(long nanos, long appendedBytes) {}

  /**
   * @param name of this member
   * @param connections how many clients are connected here
   */
  MemberReports(
      GridMember grid,
      String name,
      TenantUsages usages,
      MemoryFacts memory,
      IntSupplier connections) {
    this.grid = grid;
    this.uuid = grid.members().stream().filter(MemberInfo::local).findFirst().orElseThrow().uuid();
    this.name = name;
    this.usages = usages;
    this.memory = memory;
    this.connections = connections;
    grid.answerers().add(TOPIC, question -> here().encode());
    usages.alsoLook(this::look);
  }

  /** Looks at the log. Called once in a second; the last ten looks count. */
  private synchronized void look(long nowNanos) {
    LogFigures log = grid.logFigures();
    if (log == null) {
      return;
    }
    long appended = log.statistics().appendedBytes();
    Look oldest = looks.peekFirst();
    if (oldest != null && nowNanos > oldest.nanos()) {
      double seconds = (nowNanos - oldest.nanos()) / NANOS;
      appendedPerSecond = Math.max(0, appended - oldest.appendedBytes()) / seconds;
    }
    looks.addLast(new Look(nowNanos, appended));
    if (looks.size() > LOOKS) {
      looks.removeFirst();
    }
  }

  /** Returns the figures of this member. */
  MemberFigures here() {
    LoadProgress load = grid.loadProgress();
    return new MemberFigures(
        uuid,
        name,
        load != null && !load.done(),
        usages.operationsHere(),
        connections.getAsInt(),
        usages.latenciesHere(),
        memory.tiers().stream()
            .map(
                tier -> new MemberFigures.Tier(tier.name(), tier.capacityBytes(), tier.usedBytes()))
            .toList(),
        log());
  }

  private MemberFigures.@Nullable Log log() {
    LogFigures log = grid.logFigures();
    return log == null
        ? null
        : new MemberFigures.Log(
            appendedPerSecond,
            log.statistics().liveBytes(),
            Math.max(0, log.statistics().fileBytes() - log.statistics().liveBytes()));
  }

  /** Asks all members that hold data. */
  List<MemberReport> everywhere() {
    Map<UUID, MemberFigures> said = new HashMap<>();
    for (MemberAnswer answer : grid.questioner().ask(TOPIC, "", PATIENCE)) {
      String text = answer.text();
      if (text != null) {
        MemberFigures figures = MemberFigures.decode(text);
        said.put(figures.uuid(), figures);
      }
    }
    Map<UUID, Integer> partitions = grid.partitionsByOwner();
    List<MemberReport> reports = new ArrayList<>();
    for (MemberInfo member : grid.members()) {
      if (member.role() == Role.DATA) {
        reports.add(
            new MemberReport(
                member, partitions.getOrDefault(member.uuid(), 0), said.get(member.uuid())));
      }
    }
    return reports;
  }
}
