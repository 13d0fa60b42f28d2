package io.keyvalueserve.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;

/** Loads of Redis' types. It weighs servers before and after it fills them. Not thread-safe. */
final class TypeLoads implements Loads {
  private final List<TypeLoad> loads;
  private final TypePlan plan;
  private final Map<String, LongSupplier> offHeap;
  private final List<TypeMemory> memory = new ArrayList<>();
  private int runs;

  /**
   * @param loads those that are run
   * @param offHeap by the names of servers of this product, the memory that they have taken off the
   *     heap, in bytes
   */
  TypeLoads(List<TypeLoad> loads, TypePlan plan, Map<String, LongSupplier> offHeap) {
    this.loads = loads;
    this.plan = plan;
    this.offHeap = Map.copyOf(offHeap);
  }

  @Override
  public void fill(Contender server) {
    LongSupplier off = offHeap.getOrDefault(server.name(), () -> -1);
    for (TypeData data : loads.stream().map(load -> load.data).distinct().toList()) {
      if (data != TypeData.NOTHING) {
        int elements = data.elements(plan);
        data.fill(server, 0, TypeData.STEP); // whatever the first ones bring along
        TypeMemory.Weight before = TypeMemory.Weight.of(server.process(), off);
        data.fill(server, TypeData.STEP, elements);
        TypeMemory.Weight after = TypeMemory.Weight.of(server.process(), off);
        memory.add(TypeMemory.of(server.name(), data, elements - TypeData.STEP, before, after));
      }
    }
  }

  @Override
  public Window once(Contender server, Shape shape, int seed, long leadNanos, long nanos) {
    TypeLoad load = TypeLoad.of(shape.mix().name()).orElseThrow();
    runs++;
    if (!load.isFed()) {
      Contender typed = server.with(load.wire(server.wire(), plan, runs));
      return RawLoad.once(typed, shape, load.numbers(plan), seed, leadNanos, nanos);
    }
    server.process().requireAlive();
    try (FeedLoad feed = new FeedLoad(server, load, shape, plan.messageBytes(), runs)) {
      return feed.run(leadNanos, nanos);
    } catch (BenchException e) {
      server.process().requireAlive();
      throw new BenchException(server.name() + ", " + shape + ": " + e.getMessage(), e);
    }
  }

  /** Returns what elements take, in the order of servers and types. */
  List<TypeMemory> memory() {
    return memory;
  }

  /** Returns the goals of processor times, where redis-server was measured too. */
  static List<Goal> goals(List<Cell> cells) {
    List<Goal> goals = new ArrayList<>();
    Cell own = null;
    for (Cell cell : cells) {
      if (own == null || !own.shape().equals(cell.shape())) {
        own = cell;
      } else if (cell.server().equals(DoorPeer.REDIS.toString())
          && cell.shape() instanceof Shape shape) {
        TypeLoad load = TypeLoad.of(shape.mix().name()).orElseThrow();
        double ratio = own.ratio(cell, Window::serverCpuMicros);
        goals.add(new Goal(shape + ": CPU x redis", ratio, true, load.goal(shape.pipeline())));
      }
    }
    return goals;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "%,d elements, a leaderboard of %,d", plan.entries(), plan.leaderboard());
  }
}
