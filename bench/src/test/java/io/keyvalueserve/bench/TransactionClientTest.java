package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.bench.ListTransaction.Append;
import io.keyvalueserve.bench.ListTransaction.Read;
import io.keyvalueserve.bench.ListTransaction.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: values are taken for the lists that they are, and plans use each number once. */
class TransactionClientTest {
  @Test
  void readsTheListsThatItWrites() {
    String text = TransactionClient.longer("", List.of(1L, 20L, 300L));
    assertThat(TransactionClient.elements(text)).containsExactly(1L, 20L, 300L);
    assertThat(TransactionClient.elements("")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "1,2", "a,", ",", "1,,"})
  void refusesWhatIsNoList(String text) {
    assertThatThrownBy(() -> TransactionClient.elements(text)).isInstanceOf(BenchException.class);
  }

  @Test
  void readsEachKeyBeforeItAppends() {
    List<Step> plan = List.of(new Append("a", 1), new Read("b", List.of()), new Append("a", 2));
    assertThat(TransactionClient.additions(plan))
        .containsExactly(Map.entry("a", List.of(1L, 2L)), Map.entry("b", List.of()));
  }

  @Test
  void plansUseEachNumberOnceAndReplaceLongLists() {
    TransactionRound round = new TransactionRound(7);
    SplittableRandom random = new SplittableRandom(35);
    List<Step> all = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      all.addAll(round.plan(i % 2 == 0, random));
    }
    List<Append> appends =
        all.stream().filter(Append.class::isInstance).map(Append.class::cast).toList();
    assertThat(appends).extracting(Append::element).doesNotHaveDuplicates();
    assertThat(all).extracting(Step::key).isSubsetOf(round.keys());
    assertThat(round.keys()).hasSizeGreaterThan(appends.size() / 61);
    assertThat(round.keys()).anyMatch(TransactionClient::isList);
  }
}
