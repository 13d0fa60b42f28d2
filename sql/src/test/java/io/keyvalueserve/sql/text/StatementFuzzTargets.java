package io.keyvalueserve.sql.text;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;

/**
 * Texts of statements, as a target for Jazzer: {@code JAZZER_FUZZ=1 mvn -pl sql -am test
 * -Dtest=StatementFuzzTargets -Dsurefire.failIfNoSpecifiedTests=false} searches; without that
 * variable the corpus is run.
 */
public class StatementFuzzTargets {
  @FuzzTest(maxDuration = "15s")
  void texts(FuzzedDataProvider data) {
    StatementParserFuzzTest.check(data.consumeRemainingAsString());
  }
}
