package io.keyvalueserve.billing.pricing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RateCardsCodecTest {
  private static final String PAPER = RateCardCodec.encode(RateCard.paper());
  private static final String NEXT =
      PAPER.replace("paper-2018", "next").replace("2000-01-01", "2027-01-01");
  private static final String ENDS =
      PAPER.replace("\"2000-01-01\"", "\"2000-01-01\",\"to\":\"2027-01-01\"");

  @Test
  void writesWhatItReads() {
    String text = "{\"cards\":[" + ENDS + "," + NEXT + "]}";
    RateCards cards = RateCardsCodec.decode(text);
    assertThat(cards.cards()).extracting(RateCard::id).containsExactly("paper-2018", "next");
    assertThat(RateCardsCodec.encode(cards)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{                                | document",
        "[]                               | document",
        "{}                               | cards",
        "{\"cards\":[]}                   | cards",
        "{\"cards\":[],\"card\":1}        | card",
        "{\"cards\":[3]}                  | cards[0]",
        "{\"cards\":[ENDS,{\"v\":1}]}     | cards[1].id",
        "{\"cards\":[PAPER,NEXT]}         | next.from",
        "{\"cards\":[ENDS,WRONG]}         | cards[1].rates[1].per",
      })
  void saysWhereItIsWrong(String text, String field) {
    String whole =
        text.replace("ENDS", ENDS)
            .replace("PAPER", PAPER)
            .replace("NEXT", NEXT)
            .replace("WRONG", NEXT.replace("\"per\":60", "\"per\":0"));
    assertThatThrownBy(() -> RateCardsCodec.decode(whole))
        .isInstanceOf(InvalidRateCardException.class)
        .hasMessageContaining(field)
        .extracting("field")
        .isEqualTo(field);
  }
}
