package io.keyvalueserve.billing.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.tenancy.TenantName;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Currency;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BillOpenMetricsTest {
  private static final Instant MARCH = Instant.parse("2026-03-01T00:00:00Z");

  private static BillOpenMetrics.Month month(
      String tenant, String spend, Map<Measure, BigInteger> usage) {
    return new BillOpenMetrics.Month(
        new TenantName(tenant), MARCH, Currency.getInstance("EUR"), new BigDecimal(spend), usage);
  }

  private static Map<String, String> read(List<BillOpenMetrics.Month> months) throws IOException {
    StringBuilder text = new StringBuilder();
    BillOpenMetrics.writeFamilies(months, text);
    return OpenMetricsReader.read(text + BillOpenMetrics.END);
  }

  @Test
  void writesWhatTheSpecificationAllows() throws IOException {
    BigInteger many = BigInteger.TWO.pow(70);
    Map<String, String> samples =
        read(
            List.of(
                month(
                    "acme",
                    "0.355",
                    Map.of(Measure.READS, BigInteger.TEN, Measure.RESIDENT_BYTES, many)),
                month("globex", "-0.000001", Map.of(Measure.BYTES_OUT, BigInteger.ONE))));
    assertThat(samples)
        .containsEntry("kvs_bill_spend{tenant=\"acme\",currency=\"EUR\"}", "0.355")
        .containsEntry("kvs_bill_spend{tenant=\"globex\",currency=\"EUR\"}", "-0.000001")
        .containsEntry("kvs_usage_requests_total{tenant=\"acme\",measure=\"reads\"}", "10")
        .containsEntry("kvs_usage_requests_total{tenant=\"globex\",measure=\"reads\"}", "0")
        .containsEntry("kvs_usage_bytes_total{tenant=\"globex\",measure=\"bytesOut\"}", "1")
        .containsEntry(
            "kvs_usage_byte_seconds_total{tenant=\"acme\",measure=\"residentBytes\"}",
            many.toString())
        .containsEntry(
            "kvs_usage_held_seconds_created{tenant=\"acme\",measure=\"connections\"}",
            String.valueOf(MARCH.getEpochSecond()));
    assertThat(samples)
        .as("each measure of each tenant, twice, and what each owes")
        .hasSize(2 * (2 * Measure.COUNT + 1));
  }

  @Test
  void withoutTenantsThereAreFamiliesAlone() throws IOException {
    assertThat(read(List.of())).isEmpty();
  }
}
