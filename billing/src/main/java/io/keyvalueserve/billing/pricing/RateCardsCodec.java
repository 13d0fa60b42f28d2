package io.keyvalueserve.billing.pricing;

import static io.keyvalueserve.billing.pricing.InvalidRateCardException.require;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * The form of all rate cards for people and files: {@code {"cards":[...]}}, each as {@link
 * RateCardCodec} has it. They are read as a whole: if one is wrong, none is taken.
 */
public final class RateCardsCodec {
  private static final String CARDS = "cards";

  private RateCardsCodec() {}

  /** The cards as text, in the order in which they hold. */
  public static String encode(RateCards cards) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    ArrayNode all = node.putArray(CARDS);
    cards.cards().forEach(card -> all.add(RateCardCodec.node(card)));
    return node.toString();
  }

  /**
   * Reads cards.
   *
   * @throws InvalidRateCardException if they are none; the message has the path of the field, as in
   *     {@code cards[0].rates[1].per}, shows its value and says the remedy
   */
  public static RateCards decode(String text) {
    JsonNode node = RateCardCodec.parse(text, "document");
    require(node.isObject(), "document", node, "write a JSON object: {\"cards\":[...]}");
    for (Iterator<String> names = node.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      require(name.equals(CARDS), name, "unknown", "remove it: a document has 'cards' alone");
    }
    JsonNode array = node.path(CARDS);
    require(array.isArray(), CARDS, array, "write a JSON array of rate cards");
    List<RateCard> cards = new ArrayList<>();
    for (JsonNode card : array) {
      cards.add(read(card, CARDS + "[" + cards.size() + "]"));
    }
    return new RateCards(cards);
  }

  private static RateCard read(JsonNode card, String path) {
    require(card.isObject(), path, card, "write a JSON object");
    try {
      return RateCardCodec.read(card);
    } catch (InvalidRateCardException e) {
      throw e.within(path);
    }
  }
}
