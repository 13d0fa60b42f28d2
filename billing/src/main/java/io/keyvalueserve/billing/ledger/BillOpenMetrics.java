package io.keyvalueserve.billing.ledger;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.tenancy.TenantName;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Arrays;
import java.util.Currency;
import java.util.List;
import java.util.Map;

/**
 * Writes what tenants used and owe in a month as OpenMetrics text (version 1.0). What was used are
 * counters that begin with the month; what is owed is a gauge, as a correction can make it less.
 * Stateless.
 */
public final class BillOpenMetrics {
  /** The text after all families of an exposition. */
  public static final String END = "# EOF\n";

  private BillOpenMetrics() {}

  /**
   * A tenant's month.
   *
   * @param since when the month began
   * @param spend what is owed for it so far
   * @param usage what was used in it; what is missing is 0
   */
  public record Month(
      TenantName tenant,
      Instant since,
      Currency currency,
      BigDecimal spend,
      Map<Measure, BigInteger> usage) {
    public Month {
      usage = Map.copyOf(usage);
    }
  }

  /** A family of counters: measures that have one unit. */
  private enum Family {
    REQUESTS("kvs_usage_requests", "", "Requests in the month so far"),
    BYTES("kvs_usage_bytes", "bytes", "Bytes in the month so far"),
    BYTE_SECONDS("kvs_usage_byte_seconds", "byte_seconds", "Bytes held, times seconds"),
    SECONDS("kvs_usage_held_seconds", "seconds", "What else was held, times seconds");

    private final String label;
    private final String unit;
    private final String help;

    Family(String label, String unit, String help) {
      this.label = label;
      this.unit = unit;
      this.help = help;
    }

    private static Family of(Measure measure) {
      boolean isOfBytes = measure.unit().equals(Measure.BYTES_IN.unit());
      if (measure.isLevel()) {
        return isOfBytes ? BYTE_SECONDS : SECONDS;
      }
      return isOfBytes ? BYTES : REQUESTS;
    }
  }

  /**
   * Writes the families, without {@link #END}.
   *
   * @throws IOException if {@code out} does
   */
  public static void writeFamilies(List<Month> months, Appendable out) throws IOException {
    out.append("# TYPE kvs_bill_spend gauge\n");
    out.append("# HELP kvs_bill_spend What the tenant owes for the month so far\n");
    for (Month month : months) {
      out.append("kvs_bill_spend{tenant=\"")
          .append(month.tenant().value())
          .append("\",currency=\"")
          .append(month.currency().getCurrencyCode())
          .append("\"} ")
          .append(month.spend().toPlainString())
          .append('\n');
    }
    for (Family family : Family.values()) {
      write(family, months, out);
    }
  }

  private static void write(Family family, List<Month> months, Appendable out) throws IOException {
    out.append("# TYPE ").append(family.label).append(" counter\n");
    if (!family.unit.isEmpty()) {
      out.append("# UNIT ").append(family.label).append(' ').append(family.unit).append('\n');
    }
    out.append("# HELP ").append(family.label).append(' ').append(family.help).append('\n');
    List<Measure> measures =
        Arrays.stream(Measure.values()).filter(each -> Family.of(each) == family).toList();
    for (Month month : months) {
      for (Measure measure : measures) {
        String labels =
            "{tenant=\"%s\",measure=\"%s\"} ".formatted(month.tenant().value(), measure.label());
        BigInteger quantity = month.usage().getOrDefault(measure, BigInteger.ZERO);
        out.append(family.label).append("_total").append(labels);
        out.append(quantity.toString()).append('\n');
        out.append(family.label).append("_created").append(labels);
        out.append(Long.toString(month.since().getEpochSecond())).append('\n');
      }
    }
  }
}
