package io.keyvalueserve.billing.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.SharingLevel;
import io.keyvalueserve.billing.metering.UsageEvent;
import io.keyvalueserve.billing.metering.UsageIdentity;
import io.keyvalueserve.billing.metering.UsageQuantities;
import io.keyvalueserve.billing.pricing.Basis;
import io.keyvalueserve.billing.pricing.PeakCalendar;
import io.keyvalueserve.billing.pricing.Rate;
import io.keyvalueserve.billing.pricing.RateCard;
import io.keyvalueserve.billing.pricing.RateCards;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ExportsTest {
  private static final UsageEvent EVENT = event("or,\"ders");

  private static UsageEvent event(String map) {
    return new UsageEvent(
        new UsageIdentity(
            new UUID(1, 2),
            3,
            4,
            Use.ACME,
            7,
            new QualifiedName(Use.ACME, new MapName(map)),
            SharingLevel.SHARED,
            Use.minute("2026-03-03T09:00:00Z")),
        UsageQuantities.of(Map.of(Measure.READS, 5L, Measure.RESIDENT_BYTES, Long.MAX_VALUE)));
  }

  private static final UsageEvent OF_NO_MAP =
      new UsageEvent(
          new UsageIdentity(new UUID(1, 2), 3, 4, Use.ACME, 7, null, SharingLevel.SHARED, 0),
          UsageQuantities.of(Map.of(Measure.CONNECTIONS, 60L)));

  private static Invoice invoice() {
    RateCard card =
        new RateCard(
            "c1",
            LocalDate.of(2026, 1, 1),
            null,
            PeakCalendar.never(ZoneId.of("Europe/Berlin")),
            RateCard.paper().currency(),
            4,
            List.of(
                Rate.of(Measure.READS, Basis.AMOUNT, 1_000_000, "0.2", "0.2").freeOf("1"),
                Rate.of(Measure.RESIDENT_BYTES, Basis.AMOUNT, 500_000_000, "0.08", "0.08"),
                Rate.of(Measure.RESIDENT_BYTES, Basis.DURATION, 60, "0.065", "0.065"),
                Rate.of(Measure.RESIDENT_BYTES, Basis.VOLUME, 3_600_000_000_000L, "0.02", "0.02"),
                Rate.of(Measure.CONNECTIONS, Basis.DURATION, 7, "1", "1")),
            RateCard.paper().sharing(),
            new BigDecimal("0.1"));
    Use use =
        new Use()
            .count("2026-03-03T09:00:00Z", Measure.READS, 3_500_000)
            .hold("2026-03-03T09:00:00Z", 61, Measure.RESIDENT_BYTES, 1_000_000_000)
            .hold("2026-03-03T09:00:00Z", 1, Measure.CONNECTIONS, 1);
    return Invoices.compute(use.ledger, YearMonth.of(2026, 3), RateCards.of(card));
  }

  @Test
  void usageIsWrittenAsRfc4180() throws Exception {
    StringBuilder out = new StringBuilder();
    UsageCsv.write(List.of(EVENT, OF_NO_MAP), out);
    assertThat(out)
        .hasToString(
            "member,incarnation,interval,tenant,tenantNumber,map,sharing,persistence,"
                + "minute,reads,writes,deletes,queries,locks,transactions,bytesIn,bytesOut,residentByteSeconds,"
                + "spilledByteSeconds,logBytes,connectionSeconds,mapReservationSeconds,"
                + "memberReservationSeconds,throttled,refused,hibernatedByteSeconds\r\n"
                + "00000000-0000-0001-0000-000000000002,3,4,acme,7,\"acme/or,\"\"ders\",shared,default,"
                + "2026-03-03T09:00:00Z,5,0,0,0,0,0,0,0,9223372036854775807,0,0,0,0,0,0,0,0\r\n"
                + "00000000-0000-0001-0000-000000000002,3,4,acme,7,\"\",shared,default,"
                + "1970-01-01T00:00:00Z,0,0,0,0,0,0,0,0,0,0,0,60,0,0,0,0,0\r\n");
  }

  @Test
  void quotesWhatWouldBeReadOtherwise() throws Exception {
    StringBuilder out = new StringBuilder();
    Csv.row(out, Arrays.asList("a", null, "", "b\"c", "d\r", "e\n", " f "));
    assertThat(out).hasToString("a,,\"\",\"b\"\"c\",\"d\r\",\"e\n\", f \r\n");
  }

  @Test
  void invoicesAreWrittenWithTheirSums() throws Exception {
    StringBuilder out = new StringBuilder();
    InvoiceCsv.write(invoice(), out);
    String[] rows = out.toString().split("\r\n", -1);
    String id = invoice().id();
    assertThat(id).matches("7-2026-03-63-[0-9a-f]{12}");
    assertThat(rows)
        .hasSize(9)
        .contains(
            id
                + ",acme,2026-03 Europe/Berlin,0,c1,2026-02-28T23:00:00Z,"
                + "2026-03-31T22:00:00Z,reads,amount,shared,default,offPeak,3500000,1000000,Requests,"
                + "0.2,1000000,0.5000,USD",
            id + ",acme,2026-03 Europe/Berlin,credit,,,,,,,,,,,,,,-0.1000,USD",
            id + ",acme,2026-03 Europe/Berlin,total,,,,,,,,,,,,,,0.7893,USD");
  }

  @Test
  void usageIsWrittenAsCloudEvents() throws Exception {
    StringBuilder out = new StringBuilder();
    CloudEvents.writeLines(List.of(EVENT), out);
    assertThat(out)
        .hasToString(
            "{\"specversion\":\"1.0\",\"type\":\"io.keyvalueserve.usage.v1\","
                + "\"source\":\"urn:uuid:00000000-0000-0001-0000-000000000002\","
                + "\"id\":\"00000000-0000-0001-0000-000000000002:3:4:7:acme/or,\\\"ders:shared:"
                + "29542140\",\"time\":\"2026-03-03T09:01:00Z\",\"subject\":\"acme/or,\\\"ders\","
                + "\"datacontenttype\":\"application/json\",\"data\":{\"tenant\":\"acme\","
                + "\"tenantNumber\":7,\"map\":\"acme/or,\\\"ders\",\"sharing\":\"shared\","
                + "\"minute\":\"2026-03-03T09:00:00Z\",\"quantities\":{\"reads\":\"5\","
                + "\"residentByteSeconds\":\"9223372036854775807\"}}}\n");
    JsonNode ofNoMap = new ObjectMapper().readTree(cloudEvent(OF_NO_MAP));
    assertThat(ofNoMap.path("subject").textValue()).isEqualTo("acme");
    assertThat(ofNoMap.path("data").has("map")).isFalse();
  }

  private static String cloudEvent(UsageEvent event) throws Exception {
    StringBuilder out = new StringBuilder();
    CloudEvents.write(event, out);
    return out.toString();
  }

  // ---- FOCUS 1.2

  /** The columns that FOCUS 1.2 makes mandatory, from the specification's column library. */
  private static final Set<String> MANDATORY =
      Set.of(
          "BilledCost",
          "BillingAccountId",
          "BillingAccountName",
          "BillingCurrency",
          "BillingPeriodEnd",
          "BillingPeriodStart",
          "ChargeCategory",
          "ChargeClass",
          "ChargeDescription",
          "ChargePeriodEnd",
          "ChargePeriodStart",
          "ContractedCost",
          "EffectiveCost",
          "InvoiceIssuerName",
          "ListCost",
          "PricingQuantity",
          "PricingUnit",
          "ProviderName",
          "PublisherName",
          "ServiceCategory",
          "ServiceName");

  private static List<String> focus() throws Exception {
    StringBuilder out = new StringBuilder();
    FocusCsv.write(List.of(invoice()), "Example Inc., Ltd", out);
    return List.of(out.toString().split("\r\n", 0));
  }

  @Test
  void focusHasEveryMandatoryColumnAndOursLast() throws Exception {
    List<String> columns = FocusCsv.columnNames();
    assertThat(columns).containsAll(MANDATORY).doesNotHaveDuplicates();
    assertThat(focus().getFirst()).isEqualTo(String.join(",", columns));
    int ours = (int) columns.stream().filter(name -> name.startsWith("x_")).count();
    assertThat(columns.subList(columns.size() - ours, columns.size()))
        .allMatch(name -> name.startsWith("x_"));
    assertThat(columns.subList(0, columns.size() - ours))
        .isSorted()
        .allMatch(name -> name.matches("[A-Z][A-Za-z]{1,49}"));
  }

  @Test
  void focusRowsAreAsGiven() throws Exception {
    String common = ",7,acme,USD,2026-03-31T22:00:00Z,2026-02-28T23:00:00Z,";
    String who = ",\"Example Inc., Ltd\",\"Example Inc., Ltd\",Databases,KeyValueServe,Caching,";
    String period = ",2026-03-31T22:00:00Z,2026-02-28T23:00:00Z,";
    String invoice = "," + invoice().id() + ",\"Example Inc., Ltd\",";
    String details =
        ",\"{\"\"x_Persistence\"\":\"\"default\"\",\"\"x_SharingLevel\"\":\"\"shared\"\",\"\"x_TimeBand\"\":\"\"offPeak\"\"}\",";
    assertThat(focus().subList(1, 7))
        .containsExactly(
            "0.5000"
                + common
                + "Usage,,\"amount of reads, shared, offPeak\",Usage-Based"
                + period
                + "3500000,Requests,0.50,0.5000"
                + invoice
                + "0.50,0.2,2.5,1000000 Requests"
                + who
                + "reads/amount,reads by amount"
                + details
                + "c1/reads/amount/shared/offPeak,default,shared,offPeak",
            "0.1600"
                + common
                + "Usage,,\"amount of residentBytes, shared, offPeak\",Usage-Based"
                + period
                + "1000000000,B,0.16,0.1600"
                + invoice
                + "0.16,0.08,2,500 MB"
                + who
                + "residentBytes/amount,residentBytes by amount"
                + details
                + "c1/residentBytes/amount/shared/offPeak,default,shared,offPeak",
            "0.0661"
                + common
                + "Usage,,\"duration of residentBytes, shared, offPeak\",Usage-Based"
                + period
                + "61,Minutes,0.066083333333333333355,0.0661"
                + invoice
                + "0.066083333333333333355,0.065,1.016666666666666667,Hours"
                + who
                + "residentBytes/duration,residentBytes by duration"
                + details
                + "c1/residentBytes/duration/shared/offPeak,default,shared,offPeak",
            "0.0203"
                + common
                + "Usage,,\"volume of residentBytes, shared, offPeak\",Usage-Based"
                + period
                + "3660000000000,B-Seconds,0.02033333333333333334,0.0203"
                + invoice
                + "0.02033333333333333334,0.02,1.016666666666666667,GB-Hours"
                + who
                + "residentBytes/volume,residentBytes by volume"
                + details
                + "c1/residentBytes/volume/shared/offPeak,default,shared,offPeak",
            "0.1429"
                + common
                + "Usage,,\"duration of connections, shared, offPeak\",Usage-Based"
                + period
                + "1,Minutes,0.142857142857142857,0.1429"
                + invoice
                + "0.142857142857142857,1,0.142857142857142857,7 Minutes"
                + who
                + "connections/duration,connections by duration"
                + details
                + "c1/connections/duration/shared/offPeak,default,shared,offPeak",
            "-0.1000"
                + common
                + "Credit,,free spend of the billing period,One-Time"
                + period
                + ",,-0.1000,-0.1000"
                + invoice
                + "-0.1000,,,"
                + who
                + ",,,,,,");
  }

  /** The specification: the rows of an invoice add up to what is payable. */
  @Test
  void billedCostsAddUpToTheInvoice() throws Exception {
    BigDecimal sum = BigDecimal.ZERO;
    for (String row : focus().subList(1, 7)) {
      sum = sum.add(new BigDecimal(row.substring(0, row.indexOf(','))));
    }
    assertThat(sum).isEqualByComparingTo(invoice().total());
  }

  @Test
  void focusNeedsAnIssuer() {
    assertThatThrownBy(() -> FocusCsv.write(new ArrayList<>(), " ", new StringBuilder()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("issuer");
  }
}
