package io.keyvalueserve.billing.pricing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.tenancy.Persistence;
import java.math.BigDecimal;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PersistenceFactorsTest {
  private static String with(String factors) {
    String paper = RateCardCodec.encode(RateCard.paper());
    return paper.replace("\"freeSpend\"", "\"persistence\":" + factors + ",\"freeSpend\"");
  }

  @Test
  void aCardWithFactorsIsReadAsItIsWritten() {
    RateCard card =
        RateCardCodec.decode(with("{\"rarely-used\":\"0.60\",\"durable\":1.5,\"memory\":\"1\"}"));
    assertThat(card.persistence().toMap())
        .isEqualTo(
            Map.of(
                Persistence.RARELY_USED, new BigDecimal("0.6"),
                Persistence.DURABLE, new BigDecimal("1.5")));
    assertThat(card.persistence().of(Persistence.CONSENTED)).isEqualTo(BigDecimal.ONE);
    assertThat(RateCardCodec.decode(RateCardCodec.encode(card))).isEqualTo(card);
  }

  @Test
  void aCardWithoutFactorsStaysAsItWas() {
    assertThat(RateCardCodec.encode(RateCard.paper())).doesNotContain("persistence");
    assertThat(RateCardCodec.decode(with("{}"))).isEqualTo(RateCard.paper());
    assertThat(RateCardCodec.decode(with("{\"durable\":\"1.000\"}"))).isEqualTo(RateCard.paper());
  }

  @Test
  void namesWhatIsWrong() {
    assertThatThrownBy(() -> RateCardCodec.decode(with("{\"frozen\":\"2\"}")))
        .isInstanceOf(InvalidRateCardException.class)
        .hasMessageContainingAll("persistence.frozen", "rarely-used");
    assertThatThrownBy(() -> RateCardCodec.decode(with("{\"default\":\"2\"}")))
        .hasMessageContaining("persistence.default");
    assertThatThrownBy(() -> RateCardCodec.decode(with("{\"durable\":\"-1\"}")))
        .hasMessageContainingAll("persistence.durable", "-1");
    assertThatThrownBy(() -> RateCardCodec.decode(with("{\"durable\":\"1000.5\"}")))
        .hasMessageContainingAll("persistence.durable", "1000");
    assertThatThrownBy(() -> RateCardCodec.decode(with("[]")))
        .hasMessageContainingAll("persistence", "object");
  }
}
