package io.keyvalueserve.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.keyvalueserve.grid.question.Answerers;
import io.keyvalueserve.grid.question.MemberAnswer;
import io.keyvalueserve.grid.question.Questioner;
import io.keyvalueserve.sql.RunningStatement;
import io.keyvalueserve.sql.SqlService;
import io.keyvalueserve.tenancy.TenantDirectory;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.audit.Actor;
import io.keyvalueserve.tenancy.audit.Occurrence;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Statements that run on all members: they are listed, and can be ended. Blocks; thread-safe. */
public final class RunningQueries {
  private static final Logger LOG = LoggerFactory.getLogger(RunningQueries.class);
  private static final String LIST = "queries.list";
  private static final String KILL = "queries.kill";
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Questioner questioner;
  private final TenantDirectory tenants;
  private final AuditTrails audit;

  /**
   * Statements of all members.
   *
   * @param statements the longest running first
   * @param silent the addresses of members that gave no answer
   */
  public record Answers(List<RunningStatement> statements, List<String> silent) {}

  /** Has this member's statements asked for by others. */
  RunningQueries(
      Questioner questioner,
      Answerers answerers,
      SqlService sql,
      TenantDirectory tenants,
      AuditTrails audit) {
    this.questioner = questioner;
    this.audit = audit;
    this.tenants = tenants;
    answerers.add(LIST, question -> encode(sql.running(), Integer.parseInt(question)));
    answerers.add(
        KILL,
        question -> {
          int space = question.indexOf(' ');
          int tenant = Integer.parseInt(question.substring(0, space));
          return killed(sql, question.substring(space + 1), tenant);
        });
  }

  /** Ends a statement of this member; returns its tenant's name, or nothing if there is none. */
  private static String killed(SqlService sql, String statement, int tenant) {
    String name =
        sql.running().stream()
            .filter(each -> each.id().equals(statement))
            .map(RunningStatement::tenant)
            .findFirst()
            .orElse("");
    return sql.kill(statement, tenant) ? name : "";
  }

  /** Returns the number of a tenant; -1 if there is none. */
  public int numberOf(TenantName tenant) {
    return tenants.find(tenant).map(found -> found.number()).orElse(-1);
  }

  /**
   * Lists statements.
   *
   * @param tenant of which tenant, by its number; 0 for all
   */
  public Answers list(int tenant) {
    List<RunningStatement> all = new ArrayList<>();
    List<String> silent = new ArrayList<>();
    for (MemberAnswer answer : questioner.ask(LIST, Integer.toString(tenant), PATIENCE)) {
      String text = answer.text();
      if (text == null) {
        silent.add(answer.member());
      } else {
        all.addAll(decode(text));
      }
    }
    all.sort(Comparator.comparing(RunningStatement::started));
    return new Answers(List.copyOf(all), silent);
  }

  /**
   * Ends a statement, whichever member it runs at.
   *
   * @param tenant only if it is this tenant's; 0 for any
   * @return whether there was one
   */
  public boolean kill(String statement, int tenant, Actor actor) {
    for (MemberAnswer answer : questioner.ask(KILL, tenant + " " + statement, PATIENCE)) {
      String name = answer.text();
      if (name != null && TenantName.isValid(name)) {
        audit.changed(Occurrence.queryEnded(actor, new TenantName(name), statement));
        return true;
      }
    }
    return false;
  }

  private static String encode(List<RunningStatement> statements, int tenant) {
    ArrayNode all = JSON.createArrayNode();
    for (RunningStatement each : statements) {
      if (tenant == 0 || each.tenantNumber() == tenant) {
        all.addObject()
            .put("id", each.id())
            .put("tenant", each.tenant())
            .put("number", each.tenantNumber())
            .put("door", each.door())
            .put("client", each.client())
            .put("sql", each.sql())
            .put("started", each.started().toEpochMilli())
            .put("examined", each.examined())
            .put("returned", each.returned())
            .put("held", each.heldBytes());
      }
    }
    return all.toString();
  }

  private static List<RunningStatement> decode(String text) {
    List<RunningStatement> statements = new ArrayList<>();
    try {
      for (JsonNode each : JSON.readTree(text)) {
        statements.add(
            new RunningStatement(
                each.path("id").asText(),
                each.path("tenant").asText(),
                each.path("number").asInt(),
                each.path("door").asText(),
                each.path("client").asText(),
                each.path("sql").asText(),
                Instant.ofEpochMilli(each.path("started").asLong()),
                each.path("examined").asLong(),
                each.path("returned").asLong(),
                each.path("held").asLong()));
      }
    } catch (JsonProcessingException e) {
      LOG.warn("a member's answer about its queries is not readable: {}", e.getMessage());
    }
    return statements;
  }
}
