package io.keyvalueserve.postgres;

import io.keyvalueserve.gates.heap.HeapLease;
import io.keyvalueserve.postgres.plan.Plan;
import io.keyvalueserve.postgres.syntax.Statement;
import io.keyvalueserve.postgres.types.PgType;
import io.keyvalueserve.postgres.wire.PostgresException;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The prepared statements and the portals of a session, bounded. Used as {@link Backend} is. */
final class Workspace {
  private static final int MOST_STATEMENTS = 1000;
  private static final int MOST_PORTALS = 100;

  private final Planner planner;
  private final HeapLease heap;
  private final Supplier<ZoneId> zone;
  private final Map<String, Prepared> statements = new HashMap<>();
  private final Map<String, Portal> portals = new HashMap<>();

  Workspace(Planner planner, HeapLease heap, Supplier<ZoneId> zone) {
    this.planner = planner;
    this.heap = heap;
    this.zone = zone;
  }

  /** Prepares a statement. One without a name takes the place of the one before. */
  void prepare(String name, String sql, List<@Nullable PgType> declared) {
    if (name.isEmpty()) {
      forget(name);
    } else if (statements.containsKey(name)) {
      throw new PostgresException("42P05", "prepared statement \"" + name + "\" already exists");
    }
    if (statements.size() >= MOST_STATEMENTS) {
      throw new PostgresException(
          "53400", "the session has " + MOST_STATEMENTS + " prepared statements: close one first");
    }
    List<Statement> parts = Statement.split(sql);
    if (parts.size() > 1) {
      throw new PostgresException(
          "42601", "cannot insert multiple commands into a prepared statement");
    }
    Plan plan = null;
    if (!parts.isEmpty()) {
      Statement only = parts.getFirst();
      try {
        plan = plan(only, declared);
      } catch (PostgresException e) {
        throw Failures.moved(e, sql, only.offset());
      }
    }
    Prepared prepared = new Prepared(sql, declared, plan);
    if (!heap.take(prepared.heapBytes())) {
      throw new PostgresException("53200", heap.refusal());
    }
    statements.put(name, prepared);
  }

  /** Plans a statement: one that is prepared already if it is {@code EXECUTE}. */
  Plan plan(Statement statement, List<@Nullable PgType> declared) {
    Execute execute = Execute.of(statement);
    return execute == null
        ? planner.plan(statement, declared)
        : execute.plan(planned(execute.name()), zone.get());
  }

  boolean has(String name) {
    return statements.containsKey(name);
  }

  Prepared prepared(String name) {
    Prepared prepared = statements.get(name);
    if (prepared == null) {
      throw new PostgresException("26000", "prepared statement \"" + name + "\" does not exist");
    }
    return prepared;
  }

  private Plan planned(String name) {
    Plan plan = prepared(name).plan();
    if (plan == null) {
      throw new PostgresException("26000", "prepared statement \"" + name + "\" is empty");
    }
    return plan;
  }

  void forget(String name) {
    Prepared prepared = statements.remove(name);
    if (prepared != null) {
      heap.give(prepared.heapBytes());
    }
  }

  void forgetStatements() {
    List.copyOf(statements.keySet()).forEach(this::forget);
  }

  void bind(String name, Portal portal) {
    if (name.isEmpty()) {
      closePortal(name);
    } else if (portals.containsKey(name)) {
      throw new PostgresException("42P03", "portal \"" + name + "\" already exists");
    }
    if (portals.size() >= MOST_PORTALS) {
      throw new PostgresException(
          "53400", "the session has " + MOST_PORTALS + " portals: close one first");
    }
    if (!heap.take(portal.heapBytes())) {
      throw new PostgresException("53200", heap.refusal());
    }
    portals.put(name, portal);
  }

  Portal portal(String name) {
    Portal portal = portals.get(name);
    if (portal == null) {
      throw new PostgresException("34000", "portal \"" + name + "\" does not exist");
    }
    return portal;
  }

  void closePortal(String name) {
    Portal portal = portals.remove(name);
    if (portal != null) {
      close(portal);
    }
  }

  void closePortals() {
    if (!portals.isEmpty()) {
      portals.values().forEach(this::close);
      portals.clear();
    }
  }

  private void close(Portal portal) {
    heap.give(portal.heapBytes());
    portal.close();
  }

  void close() {
    closePortals();
    forgetStatements();
  }
}
