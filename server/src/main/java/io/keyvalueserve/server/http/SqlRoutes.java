package io.keyvalueserve.server.http;

import static io.helidon.http.Method.DELETE;
import static io.helidon.http.Method.GET;
import static io.helidon.http.Method.POST;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.keyvalueserve.server.RunningQueries;
import io.keyvalueserve.server.RunningQueries.Answers;
import io.keyvalueserve.sql.RunningStatement;
import io.keyvalueserve.sql.SqlCursor;
import io.keyvalueserve.sql.SqlException;
import io.keyvalueserve.sql.SqlOptions;
import io.keyvalueserve.sql.SqlService;
import io.keyvalueserve.sql.SqlSession;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.TenantName;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * The routes of SQL. A tenant runs statements with one of its keys. Results are streamed; operators
 * and the tenant see statements that run, and can end them.
 */
final class SqlRoutes {
  private static final String SQL = "/api/v1/tenants/{tenant}/sql";
  private static final String OWN_RUNNING = "/api/v1/tenants/{tenant}/queries";
  private static final String RUNNING = "/api/v1/queries";
  private static final int MOST_BYTES = 1 << 20;

  private final EntryServices services;
  private final BodyRoom room;
  private final SqlService sql;
  private final RunningQueries running;

  SqlRoutes(EntryServices services, BodyRoom room, SqlService sql, RunningQueries running) {
    this.services = services;
    this.room = room;
    this.sql = sql;
    this.running = running;
  }

  List<Route> routes() {
    return List.of(
        new Route(POST, SQL, Access.ENTRIES, "runSql", this::run),
        new Route(GET, OWN_RUNNING, Access.TENANT_ITSELF, "listOwnQueries", this::listOwn),
        new Route(
            DELETE, OWN_RUNNING + "/{query}", Access.TENANT_ITSELF, "killOwnQuery", this::killOwn),
        new Route(GET, RUNNING, Access.OPERATOR, "listQueries", this::list),
        new Route(DELETE, RUNNING + "/{query}", Access.OPERATOR, "killQuery", this::kill));
  }

  // ---- a statement

  private void run(ServerRequest request, ServerResponse response) {
    EntrySession session = EntrySession.of(services, request, response, null);
    requireItself(request, session.identity());
    SqlFormat format = SqlFormat.of(request);
    SqlRequest asked;
    try (BodyRoom.Part part = session.part(room)) {
      byte[] body = RequestBody.read(request, MOST_BYTES, part);
      session.arrivedAlone(body.length);
      asked = SqlRequest.read(body);
    }
    String client = (request.remotePeer().host() + " " + asked.client()).strip();
    SqlOptions options = new SqlOptions(asked.timeout(), asked.zone(), client);
    try (SqlSession statements = sql.open(session.visit(), options)) {
      SqlCursor cursor = begin(statements, asked);
      stream(response, format, cursor, session);
    }
  }

  private static SqlCursor begin(SqlSession statements, SqlRequest asked) {
    try {
      return statements.execute(statements.prepare(asked.sql()), asked.parameters());
    } catch (SqlException e) {
      throw SqlFailures.refused(e);
    }
  }

  private static void stream(
      ServerResponse response, SqlFormat format, SqlCursor cursor, EntrySession session) {
    boolean hasRow;
    try {
      hasRow = cursor.updated() < 0 && cursor.next(); // failures before the first row have a status
    } catch (SqlException e) {
      throw SqlFailures.refused(e);
    }
    response
        .status(Status.OK_200)
        .header(HeaderNames.CONTENT_TYPE, format.contentType())
        .header(HeaderNames.CACHE_CONTROL, "no-store")
        .header(HeaderNames.X_CONTENT_TYPE_OPTIONS, "nosniff");
    try (CountedOutput out = new CountedOutput(response.outputStream(), session)) {
      format.write(cursor, hasRow, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // the client has gone, or a stream has no way to tell more
    }
  }

  /** Counts what is sent, some at a time. */
  private static final class CountedOutput extends OutputStream {
    private static final int PORTION = 1 << 16;
    private final OutputStream out;
    private final EntrySession session;
    private long uncounted;

    CountedOutput(OutputStream out, EntrySession session) {
      this.out = out;
      this.session = session;
    }

    @Override
    public void write(int b) throws IOException {
      out.write(b);
      count(1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      out.write(bytes, offset, length);
      count(length);
    }

    private void count(int length) {
      uncounted += length;
      if (uncounted >= PORTION) {
        session.sent(uncounted);
        uncounted = 0;
      }
    }

    @Override
    public void flush() throws IOException {
      out.flush();
    }

    @Override
    public void close() throws IOException {
      session.sent(uncounted);
      uncounted = 0;
      out.close();
    }
  }

  /** Refuses a key of another tenant than the path names. */
  private static void requireItself(ServerRequest request, Identity caller) {
    TenantName named = new TenantName(request.path().pathParameters().get("tenant"));
    if (!named.equals(caller.tenant())) {
      throw new HttpErrors.Refused(
              Status.FORBIDDEN_403,
              "forbidden",
              "an access key of tenant '"
                  + caller.tenant()
                  + "' runs statements at /api/v1/tenants/"
                  + caller.tenant()
                  + "/sql; name maps of others there as \"OWNER/MAP\"",
              0)
          .at("tenant");
    }
  }

  // ---- statements that run

  private void listOwn(ServerRequest request, ServerResponse response) {
    answer(response, running.list(number(request)));
  }

  private void list(ServerRequest request, ServerResponse response) {
    answer(response, running.list(0));
  }

  private static void answer(ServerResponse response, Answers answers) {
    ObjectNode body = HttpDoor.object();
    ArrayNode all = body.putArray("queries");
    for (RunningStatement each : answers.statements()) {
      all.addObject()
          .put("id", each.id())
          .put("tenant", each.tenant())
          .put("door", each.door())
          .put("client", each.client())
          .put("sql", each.sql())
          .put("started", each.started().toString())
          .put("rowsExamined", each.examined())
          .put("rowsReturned", each.returned())
          .put("heldBytes", each.heldBytes());
    }
    ArrayNode silent = body.putArray("silent");
    answers.silent().forEach(silent::add);
    HttpDoor.json(response, Status.OK_200, body);
  }

  private void killOwn(ServerRequest request, ServerResponse response) {
    kill(request, response, number(request));
  }

  private void kill(ServerRequest request, ServerResponse response) {
    kill(request, response, 0);
  }

  private void kill(ServerRequest request, ServerResponse response, int tenant) {
    String query = request.path().pathParameters().get("query");
    if (!running.kill(query, tenant, Caller.actor(request))) {
      throw new HttpErrors.Refused(
          Status.NOT_FOUND_404,
          "not_found",
          "no query of this id runs: it has ended, or never was; GET " + RUNNING + " lists them",
          0);
    }
    response.status(Status.NO_CONTENT_204).send();
  }

  private int number(ServerRequest request) {
    return running.numberOf(new TenantName(request.path().pathParameters().get("tenant")));
  }
}
