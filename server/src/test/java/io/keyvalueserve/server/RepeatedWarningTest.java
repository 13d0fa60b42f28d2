package io.keyvalueserve.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.keyvalueserve.billing.pricing.RateCard;
import io.keyvalueserve.billing.pricing.RateCards;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A task that fails every second while a partition is lost logs one line a minute, not 60. */
class RepeatedWarningTest {
  private static final RateCards RATES = RateCards.of(RateCard.paper());

  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  @BeforeEach
  void listen() {
    lines.start();
    logger(CurrentRates.class).addAppender(lines);
  }

  @AfterEach
  void stop() {
    logger(CurrentRates.class).detachAppender(lines);
  }

  private static Logger logger(Class<?> of) {
    return (Logger) LoggerFactory.getLogger(of);
  }

  @Test
  void logsOneLineForManyFailures() {
    RepeatedWarning warning = new RepeatedWarning(logger(CurrentRates.class), "it is not known");
    for (int i = 0; i < 100; i++) {
      warning.because(new IllegalStateException("partition 7 is lost"));
    }
    assertThat(lines.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .containsExactly(
            "it is not known: java.lang.IllegalStateException: partition 7 is lost; failures since"
                + " the last line: 0");
  }

  @Test
  void pricesThatCannotBeLookedUpLogOneLine() {
    boolean[] isLost = {false};
    try (CurrentRates rates =
        new CurrentRates(
            () -> {
              if (isLost[0]) {
                throw new IllegalStateException("partition 7 is lost");
              }
              return RATES;
            })) {
      isLost[0] = true;
      for (int i = 0; i < 100; i++) {
        rates.look();
      }
      assertThat(lines.list).hasSize(1);
      assertThat(rates.get()).isSameAs(RATES);
    }
  }
}
