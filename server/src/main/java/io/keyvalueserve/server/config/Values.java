package io.keyvalueserve.server.config;

import io.keyvalueserve.grid.catalogue.Hibernation;
import io.keyvalueserve.memory.Machine;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The texts that a setting takes.
 *
 * @param described completes the sentence "'x' is not ..."
 */
record Values(String described, Predicate<String> rule) {
  private static final Pattern INTEGER = Pattern.compile("\\d{1,10}");
  private static final Pattern SIZE = Pattern.compile("(\\d{1,12})([kmgt]?)b?");
  private static final Pattern ADDRESS = Pattern.compile("(\\[[^\\]\\s]+\\]|[^:\\s]+):(\\d{1,5})");
  private static final Map<String, Integer> UNIT_SHIFTS =
      Map.of("", 0, "k", 10, "m", 20, "g", 30, "t", 40);
  private static final Pattern PERCENT = Pattern.compile("(\\d{1,3})%");
  private static final Pattern LABEL = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,47}");
  private static final Pattern TENANT_OR_MAP = Pattern.compile("[^/,\\s]+(/[^,]+)?");
  private static final Pattern CLASSES =
      Pattern.compile("[\\p{L}_$][\\p{L}\\p{N}_$]*(\\.[\\p{L}_$][\\p{L}\\p{N}_$]*)*(\\.\\*)?");
  private static final Pattern FACTORY = Pattern.compile("-?\\d{1,9}=[\\p{L}\\p{N}_$.]+");
  private static final Pattern PROCESSORS =
      Pattern.compile("\\d{1,4}(-\\d{1,4})?(,\\d{1,4}(-\\d{1,4})?)*");
  private static final Pattern ORIGIN =
      Pattern.compile("(?i)https?://([a-z0-9._-]+|\\[[0-9a-f:.]+\\])(:\\d{1,5})?");
  private static final int MOST_PORT = 65_535;

  boolean accepts(String text) {
    return rule.test(text);
  }

  static Values text() {
    return new Values("a text", text -> true);
  }

  static Values present() {
    return new Values("a text of at least one character", text -> !text.isEmpty());
  }

  static Values name() {
    return new Values(
        "a name: use 1 to 255 characters without spaces",
        text -> !text.isEmpty() && text.length() <= 255 && text.chars().noneMatch(c -> c <= ' '));
  }

  static Values nameOrEmpty() {
    return new Values(
        "a name: use up to 255 characters without spaces",
        text -> text.isEmpty() || name().accepts(text));
  }

  static Values flag() {
    return new Values("true or false", text -> text.equals("true") || text.equals("false"));
  }

  static Values port() {
    return new Values(
        "a port: use 0 (any free one) to " + MOST_PORT, text -> isWithin(text, 0, MOST_PORT));
  }

  static Values portOrOff() {
    return new Values(
        port().described() + ", or off", text -> isOff(text) || isWithin(text, 0, MOST_PORT));
  }

  static Values integer(int least, int most) {
    return new Values(
        "a number from " + least + " to " + most, text -> isWithin(text, least, most));
  }

  static Values integerOrAuto(int least, int most) {
    return new Values(
        integer(least, most).described() + ", or auto",
        text -> text.equals("auto") || isWithin(text, least, most));
  }

  static Values bytes(long least, long most) {
    return new Values(
        "a size from " + least + " to " + most + " bytes: write for example 64m",
        text -> {
          long bytes = parseBytes(text);
          return bytes >= least && bytes <= most;
        });
  }

  static Values bytesOrAuto(long least, long most) {
    return new Values(
        bytes(least, most).described() + ", or auto",
        text -> text.equals("auto") || bytes(least, most).accepts(text));
  }

  static Values bytesOrNone(long least, long most) {
    return new Values(
        bytes(least, most).described() + ", or none",
        text -> text.equals("none") || bytes(least, most).accepts(text));
  }

  /** The size of a pool: bytes, or percent of what the process may use. */
  static Values poolSize(long least) {
    return new Values(
        "a size of "
            + Sizes.text(least)
            + " or more: write for example 4g, 512m, or 25% of what the process may use",
        text -> parsePercent(text) > 0 || parseBytes(text) >= least);
  }

  static Values poolSizeOrAuto(long least) {
    return new Values(
        poolSize(least).described() + ", or auto",
        text -> text.equals("auto") || poolSize(least).accepts(text));
  }

  /** The name of a tier or a pool, as the heap wants it. */
  static Values label() {
    return new Values(
        "a name: use 1 to 48 letters, digits, '.', '_' or '-', and begin with a letter or digit",
        text -> LABEL.matcher(text).matches());
  }

  static Values oneOf(String... texts) {
    return new Values("one of " + String.join(", ", texts), List.of(texts)::contains);
  }

  /** A time of 1s to 3660d, or never. */
  static Values durationOrNever() {
    return new Values(
        "a time from 1s to 3660d: write for example 90s, 12h or 30d; or never",
        text ->
            text.equals("never")
                || Durations.parse(text)
                    .filter(
                        time ->
                            time.compareTo(Hibernation.LEAST_AFTER) >= 0
                                && time.compareTo(Hibernation.MOST_AFTER) <= 0)
                    .isPresent());
  }

  static Values addresses() {
    return new Values(
        "a list of addresses: write HOST:PORT,HOST:PORT",
        text ->
            text.isEmpty() || List.of(text.split(",", -1)).stream().allMatch(Values::isAddress));
  }

  /** Reads a size; -1 if it is none, or more bytes than there are numbers for. */
  static long parseBytes(String text) {
    Matcher matcher = SIZE.matcher(text.toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      return -1;
    }
    long number = Long.parseLong(matcher.group(1));
    int shift = UNIT_SHIFTS.getOrDefault(matcher.group(2), 0);
    return number > Long.MAX_VALUE >> shift ? -1 : number << shift;
  }

  /** Reads a part of a hundred, 1 to 100; -1 if it is none. */
  static int parsePercent(String text) {
    Matcher matcher = PERCENT.matcher(text);
    int percent = matcher.matches() ? Integer.parseInt(matcher.group(1)) : -1;
    return percent >= 1 && percent <= 100 ? percent : -1;
  }

  static Values classes() {
    return new Values(
        "a list of classes: write com.acme.Increment or, for all of a package, com.acme.*",
        text -> items(text).stream().allMatch(item -> CLASSES.matcher(item).matches()));
  }

  static Values factories() {
    return new Values(
        "a list of factories: write their ids and classes, as 1001=com.acme.Factory",
        text -> items(text).stream().allMatch(item -> FACTORY.matcher(item).matches()));
  }

  static Values tenantsAndMaps() {
    return new Values(
        "a list of tenants and maps: write TENANT or TENANT/MAP, separated by commas",
        text -> items(text).stream().allMatch(item -> TENANT_OR_MAP.matcher(item).matches()));
  }

  static Values origins() {
    return new Values(
        "a list of origins: write for example https://kvs.example.com or http://localhost:3000,"
            + " separated by commas and without a path",
        text -> items(text).stream().allMatch(item -> ORIGIN.matcher(item).matches()));
  }

  /** An origin as browsers write it: in small letters, without the usual port. */
  static String origin(String item) {
    String origin = item.toLowerCase(Locale.ROOT);
    String usualPort = origin.startsWith("https:") ? ":443" : ":80";
    return origin.endsWith(usualPort)
        ? origin.substring(0, origin.length() - usualPort.length())
        : origin;
  }

  /** Numbers of processors as the kernel writes them, none twice. */
  static Values processors() {
    return new Values(
        "a list of processors: write for example 0-3 or 0,2, each once",
        text -> text.isEmpty() || isProcessors(text));
  }

  private static boolean isProcessors(String text) {
    if (!PROCESSORS.matcher(text).matches()) {
      return false;
    }
    List<Integer> numbers = Machine.numbers(text);
    return numbers.size() == Set.copyOf(numbers).size()
        && Arrays.stream(text.split(",", -1)).noneMatch(part -> Machine.numbers(part).isEmpty());
  }

  /** The items of a list, without the spaces around them. */
  static List<String> items(String text) {
    return text.isBlank()
        ? List.of()
        : Arrays.stream(text.split(",", -1)).map(String::strip).toList();
  }

  private static boolean isAddress(String text) {
    Matcher matcher = ADDRESS.matcher(text.strip());
    return matcher.matches() && isWithin(matcher.group(2), 1, MOST_PORT);
  }

  /** Returns whether a text says off. YAML reads the word as false. */
  static boolean isOff(String text) {
    return text.equals("off") || text.equals("false");
  }

  private static boolean isWithin(String text, int least, int most) {
    if (!INTEGER.matcher(text).matches()) {
      return false;
    }
    long value = Long.parseLong(text);
    return value >= least && value <= most;
  }
}
