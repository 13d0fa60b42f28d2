package io.keyvalueserve.billing.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyvalueserve.billing.ledger.UsageSums.Grouping;
import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.SharingLevel;
import java.math.BigInteger;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class UsageSumsTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  private final Use use = new Use();

  private void use(String at, Map<Measure, Long> quantities) {
    use.post(Use.minute(at), SharingLevel.SHARED, quantities);
  }

  private SortedMap<String, Map<Measure, BigInteger>> sums(Grouping by) {
    return UsageSums.of(
        use.ledger,
        Use.minute("2026-03-01T00:00:00Z"),
        Use.minute("2026-04-01T00:00:00Z"),
        by,
        BERLIN);
  }

  private static Map<Measure, BigInteger> reads(long reads) {
    return Map.of(Measure.READS, BigInteger.valueOf(reads));
  }

  private void useInMarch() {
    use("2026-02-28T23:59:00Z", Map.of(Measure.READS, 1L));
    use("2026-03-01T00:00:00Z", Map.of(Measure.READS, 10L));
    use("2026-03-01T22:59:00Z", Map.of(Measure.READS, 100L));
    use("2026-03-31T22:30:00Z", Map.of(Measure.READS, 1_000L));
    use("2026-04-01T00:00:00Z", Map.of(Measure.READS, 10_000L));
  }

  @Test
  void addsUpByMapAndByLocalTime() {
    useInMarch();
    assertThat(sums(Grouping.MAP))
        .isEqualTo(Map.of("acme/m0", reads(1_010), "acme/m1", reads(100)));
    assertThat(sums(Grouping.MINUTE).firstKey()).isEqualTo("2026-03-01T00:00:00Z");
    assertThat(sums(Grouping.HOUR).lastKey()).isEqualTo("2026-03-31T22:00:00Z");
    assertThat(sums(Grouping.DAY))
        .isEqualTo(Map.of("2026-03-01", reads(110), "2026-04-01", reads(1_000)));
    assertThat(sums(Grouping.MONTH))
        .isEqualTo(Map.of("2026-03", reads(110), "2026-04", reads(1_000)));
  }

  @Test
  void countsCorrectionsWhereTheUsageWas() {
    useInMarch();
    correct(1, -10);
    correct(2, -3);
    correct(4, -1);
    assertThat(sums(Grouping.DAY))
        .isEqualTo(Map.of("2026-03-01", reads(97), "2026-04-01", reads(1_000)));
    assertThat(sums(Grouping.MINUTE)).doesNotContainKey("2026-03-01T00:00:00Z");
  }

  private void correct(long entry, long reads) {
    assertThat(
            use.ledger.correct(
                new Posting.Correction(
                    new UUID(9, entry), entry, Map.of(Measure.READS, reads), "counted twice"),
                Use.NOW))
        .isInstanceOf(TenantLedger.Result.Appended.class);
  }

  @Test
  void addsUpMoreThanALongHolds() {
    use("2026-03-01T00:00:00Z", Map.of(Measure.READS, Long.MAX_VALUE));
    use("2026-03-01T00:00:00Z", Map.of(Measure.READS, Long.MAX_VALUE));
    assertThat(sums(Grouping.DAY).get("2026-03-01"))
        .containsEntry(Measure.READS, BigInteger.valueOf(Long.MAX_VALUE).multiply(BigInteger.TWO));
  }

  @Test
  void saysHowManyGroupsAreMost() {
    assertThat(Grouping.MAP.groupsOf(1_000_000)).isZero();
    assertThat(Grouping.HOUR.groupsOf(61)).isEqualTo(3);
    assertThat(Grouping.DAY.groupsOf(1440)).isEqualTo(2);
  }

  /** What is written can be checked without this program. */
  @Test
  void writesEntriesThatCanBeCheckedElsewhere() throws Exception {
    useInMarch();
    correct(2, -3);
    StringBuilder text = new StringBuilder();
    EntryJson.writeLines(use.ledger.entries(), text);
    List<JsonNode> lines = new ArrayList<>();
    for (String line : text.toString().split("\n", -1)) {
      if (!line.isEmpty()) {
        lines.add(new ObjectMapper().readTree(line));
      }
    }
    assertThat(lines).hasSize(6);
    for (int i = 0; i < lines.size(); i++) {
      byte[] bytes = lines.get(i).path("bytes").binaryValue();
      assertThat(bytes)
          .isEqualTo(EntryJson.bytes(lines.get(i).toString()))
          .isEqualTo(use.stored().get(i));
      assertThat(EntryHash.ofContent(bytes, bytes.length - 32).hex())
          .isEqualTo(lines.get(i).path("hash").asText());
      assertThat(lines.get(i).path("entry").asInt()).isEqualTo(i);
      if (i > 0) {
        assertThat(lines.get(i).path("previous")).isEqualTo(lines.get(i - 1).path("hash"));
      }
    }
    assertThat(lines.get(2).path("usage").path("quantities").toString())
        .isEqualTo("{\"reads\":\"100\"}");
    assertThat(lines.get(5).path("correction").path("of").asInt()).isEqualTo(2);
    assertThat(lines.get(5).path("correction").path("changes").toString())
        .isEqualTo("{\"reads\":\"-3\"}");
  }
}
