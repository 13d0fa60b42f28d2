package io.keyvalueserve.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyvalueserve.grid.catalogue.SnapshotPlan;
import io.keyvalueserve.maps.HiddenMaps;
import io.keyvalueserve.server.SnapshotAdministration;
import io.keyvalueserve.server.SnapshotAdministration.Target;
import io.keyvalueserve.server.SnapshotJob;
import io.keyvalueserve.server.config.Durations;
import io.keyvalueserve.snapshots.Manifest;
import io.keyvalueserve.snapshots.TenantKey;
import io.keyvalueserve.tenancy.Catalogue;
import io.keyvalueserve.tenancy.TenantName;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Snapshots and jobs in requests and answers. Stateless. */
final class SnapshotJson {
  static final String REPOSITORY = "repository";

  private static final String AT = "at";
  private static final String EVERY = "every";
  private static final String KEEP = "keep";
  private static final String ARCHIVE = "archive";
  private static final String AS = "as";
  private static final String INTO = "into";
  private static final String REPLACE = "replace";
  private static final String KEY = "key";
  private static final String ID = "id";

  private SnapshotJson() {}

  // ---- answers

  static ObjectNode of(Manifest.Header header) {
    ObjectNode body =
        HttpDoor.object().put(ID, header.id()).put("keyId", header.keyId().toString());
    if (header.damage() != null) {
      return body.put("damage", header.damage());
    }
    body.put("tenant", header.tenant())
        .put("cluster", header.cluster())
        .put("takenAt", time(header.cutMillis()));
    return sizes(body, header.totals());
  }

  private static ObjectNode sizes(ObjectNode body, Manifest.Totals totals) {
    return body.put("entries", totals.entries())
        .put("bytes", totals.rawBytes())
        .put("storedBytes", totals.storedBytes())
        .put("newBytes", totals.newBytes());
  }

  static ObjectNode of(SnapshotAdministration.Contents contents) {
    Manifest manifest = contents.manifest();
    ObjectNode body =
        of(manifest.header())
            .put(REPOSITORY, contents.repository())
            .put("startedAt", time(manifest.startedMillis()))
            .put("finishedAt", time(manifest.finishedMillis()))
            .put("clockDifferenceMillis", manifest.clockDifferenceMillis())
            .put("partitions", manifest.partitions())
            .put("version", manifest.kvsVersion());
    Map<String, long[]> maps = new TreeMap<>();
    for (Manifest.MapPart part : manifest.maps()) {
      long[] sums = maps.computeIfAbsent(HiddenMaps.inFrontOf(part.map()), map -> new long[2]);
      for (Manifest.Chunk chunk : part.chunks()) {
        sums[0] += HiddenMaps.isHidden(part.map()) ? 0 : chunk.entries();
        sums[1] += chunk.bytes();
      }
    }
    ArrayNode all = body.putArray("maps");
    maps.forEach(
        (map, sums) ->
            all.addObject().put("map", map).put("entries", sums[0]).put("bytes", sums[1]));
    return body;
  }

  static ObjectNode of(SnapshotJob job) {
    ObjectNode body =
        HttpDoor.object()
            .put(ID, job.id())
            .put("kind", job.kind().text())
            .put("state", job.state().text())
            .put("tenant", job.tenant());
    if (job.target() != null) {
      body.put("target", job.target());
    }
    if (job.snapshot() != null) {
      body.put("snapshot", job.snapshot());
    }
    body.put(REPOSITORY, job.repository()).put("member", job.member());
    body.putObject("progress")
        .put("entries", job.entries())
        .put("ofEntries", job.ofEntries())
        .put("chunks", job.chunks())
        .put("ofChunks", job.ofChunks());
    body.put("askedAt", time(job.askedMillis()));
    if (job.startedMillis() != 0) {
      body.put("startedAt", time(job.startedMillis()));
    }
    if (job.endedMillis() != 0) {
      body.put("endedAt", time(job.endedMillis()));
    }
    SnapshotJob.Result result = job.result();
    if (result != null) {
      body.putObject("result")
          .put("entries", result.entries())
          .put("bytes", result.rawBytes())
          .put("storedBytes", result.storedBytes())
          .put("newBytes", result.newBytes())
          .put("takenAt", time(result.cutMillis()));
    }
    if (job.problem() != null) {
      body.put("problem", job.problem());
    }
    return body;
  }

  /** Returns a job, and the access key of the tenant that was created for it. */
  static ObjectNode of(SnapshotAdministration.Started started) {
    ObjectNode body = of(started.job());
    Catalogue.NewTenant made = started.made();
    return made == null ? body : body.put("keyId", made.keyId()).put(KEY, made.accessKey());
  }

  /** Returns the key of a tenant's snapshots. */
  static ObjectNode of(TenantKey key) {
    return HttpDoor.object()
        .put(ID, key.id().toString())
        .put(KEY, Base64.getEncoder().encodeToString(key.bytes()));
  }

  private static String time(long millis) {
    return Instant.ofEpochMilli(millis).toString();
  }

  // ---- requests

  /**
   * The restore that a request wishes.
   *
   * @param key null for the one that the tenant has here
   */
  record Wish(@Nullable String repository, Target target, @Nullable TenantKey key) {}

  /** The copy of a tenant that a request wishes. */
  record Copy(TenantName as, @Nullable String repository) {}

  /** Reads a body with a repository, or without. */
  static @Nullable String repository(JsonNode body) {
    Parameters.requireKnown(body, Set.of(REPOSITORY));
    return text(body, REPOSITORY);
  }

  static Copy copy(JsonNode body) {
    Parameters.requireKnown(body, Set.of(AS, REPOSITORY));
    String name = text(body, AS);
    if (name == null) {
      throw new HttpErrors.BadRequest(AS, "as: it is missing; give the name of the new tenant");
    }
    return new Copy(new TenantName(name), text(body, REPOSITORY));
  }

  static Wish wish(JsonNode body) {
    Parameters.requireKnown(body, Set.of(AS, INTO, REPLACE, KEY, REPOSITORY));
    return known(body);
  }

  private static Wish known(JsonNode body) {
    return new Wish(text(body, REPOSITORY), target(body), key(body.path(KEY)));
  }

  /** The restore of an instant that a request wishes. */
  record WishAt(Instant at, Wish wish) {}

  static WishAt wishAt(JsonNode body) {
    Parameters.requireKnown(body, Set.of(AT, AS, INTO, REPLACE, KEY, REPOSITORY));
    String at = text(body, AT);
    try {
      if (at != null) {
        return new WishAt(Instant.parse(at), known(body));
      }
    } catch (DateTimeParseException e) {
      // told below
    }
    throw new HttpErrors.BadRequest(
        AT,
        "at: give an instant in UTC, such as 2030-01-31T14:03:07Z, or 2030-01-31T14:03:07.250Z");
  }

  // ---- plans

  /** The plan that a request wishes. */
  record Plan(@Nullable String repository, Duration every, Duration keep, boolean archive) {}

  static Plan plan(JsonNode body) {
    Parameters.requireKnown(body, Set.of(EVERY, KEEP, ARCHIVE, REPOSITORY));
    return new Plan(
        text(body, REPOSITORY), time(body, EVERY), time(body, KEEP), flag(body, ARCHIVE));
  }

  private static Duration time(JsonNode body, String field) {
    String text = text(body, field);
    return Optional.ofNullable(text)
        .flatMap(Durations::parse)
        .orElseThrow(
            () ->
                new HttpErrors.BadRequest(
                    field, field + ": give a length of time, such as 30m, 1h or 7d"));
  }

  static ObjectNode of(SnapshotPlan plan) {
    return HttpDoor.object()
        .put("tenant", plan.tenant())
        .put(REPOSITORY, plan.repository())
        .put(EVERY, Durations.text(plan.every()))
        .put(KEEP, Durations.text(plan.keep()))
        .put(ARCHIVE, plan.archive());
  }

  static ObjectNode of(SnapshotAdministration.PlanView view) {
    ObjectNode body = of(view.plan());
    if (view.status().coveredMillis() > 0) {
      body.put("archivedUntil", time(view.status().coveredMillis()));
    }
    if (view.status().problem() != null) {
      body.put("problem", view.status().problem());
    }
    return body;
  }

  private static Target target(JsonNode body) {
    String as = text(body, AS);
    String into = text(body, INTO);
    boolean replace = flag(body, REPLACE);
    if (as != null && into == null && !replace) {
      return new Target.New(new TenantName(as));
    }
    if (as == null && into != null && replace) {
      return new Target.Into(new TenantName(into));
    }
    if (into != null && as == null) {
      throw new HttpErrors.BadRequest(
          REPLACE,
          "replace: the maps that tenant '"
              + into
              + "' has are destroyed: say \"replace\": true, or give 'as' and the name of a new"
              + " tenant");
    }
    throw new HttpErrors.BadRequest(
        AS,
        "as: give 'as' and the name of a new tenant, or 'into', the name of one that exists, and"
            + " \"replace\": true");
  }

  private static boolean flag(JsonNode body, String field) {
    JsonNode value = body.path(field);
    if (value.isMissingNode() || value.isBoolean()) {
      return value.asBoolean();
    }
    throw new HttpErrors.BadRequest(field, field + ": use true or false");
  }

  private static @Nullable TenantKey key(JsonNode value) {
    if (value.isMissingNode() || value.isNull()) {
      return null;
    }
    if (!value.isObject()) {
      throw notAKey();
    }
    Parameters.requireKnown(value, Set.of(ID, KEY, "tenant"));
    try {
      return TenantKey.ofBytes(
          UUID.fromString(value.path(ID).asText()),
          Base64.getDecoder().decode(value.path(KEY).asText()));
    } catch (IllegalArgumentException e) {
      throw notAKey();
    }
  }

  private static HttpErrors.BadRequest notAKey() {
    return new HttpErrors.BadRequest(
        KEY,
        "key: it is no key; give what 'kvs snapshot key' writes: {\"id\":UUID,\"key\":BASE64}");
  }

  private static @Nullable String text(JsonNode body, String field) {
    JsonNode value = body.get(field);
    if (value == null || value.isNull()) {
      return null;
    }
    if (!value.isTextual()) {
      throw new HttpErrors.BadRequest(field, field + ": it is no text; put it in quotes");
    }
    return value.asText();
  }
}
