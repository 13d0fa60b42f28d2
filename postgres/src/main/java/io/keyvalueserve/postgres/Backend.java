package io.keyvalueserve.postgres;

import io.keyvalueserve.engine.query.QueryException;
import io.keyvalueserve.gates.admission.NotAdmitted;
import io.keyvalueserve.gates.heap.HeapLease;
import io.keyvalueserve.gates.heap.HeapUse;
import io.keyvalueserve.gates.visit.Visit;
import io.keyvalueserve.postgres.Rows.Formats;
import io.keyvalueserve.postgres.plan.Execution;
import io.keyvalueserve.postgres.plan.Plan;
import io.keyvalueserve.postgres.syntax.Statement;
import io.keyvalueserve.postgres.types.PgType;
import io.keyvalueserve.postgres.wire.Answers;
import io.keyvalueserve.postgres.wire.Message;
import io.keyvalueserve.postgres.wire.MessageBody;
import io.keyvalueserve.postgres.wire.MessageWriter;
import io.keyvalueserve.postgres.wire.PostgresException;
import io.keyvalueserve.postgres.wire.ProtocolException;
import io.keyvalueserve.sql.SqlOptions;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out what a client asks for, one message after the other, in their order. A virtual thread
 * runs it while messages wait. All is used by that thread, but for {@link #cancel}, {@link
 * #lastCommand} and {@link #applicationName}.
 */
final class Backend implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Backend.class);

  private static final int MOST_TEXT_BYTES = 1 << 20;

  private final PostgresConnection connection;
  private final Visit visit;
  private final Settings settings;
  private final Outbox outbox;
  private final Transaction transaction = new Transaction();
  private final SqlSessions sessions;
  private final SystemAccess system;
  private final Planner planner;
  private final Workspace workspace;
  private boolean skipsToSync;
  private boolean isClosed;
  private volatile String lastCommand = "";

  Backend(
      PostgresConnection connection, DoorHost host, Visit visit, Settings settings, Outbox outbox) {
    this.connection = connection;
    this.visit = visit;
    this.settings = settings;
    this.outbox = outbox;
    this.sessions = new SqlSessions(host.services().sql(), visit, options());
    this.system = new SystemAccess(connection, visit.identity(), settings, this::changed);
    Utilities utilities = new Utilities(this, settings, transaction);
    this.planner = new Planner(utilities, host.system(), system, sessions, transaction);
    HeapLease heap =
        host.policy().admissions().memberHeap().lease(visit.identity().number(), HeapUse.POSTGRES);
    this.workspace = new Workspace(planner, heap, settings::zone);
  }

  private SqlOptions options() {
    return new SqlOptions(settings.timeout(), settings.zone(), connection.client());
  }

  Outbox outbox() {
    return outbox;
  }

  private MessageWriter out() {
    return outbox.page();
  }

  /** Ends what is carried out now, if anything. Any thread. */
  void cancel() {
    sessions.cancel();
    system.cancel();
  }

  /** Returns the words of the statement that was carried out last. Any thread. */
  String lastCommand() {
    return lastCommand;
  }

  /** Returns what the client calls itself. Any thread. */
  String applicationName() {
    return settings.applicationName();
  }

  // ---- messages

  @Override
  public void run() {
    try {
      while (!connection.inbox().isClosed()) {
        if (connection.inbox().isEmpty()) {
          outbox.flush();
        }
        Message message = connection.next();
        if (message == null) {
          if (connection.inbox().isClosed()) {
            close();
          }
          return;
        }
        handle(message);
      }
    } catch (Outbox.GoneException e) {
      LOG.debug("a client is gone while it was answered");
    } catch (RuntimeException | Error e) {
      LOG.error("a PostgreSQL connection ends after a defect", e);
      connection.closeNow();
      if (e instanceof VirtualMachineError && !(e instanceof StackOverflowError)) {
        throw e;
      }
    }
    close(); // no other thread works on it any more
  }

  private void close() {
    if (!isClosed) {
      isClosed = true;
      workspace.close();
      sessions.close();
    }
  }

  private void handle(Message message) {
    char type = (char) message.type();
    if (skipsToSync && type != 'S' && type != 'X') {
      return;
    }
    long begun = System.nanoTime();
    try {
      handle(type, message);
    } catch (ProtocolException e) {
      outbox.flush();
      connection.failLater(e);
      skipsToSync = true;
    } catch (PostgresException e) {
      failed(e, type);
    } catch (QueryException e) {
      failed(Failures.told(e), type);
    } catch (StackOverflowError e) {
      failed(new PostgresException("54001", "the statement is nested too deeply"), type);
    } catch (Outbox.GoneException e) {
      throw e;
    } catch (RuntimeException e) {
      LOG.error("a statement of a PostgreSQL client failed after a defect", e);
      failed(new PostgresException("XX000", "internal error"), type);
    }
    if (type == 'Q') {
      ready();
    }
    if (type == 'Q' || type == 'E') {
      visit.took(System.nanoTime() - begun, 1);
    }
  }

  private void failed(PostgresException error, char type) {
    out().dropMessage();
    transaction.fail();
    Answers.error(out(), error, /* isFatal= */ false);
    skipsToSync = type != 'Q';
    outbox.endMessage();
  }

  private void handle(char type, Message message) {
    MessageBody body = message.read();
    switch (type) {
      case 'Q' -> query(body);
      case 'P' -> parse(body);
      case 'B' -> bind(body);
      case 'D' -> describe(body);
      case 'E' -> execute(body);
      case 'C' -> closeNamed(body);
      case 'H' -> outbox.flush();
      case 'S' -> sync();
      case 'X' -> {
        outbox.flush();
        connection.closeNow();
      }
      case 'd', 'c', 'f' -> {} // of a COPY that was refused
      case 'F' -> throw new PostgresException("0A000", "calls by number are not supported");
      default -> throw new ProtocolException("a message of an unknown type has come");
    }
  }

  private void ready() {
    if (!transaction.isBegun()) {
      workspace.closePortals();
    }
    Answers.ready(out(), transaction.status());
    outbox.flush();
    long idle = settings.idleMillis();
    if (connection.inbox().isEmpty()) {
      connection.endIfDraining();
      if (idle > 0) {
        connection.watchIdle(idle);
      }
    }
  }

  private void sync() {
    skipsToSync = false;
    ready();
  }

  /** Bounds the text of statements: its tokens take many times its memory. */
  private static void requireShort(MessageBody body) {
    if (body.remaining() > MOST_TEXT_BYTES) {
      throw new PostgresException(
          "54000",
          "the statement is longer than " + MOST_TEXT_BYTES + " bytes",
          0,
          "send large values as parameters");
    }
  }

  // ---- simple queries

  private void query(MessageBody body) {
    requireShort(body);
    String text = body.text();
    body.end();
    List<Statement> statements = Statement.split(text);
    if (statements.isEmpty()) {
      Answers.empty(out(), 'I');
      return;
    }
    for (Statement statement : statements) {
      try {
        query(statement);
      } catch (PostgresException e) {
        throw Failures.moved(e, text, statement.offset());
      }
    }
  }

  private void query(Statement statement) {
    Plan plan = workspace.plan(statement, List.of());
    if (!plan.parameters().isEmpty()) {
      throw new PostgresException("42P02", "there is no parameter $1", 0, "");
    }
    try (Execution execution = start(plan, List.of())) {
      if (!plan.columns().isEmpty()) {
        Rows.describe(out(), plan.columns(), Formats.TEXT);
      }
      long rows = 0;
      while (execution.next()) {
        Rows.write(out(), plan.columns(), Formats.TEXT, execution.row(), settings.zone());
        outbox.endMessage();
        rows++;
      }
      Answers.complete(out(), execution.tag(rows));
      outbox.endMessage();
    }
  }

  private Execution start(Plan plan, List<@Nullable Object> values) {
    if (!plan.endsTransaction()) {
      transaction.requireSound();
    }
    lastCommand = plan.command();
    system.begin();
    if (plan.isOfDoor()) {
      admit();
    }
    return plan.start(values);
  }

  /** Has a statement admitted that does not reach the SQL service. */
  private void admit() {
    NotAdmitted why = visit.admit(null, 1, 0);
    if (why != null) {
      visit.turnedAway(visit.apart(), why);
      throw new PostgresException(why.isRefused() ? "53400" : "57P03", why.message());
    }
    visit.operations(1);
    visit.served(visit.apart(), null, 1);
  }

  // ---- extended queries

  private void parse(MessageBody body) {
    requireShort(body);
    String name = body.text();
    String sql = body.text();
    int count = body.count(4);
    List<@Nullable PgType> declared = new java.util.ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      PgType type = PgType.ofOid(body.int32());
      declared.add(type == PgType.UNKNOWN ? null : type);
    }
    body.end();
    workspace.prepare(name, sql, declared);
    Answers.empty(out(), '1');
  }

  private void bind(MessageBody body) {
    String portal = body.text();
    Prepared prepared = workspace.prepared(body.text());
    workspace.bind(portal, Binding.read(body, prepared, settings.zone()));
    Answers.empty(out(), '2');
  }

  private void describe(MessageBody body) {
    byte kind = body.int8();
    String name = body.text();
    body.end();
    if (kind == 'S') {
      Plan plan = workspace.prepared(name).plan();
      List<PgType> types = plan == null ? List.of() : plan.parameters();
      out().begin('t').int16(types.size());
      types.forEach(type -> out().int32(type.oid()));
      out().end();
      Rows.describe(out(), plan == null ? List.of() : plan.columns(), Formats.TEXT);
    } else {
      Portal portal = workspace.portal(name);
      Plan plan = portal.plan();
      Rows.describe(out(), plan == null ? List.of() : plan.columns(), portal.formats());
    }
    outbox.endMessage();
  }

  private void execute(MessageBody body) {
    Portal portal = workspace.portal(body.text());
    int most = body.int32();
    body.end();
    Plan plan = portal.plan();
    if (plan == null) {
      Answers.empty(out(), 'I');
      return;
    }
    Execution execution = portal.execution();
    if (execution == null) {
      if (portal.isDone()) {
        throw new PostgresException("55000", "the portal cannot be run any more");
      }
      execution = start(plan, portal.parameters());
      portal.begun(execution);
    }
    boolean isOver = false;
    try {
      isOver = portal.isDone() || send(portal, execution, most);
    } catch (RuntimeException e) {
      portal.close();
      throw e;
    }
    if (isOver) {
      Answers.complete(out(), execution.tag(portal.rows()));
      portal.close();
    } else {
      Answers.empty(out(), 's');
    }
    outbox.endMessage();
  }

  /** Sends rows up to a number; returns whether there are no more. */
  private boolean send(Portal portal, Execution execution, int most) {
    Plan plan = portal.plan();
    for (int i = 0; plan != null && (most <= 0 || i < most); i++) {
      if (!execution.next()) {
        return true;
      }
      Rows.write(out(), plan.columns(), portal.formats(), execution.row(), settings.zone());
      portal.rowSent();
      outbox.endMessage();
    }
    return false;
  }

  private void closeNamed(MessageBody body) {
    byte kind = body.int8();
    String name = body.text();
    body.end();
    if (kind == 'S') {
      workspace.forget(name);
    } else {
      workspace.closePortal(name);
    }
    Answers.empty(out(), '3');
  }

  // ---- what statements about the session do

  void warn(String state, String message) {
    Answers.warning(out(), state, message);
  }

  void optionsChanged() {
    sessions.set(options());
  }

  void changed(String name) {
    optionsChanged();
    String told = Settings.reportedName(name);
    if (told != null) {
      Answers.parameter(out(), told, settings.get(told));
    }
  }

  void allChanged() {
    optionsChanged();
    settings.reported().forEach((name, value) -> Answers.parameter(out(), name, value));
  }

  void prepare(String name, String sql, List<@Nullable PgType> types) {
    if (workspace.has(name)) {
      throw new PostgresException("42P05", "prepared statement \"" + name + "\" already exists");
    }
    workspace.prepare(name, sql, types);
  }

  void forgetStatement(String name) {
    var _ = workspace.prepared(name); // must be there
    workspace.forget(name);
  }

  void forgetStatements() {
    workspace.forgetStatements();
  }

  void forgetAll() {
    workspace.close();
  }
}
