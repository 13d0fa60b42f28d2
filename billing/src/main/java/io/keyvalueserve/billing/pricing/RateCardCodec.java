package io.keyvalueserve.billing.pricing;

import static io.keyvalueserve.billing.pricing.InvalidRateCardException.require;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.tenancy.Persistence;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Currency;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The form of a rate card for people and files: JSON with a version.
 *
 * <pre>
 * {"v":1, "id":"paper-2018", "from":"2000-01-01", "currency":"USD", "lineScale":6,
 *  "calendar":{"zone":"UTC", "holidays":["2026-12-25"],
 *    "windows":[{"days":["MONDAY"], "from":"08:00", "to":"20:00"}]},
 *  "rates":[{"measure":"residentBytes", "basis":"amount", "per":500000000,
 *            "peak":"0.08", "offPeak":"0", "weight":"1", "free":"0"}],
 *  "sharing":{"reservedMap":"1.25", "reservedMember":"2"},
 *  "persistence":{"rarely-used":"0.6", "durable":"1.5"}, "freeSpend":"0"}
 * </pre>
 *
 * <p>Amounts are written as texts, so that no reader rounds them, and read as texts or numbers.
 * {@code to}, {@code holidays}, {@code weight}, {@code free}, {@code persistence} and {@code
 * freeSpend} may be left out. A field that is not known is refused: it may be a misspelt price.
 */
public final class RateCardCodec {
  private static final int VERSION = 1;
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private RateCardCodec() {}

  /** The card as text. */
  public static String encode(RateCard card) {
    return node(card).toString();
  }

  /** The card as a tree. */
  static ObjectNode node(RateCard card) {
    ObjectNode node = JSON.createObjectNode().put("v", VERSION).put("id", card.id());
    node.put("from", card.from().toString());
    LocalDate to = card.to();
    if (to != null) {
      node.put("to", to.toString());
    }
    node.put("currency", card.currency().getCurrencyCode()).put("lineScale", card.lineScale());
    encode(card.calendar(), node.putObject("calendar"));
    ArrayNode rates = node.putArray("rates");
    for (Rate rate : card.rates()) {
      rates
          .addObject()
          .put("measure", rate.measure().label())
          .put("basis", rate.basis().label())
          .put("per", rate.per())
          .put("peak", rate.peak().toPlainString())
          .put("offPeak", rate.offPeak().toPlainString())
          .put("weight", rate.weight().toPlainString())
          .put("free", rate.free().toPlainString());
    }
    node.putObject("sharing")
        .put("reservedMap", card.sharing().reservedMap().toPlainString())
        .put("reservedMember", card.sharing().reservedMember().toPlainString());
    if (!card.persistence().equals(PersistenceFactors.NONE)) {
      ObjectNode persistence = node.putObject("persistence");
      card.persistence()
          .toMap()
          .forEach((kept, factor) -> persistence.put(kept.text(), factor.toPlainString()));
    }
    return node.put("freeSpend", card.freeSpend().toPlainString());
  }

  private static void encode(PeakCalendar calendar, ObjectNode node) {
    node.put("zone", calendar.zone().getId());
    ArrayNode holidays = node.putArray("holidays");
    calendar.holidays().forEach(day -> holidays.add(day.toString()));
    ArrayNode windows = node.putArray("windows");
    for (PeakWindow window : calendar.windows()) {
      ObjectNode one = windows.addObject();
      ArrayNode days = one.putArray("days");
      window.days().forEach(day -> days.add(day.name()));
      one.put("from", window.from()).put("to", window.to());
    }
  }

  /**
   * Reads a card.
   *
   * @throws InvalidRateCardException if it is none; the message names the field, shows its value
   *     and says the remedy
   */
  public static RateCard decode(String text) {
    return read(parse(text, "card"));
  }

  /**
   * Reads JSON strictly.
   *
   * @param name of the whole, for the message
   * @throws InvalidRateCardException if it is none
   */
  static JsonNode parse(String text, String name) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new InvalidRateCardException(name, e.getOriginalMessage(), "write JSON");
    } catch (NumberFormatException e) { // the parser lets it through, for a power of ten too great
      throw new InvalidRateCardException(name, "a number is too great", "write JSON");
    }
  }

  /** Reads a card from its tree; see {@link #decode}. */
  static RateCard read(JsonNode node) {
    return new Reader(node, "card")
        .knowing(
            "v",
            "id",
            "from",
            "to",
            "currency",
            "lineScale",
            "calendar",
            "rates",
            "sharing",
            "persistence",
            "freeSpend")
        .card();
  }

  /** Reads the fields of one object, and knows its place. */
  private record Reader(JsonNode node, String path) {
    Reader {
      require(node.isObject(), path, node, "write a JSON object");
    }

    RateCard card() {
      long version = whole("v");
      require(version == VERSION, "v", version, "set 1: this program reads no other version");
      return new RateCard(
          text("id"),
          parsed("from", LocalDate::parse, "write a day as in 2026-01-31"),
          node.has("to") ? parsed("to", LocalDate::parse, "write a day as in 2026-01-31") : null,
          child("calendar").knowing("zone", "holidays", "windows").calendar(),
          parsed("currency", Currency::getInstance, "write a code of ISO 4217, as in EUR"),
          Math.clamp(whole("lineScale"), -1, 1_000),
          each("rates", Reader::rate),
          child("sharing").knowing("reservedMap", "reservedMember").sharing(),
          node.has("persistence") ? child("persistence").persistence() : PersistenceFactors.NONE,
          decimal("freeSpend", BigDecimal.ZERO));
    }

    private PeakCalendar calendar() {
      ZoneId zone = parsed("zone", ZoneId::of, "name an IANA time zone such as Europe/Berlin");
      List<PeakWindow> windows = each("windows", Reader::window);
      Set<LocalDate> holidays = new TreeSet<>();
      if (node.has("holidays")) {
        for (String day : texts("holidays")) {
          holidays.add(parsed("holidays", day, LocalDate::parse, "write days as in 2026-12-25"));
        }
      }
      return inside(() -> new PeakCalendar(zone, windows, holidays));
    }

    private PeakWindow window() {
      knowing("days", "from", "to");
      Set<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
      for (String day : texts("days")) {
        days.add(
            parsed(
                "days",
                day,
                name -> DayOfWeek.valueOf(name.toUpperCase(Locale.ROOT)),
                "write days as in MONDAY"));
      }
      return inside(() -> PeakWindow.of(days, text("from"), text("to")));
    }

    private Rate rate() {
      knowing("measure", "basis", "per", "peak", "offPeak", "weight", "free");
      Measure measure =
          parsed("measure", Measure::ofLabel, "use a measure's label, as in residentBytes");
      Basis basis = parsed("basis", Basis::ofLabel, "use amount, duration or volume");
      long per = whole("per");
      BigDecimal peak = decimal("peak", null);
      BigDecimal offPeak = decimal("offPeak", null);
      BigDecimal weight = decimal("weight", BigDecimal.ONE);
      BigDecimal free = decimal("free", BigDecimal.ZERO);
      return inside(() -> new Rate(measure, basis, per, peak, offPeak, weight, free));
    }

    private SharingFactors sharing() {
      BigDecimal map = decimal("reservedMap", null);
      BigDecimal member = decimal("reservedMember", null);
      return inside(() -> new SharingFactors(map, member));
    }

    private PersistenceFactors persistence() {
      Map<Persistence, BigDecimal> factors = new EnumMap<>(Persistence.class);
      for (Iterator<String> names = node.fieldNames(); names.hasNext(); ) {
        String name = names.next();
        Optional<Persistence> kept = Persistence.ofText(name);
        require(
            kept.isPresent() && kept.get() != Persistence.DEFAULT,
            at(name),
            "unknown",
            "use memory, rarely-used, consented or durable");
        kept.ifPresent(each -> factors.put(each, decimal(name, null)));
      }
      return inside(() -> new PersistenceFactors(factors));
    }

    Reader knowing(String... fields) {
      Set<String> known = Set.of(fields);
      for (Iterator<String> names = node.fieldNames(); names.hasNext(); ) {
        String name = names.next();
        require(known.contains(name), at(name), "unknown", "remove it, or spell it right");
      }
      return this;
    }

    private String at(String field) {
      return path.equals("card") ? field : path + "." + field;
    }

    /** Errors of what is made inside name the place. */
    private <T> T inside(Supplier<T> made) {
      try {
        return made.get();
      } catch (InvalidRateCardException e) {
        throw e.field().startsWith(path + ".") ? e : e.within(path);
      }
    }

    private JsonNode required(String field) {
      JsonNode value = node.get(field);
      if (value == null || value.isNull()) {
        throw new InvalidRateCardException(at(field), "missing", "add it");
      }
      return value;
    }

    private Reader child(String field) {
      return new Reader(required(field), at(field));
    }

    private <T> List<T> each(String field, Function<Reader, T> read) {
      List<T> list = new ArrayList<>();
      for (JsonNode one : array(field)) {
        list.add(read.apply(new Reader(one, at(field) + "[" + list.size() + "]")));
      }
      return list;
    }

    private JsonNode array(String field) {
      JsonNode value = required(field);
      require(value.isArray(), at(field), value, "write a JSON array");
      return value;
    }

    private List<String> texts(String field) {
      List<String> list = new ArrayList<>();
      for (JsonNode one : array(field)) {
        require(one.isTextual(), at(field), one, "write an array of texts");
        list.add(one.textValue());
      }
      return list;
    }

    private String text(String field) {
      JsonNode value = required(field);
      require(value.isTextual(), at(field), value, "write a text");
      return value.textValue();
    }

    private long whole(String field) {
      JsonNode value = required(field);
      require(
          value.isIntegralNumber() && value.canConvertToLong(),
          at(field),
          value,
          "write a whole number");
      return value.longValue();
    }

    private BigDecimal decimal(String field, @Nullable BigDecimal otherwise) {
      if (otherwise != null && !node.has(field)) {
        return otherwise;
      }
      JsonNode value = required(field);
      if (value.isNumber()) {
        return value.decimalValue();
      }
      require(value.isTextual(), at(field), value, "write a decimal number, as in \"0.08\"");
      return parsed(field, value.textValue(), BigDecimal::new, "write a decimal number");
    }

    private <T> T parsed(String field, Function<String, T> parse, String remedy) {
      return parsed(field, text(field), parse, remedy);
    }

    private <T> T parsed(String field, String value, Function<String, T> parse, String remedy) {
      try {
        return parse.apply(value);
      } catch (DateTimeException | IllegalArgumentException e) {
        throw new InvalidRateCardException(at(field), value, remedy);
      }
    }
  }
}
