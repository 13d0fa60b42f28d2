package io.keyvalueserve.billing.ledger;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.UsageIdentity;
import java.math.BigDecimal;

/** The first fault found in a ledger or an invoice. */
public sealed interface Difference {
  /** Returns the difference in words for people. */
  String text();

  // ---- the chain

  /** An entry cannot be read, or its bytes are not those that were hashed. */
  record EntryDamaged(long entry, String why) implements Difference {
    @Override
    public String text() {
      return "entry " + entry + " is damaged: " + why;
    }
  }

  /** An entry is of another tenant. */
  record EntryOfAnother(long entry, int tenantNumber) implements Difference {
    @Override
    public String text() {
      return "entry " + entry + " is of the tenant with the number " + tenantNumber;
    }
  }

  /** An entry is not there. */
  record EntryMissing(long entry) implements Difference {
    @Override
    public String text() {
      return "entry " + entry + " is missing";
    }
  }

  /** An entry is there, at another place than its own. */
  record EntryMoved(long entry, long place) implements Difference {
    @Override
    public String text() {
      return "entry " + entry + " stands at place " + place;
    }
  }

  /** An entry is there a second time. */
  record EntryTwice(long entry, long place) implements Difference {
    @Override
    public String text() {
      return "entry " + entry + " is there again at place " + place;
    }
  }

  /** An entry follows another one than that before it: one of the two was made anew. */
  record ChainBroken(long entry, EntryHash previous, EntryHash actual) implements Difference {
    @Override
    public String text() {
      return "entry "
          + entry
          + " follows one with the hash "
          + previous
          + ", and the one before it has "
          + actual;
    }
  }

  /** The last entry is another one than the head says: entries were made anew. */
  record HeadDiffers(EntryHash expected, EntryHash actual) implements Difference {
    @Override
    public String text() {
      return "the last entry has the hash " + actual + ", and the head says " + expected;
    }
  }

  /** A correction is of no earlier entry of usage, or leaves less than nothing. */
  record CorrectionWrong(long entry, String why) implements Difference {
    @Override
    public String text() {
      return "entry " + entry + " is a correction that cannot be: " + why;
    }
  }

  // ---- events

  /** An event that was told is not in the ledger. */
  record EventMissing(UsageIdentity event) implements Difference {
    @Override
    public String text() {
      return "the ledger lacks the event " + event.text();
    }
  }

  /** The ledger has an event that nobody told. */
  record EventUnknown(long entry, UsageIdentity event) implements Difference {
    @Override
    public String text() {
      return "entry " + entry + " has an event that was not told: " + event.text();
    }
  }

  /** The ledger has one event in two entries. */
  record EventTwice(UsageIdentity event, long first, long second) implements Difference {
    @Override
    public String text() {
      return "entries " + first + " and " + second + " have the same event " + event.text();
    }
  }

  /** The ledger has an event with another quantity than was told. */
  record EventDiffers(long entry, UsageIdentity event, Measure measure, long told, long kept)
      implements Difference {
    @Override
    public String text() {
      return "entry "
          + entry
          + " has "
          + kept
          + " "
          + measure.quantityLabel()
          + ", and "
          + told
          + " were told, in the event "
          + event.text();
    }
  }

  // ---- the invoice

  /** A field of the invoice as a whole is another. */
  record InvoiceDiffers(String field, String expected, String actual) implements Difference {
    @Override
    public String text() {
      return "the invoice's " + field + " is " + actual + ", and should be " + expected;
    }
  }

  /** The invoice lacks a line. */
  record LineMissing(int line, String sku) implements Difference {
    @Override
    public String text() {
      return "line " + line + " is missing: " + sku;
    }
  }

  /** The invoice has a line that should not be there. */
  record LineUnknown(int line, String sku) implements Difference {
    @Override
    public String text() {
      return "line " + line + " should not be there: " + sku;
    }
  }

  /** A line has another quantity. */
  record QuantityDiffers(int line, String sku, BigDecimal expected, BigDecimal actual)
      implements Difference {
    @Override
    public String text() {
      return differs(line, sku, "quantity", expected, actual);
    }
  }

  /** A line takes another part of its quantity for free. */
  record FreeDiffers(int line, String sku, BigDecimal expected, BigDecimal actual)
      implements Difference {
    @Override
    public String text() {
      return differs(line, sku, "free quantity", expected, actual);
    }
  }

  /** A line has another price. */
  record PriceDiffers(int line, String sku, String expected, String actual) implements Difference {
    @Override
    public String text() {
      return "line "
          + line
          + " ("
          + sku
          + "): the price is "
          + actual
          + ", and should be "
          + expected;
    }
  }

  /** A line's amount is off by one in its last decimal: it was rounded otherwise. */
  record RoundingDiffers(int line, String sku, BigDecimal expected, BigDecimal actual)
      implements Difference {
    @Override
    public String text() {
      return differs(line, sku, "amount (rounded otherwise)", expected, actual);
    }
  }

  /** A line's amount is not its quantity times its price. */
  record AmountDiffers(int line, String sku, BigDecimal expected, BigDecimal actual)
      implements Difference {
    @Override
    public String text() {
      return differs(line, sku, "amount", expected, actual);
    }
  }

  private static String differs(
      int line, String sku, String what, BigDecimal expected, BigDecimal actual) {
    return "line "
        + line
        + " ("
        + sku
        + "): the "
        + what
        + " is "
        + actual.toPlainString()
        + ", and should be "
        + expected.toPlainString();
  }
}
