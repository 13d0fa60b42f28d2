package io.keyvalueserve.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Partitions without a copy, as commands show them. */
class LostPartitionsTest {
  private static final String LOSSES =
      "{\"records\":7,\"damagedPlaces\":2,\"maps\":{\"acme/orders\":7},\"partitions\":[3]}";

  @Test
  void theListOfMembersNamesThem() {
    assertThat(memberList("{\"count\":2,\"partitions\":[3,17]}"))
        .contains("lost     2 partitions have no copy and are refused: 3, 17");
  }

  @Test
  void theListOfMembersNamesTheFirstOfMany() {
    assertThat(memberList("{\"count\":11,\"partitions\":[0,1,2,3,4,5,6,7,8,9,10]}"))
        .contains("refused: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, ...");
  }

  @Test
  void theListOfMembersSaysNothingIfNoneIsLost() {
    assertThat(memberList("{\"count\":0,\"partitions\":[]}")).doesNotContain("lost");
  }

  @Test
  void theListOfMembersTellsWhatNoCopyHas() {
    assertThat(memberList("{\"count\":0,\"partitions\":[]},\"losses\":" + LOSSES))
        .contains("7 records that no copy had (acme/orders 7), 2 damaged places")
        .contains("in 1 partitions; see 'kvs member acknowledge'");
  }

  @Test
  void whoTakesNoteIsToldOfWhat() {
    try (TestServer server = TestServer.saying(LOSSES)) {
      TestRun taken = TestRun.of("member", "acknowledge", "--url", server.url());
      assertThat(taken.code()).as(taken.err()).isZero();
      assertThat(taken.out()).contains("taken note of: 7 records", "acme/orders 7");
    }
  }

  @Test
  void healthGivesTheReason() {
    String degraded =
        "{\"status\":\"UP\",\"check\":\"ready\",\"degraded\":true,\"reason\":\"2 are lost\"}";
    try (TestServer server = TestServer.saying(degraded)) {
      TestRun health = TestRun.of("health", "--url", server.url());
      assertThat(health.code()).isZero();
      assertThat(health.out()).contains("UP", "reason", "2 are lost");
    }
  }

  private static String memberList(String lost) {
    String cluster = "{\"safe\":false,\"lost\":" + lost + ",\"quorum\":{},\"members\":[]}";
    try (TestServer server = TestServer.saying(cluster)) {
      TestRun list = TestRun.of("member", "list", "--url", server.url());
      assertThat(list.code()).as(list.err()).isZero();
      return list.out();
    }
  }
}
