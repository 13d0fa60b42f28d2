package io.keyvalueserve.server.http;

import static io.helidon.http.Method.GET;
import static io.helidon.http.Method.PUT;
import static io.keyvalueserve.server.http.Access.OPERATOR;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.keyvalueserve.billing.pricing.RateCards;
import io.keyvalueserve.billing.pricing.RateCardsCodec;
import io.keyvalueserve.server.Administration;
import java.util.List;

/** The routes of prices; for operators. */
final class RateRoutes {
  private static final String RATES = "/api/v1/rates";

  private final Administration administration;

  RateRoutes(Administration administration) {
    this.administration = administration;
  }

  List<Route> routes() {
    return List.of(
        new Route(GET, RATES, OPERATOR, "showRates", this::show),
        new Route(PUT, RATES, OPERATOR, "replaceRates", this::replace));
  }

  private void show(ServerRequest request, ServerResponse response) {
    send(response, administration.billing().rates());
  }

  /** The text is read as it is: prices must not pass through a reader that rounds them. */
  private void replace(ServerRequest request, ServerResponse response) {
    String text = request.content().hasEntity() ? request.content().as(String.class) : "";
    RateCards cards = RateCardsCodec.decode(text);
    administration.spending().requireFits(cards);
    send(response, administration.billing().changeRates(cards, Caller.actor(request)));
  }

  private static void send(ServerResponse response, RateCards cards) {
    response
        .header(HeaderNames.CONTENT_TYPE, "application/json")
        .header(HeaderNames.CACHE_CONTROL, "no-store")
        .send(RateCardsCodec.encode(cards));
  }
}
