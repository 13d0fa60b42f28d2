package io.keyvalueserve.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyvalueserve.acceptance.HazelcastClients.Connection;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: that what the other classes of this module ask of our service is right. Method: ask the
 * same of plain Hazelcast; what fails here is a mistake in a test, not in the service.
 */
class StockHazelcastTest {
  private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(20);

  @BeforeAll
  static void installAllClientsAtOnce() {
    ClientLanguage.installAllAtOnce();
  }

  @ParameterizedTest
  @EnumSource
  void everyLanguagesProbeTellsAGoodStory(ClientLanguage language) {
    language.require();
    try (StockHazelcast stock = StockHazelcast.start()) {
      new ProbeReport(language.probeAnonymously(stock.clientAddress(), "acme", "write"))
          .excusing("sql") // which plain Hazelcast has in a module that is not here
          .assertWroteAll(language.structures(), "acme");
      new ProbeReport(language.probeAnonymously(stock.clientAddress(), "acme", "again"))
          .assertFoundAll(language.structures(), "acme");
    }
  }

  @Test
  void everyStructureKeepsWhatTheJavaClientPutIn() {
    try (StockHazelcast stock = StockHazelcast.start();
        Connection acme =
            HazelcastClients.connect(
                HazelcastClients.anonymous(stock.clientAddress(), CONNECT_PATIENCE))) {
      for (Structure structure : Structure.values()) {
        assertThat(structure.content(acme.client(), "orders")).as("%s", structure).isEmpty();
        structure.fill(acme.client(), "orders", "acme");
        assertThat(structure.content(acme.client(), "orders"))
            .as("%s", structure)
            .isEqualTo(structure.filled("acme"));
      }
    }
  }

  @Test
  void anEavesdropperOfOneTenancyHearsOfEveryStructure() {
    try (StockHazelcast stock = StockHazelcast.start();
        Connection acme =
            HazelcastClients.connect(
                HazelcastClients.anonymous(stock.clientAddress(), CONNECT_PATIENCE))) {
      Eavesdropper ear = new Eavesdropper(acme.client(), "orders");
      Eavesdropper.speak(acme.client(), "orders", "psst");
      Set<String> all =
          Eavesdropper.KINDS.stream().map(kind -> kind + " psst").collect(Collectors.toSet());
      await("everything is heard")
          .untilAsserted(() -> assertThat(ear.heard()).hasSameElementsAs(all));
    }
  }
}
