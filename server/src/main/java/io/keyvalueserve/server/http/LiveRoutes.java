package io.keyvalueserve.server.http;

import static io.helidon.http.Method.GET;
import static io.keyvalueserve.server.http.Access.OPERATOR;
import static io.keyvalueserve.server.http.Access.TENANT_ITSELF;

import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.keyvalueserve.server.Administration;
import io.keyvalueserve.server.LiveFigures;
import io.keyvalueserve.server.LiveFigures.Frame;
import io.keyvalueserve.tenancy.TenantName;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Live figures as server-sent events (WHATWG HTML, section 9.2): an event a second, each a line of
 * JSON, for as long as the client reads and its key is valid.
 */
final class LiveRoutes {
  private static final String RETRY_SECONDS = "10";
  private static final String TENANT = "tenant";

  /** A comment, so that the client knows at once that it is connected. */
  private static final byte[] OPENING = ":\n\n".getBytes(StandardCharsets.UTF_8);

  private final Administration administration;
  private final AtomicReference<@Nullable Written> latest = new AtomicReference<>();

  /** A frame as it goes to all operators. */
  private record Written(long number, byte[] event) {}

  LiveRoutes(Administration administration) {
    this.administration = administration;
  }

  List<Route> routes() {
    return List.of(
        new Route(GET, "/api/v1/live", OPERATOR, "watchCluster", this::cluster),
        new Route(
            GET, "/api/v1/tenants/{tenant}/live", TENANT_ITSELF, "watchTenant", this::tenant));
  }

  private void cluster(ServerRequest request, ServerResponse response) {
    Parameters.requireKnown(request.query(), Set.of(TENANT));
    String subject = Parameters.text(request.query(), TENANT);
    send(
        request,
        response,
        subject == null ? null : new TenantName(subject),
        this::eventOfCluster,
        () -> true);
  }

  private void tenant(ServerRequest request, ServerResponse response) {
    TenantName tenant = administration.tenant(Caller.ownTenant(request)).tenant().name();
    send(
        request,
        response,
        tenant,
        frame ->
            frame.now().tenants().containsKey(tenant)
                ? event(LiveJson.ofTenant(frame, tenant).toString())
                : null,
        () -> administration.hasTenant(tenant));
  }

  private byte[] eventOfCluster(Frame frame) {
    Written written = latest.get();
    if (written == null || written.number() != frame.number()) {
      written = new Written(frame.number(), event(LiveJson.ofCluster(frame).toString()));
      latest.set(written);
    }
    return written.event();
  }

  private static byte[] event(String json) {
    return ("data: " + json + "\n\n").getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Sends what is made of each frame, until there is no more.
   *
   * @param subject a tenant that each frame has; null for none
   * @param events makes null of a frame that has nothing to say, as of a tenant that is new
   * @param goesOn whether there can be more after such a frame
   */
  private void send(
      ServerRequest request,
      ServerResponse response,
      @Nullable TenantName subject,
      Function<Frame, byte @Nullable []> events,
      BooleanSupplier goesOn) {
    Optional<LiveFigures.Stream> opened =
        administration.live().open(Caller.of(request).tenant(), subject);
    if (opened.isEmpty()) {
      response.header(HeaderNames.RETRY_AFTER, RETRY_SECONDS);
      HttpErrors.send(
          request,
          response,
          Status.SERVICE_UNAVAILABLE_503,
          "too_many_streams",
          "as many live streams are open here as may be: "
              + LiveFigures.MOST_OF_A_TENANT
              + " of a tenant, "
              + LiveFigures.MOST_OF_TENANTS
              + " of all tenants, "
              + LiveFigures.MOST_OF_OPERATORS
              + " of operators; close one, or ask again later");
      return;
    }
    response
        .header(HeaderNames.CONTENT_TYPE, "text/event-stream")
        .header(HeaderNames.CACHE_CONTROL, "no-store");
    try (LiveFigures.Stream stream = opened.get();
        OutputStream out = response.outputStream()) {
      out.write(OPENING);
      out.flush();
      for (Frame frame = stream.next(); frame != null; frame = stream.next()) {
        byte[] event = events.apply(frame);
        if (event != null) {
          out.write(event);
          out.flush();
        } else if (!goesOn.getAsBoolean()) {
          return;
        }
      }
    } catch (IOException | UncheckedIOException e) {
      // The client reads no longer: that is how these streams usually end.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
