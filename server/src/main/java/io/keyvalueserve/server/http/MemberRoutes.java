package io.keyvalueserve.server.http;

import static io.helidon.http.Method.DELETE;
import static io.helidon.http.Method.POST;
import static io.keyvalueserve.server.http.Access.OPERATOR;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.keyvalueserve.grid.ForgetResult;
import io.keyvalueserve.grid.restart.Losses;
import io.keyvalueserve.server.Administration;
import java.util.List;

/** The routes of single members of the cluster, and of what it has lost; for operators. */
final class MemberRoutes {
  private static final String MEMBER = "/api/v1/cluster/members/{member}";
  private static final String ACKNOWLEDGE = "/api/v1/cluster/acknowledge";
  private static final int RETRY_SECONDS = 5;

  private final Administration administration;

  MemberRoutes(Administration administration) {
    this.administration = administration;
  }

  List<Route> routes() {
    return List.of(
        new Route(DELETE, MEMBER, OPERATOR, "forgetMember", this::forget),
        new Route(POST, ACKNOWLEDGE, OPERATOR, "acknowledgeLosses", this::acknowledge));
  }

  private void acknowledge(ServerRequest request, ServerResponse response) {
    Losses losses = administration.acknowledgeLosses(Caller.actor(request));
    if (losses == null) {
      throw new HttpErrors.Refused(
          Status.SERVICE_UNAVAILABLE_503,
          "in_doubt",
          "not all members have taken note; ask again, which does no harm if they have",
          RETRY_SECONDS);
    }
    HttpDoor.json(response, Status.OK_200, ClusterJson.json(losses));
  }

  private void forget(ServerRequest request, ServerResponse response) {
    String member = request.path().pathParameters().get("member");
    switch (administration.forgetMember(member, Caller.actor(request))) {
      case ForgetResult.Forgotten forgotten -> {
        ObjectNode body =
            HttpDoor.object()
                .put("uuid", forgotten.member().toString())
                .put("address", forgotten.address())
                .put("state", "forgotten");
        ArrayNode voters = body.putArray("voters");
        administration.quorum().voters().forEach(voters::add);
        HttpDoor.json(response, Status.OK_200, body);
      }
      case ForgetResult.Refused refused -> throw error(refused);
    }
  }

  private static HttpErrors.Refused error(ForgetResult.Refused refused) {
    return switch (refused.reason()) {
      case UNKNOWN -> error(Status.NOT_FOUND_404, "no_such_member", refused, 0);
      case AMBIGUOUS -> error(Status.CONFLICT_409, "ambiguous_member", refused, 0);
      case ALIVE -> error(Status.CONFLICT_409, "member_alive", refused, 0);
      case NOT_CONSISTENT -> error(Status.CONFLICT_409, "no_majority_decides", refused, 0);
      case NO_MAJORITY ->
          error(Status.SERVICE_UNAVAILABLE_503, "unavailable", refused, RETRY_SECONDS);
      case IN_DOUBT -> error(Status.SERVICE_UNAVAILABLE_503, "in_doubt", refused, RETRY_SECONDS);
    };
  }

  private static HttpErrors.Refused error(
      Status status, String code, ForgetResult.Refused refused, int retrySeconds) {
    return new HttpErrors.Refused(status, code, refused.message(), retrySeconds);
  }
}
