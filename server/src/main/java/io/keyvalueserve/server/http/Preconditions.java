package io.keyvalueserve.server.http;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import io.keyvalueserve.engine.ValueMatch;
import io.keyvalueserve.engine.ValueTag;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code If-Match} and {@code If-None-Match} (RFC 9110, section 13.1). An entity tag is the {@link
 * ValueTag} of the value, in hexadecimal digits.
 *
 * @param any whether it is {@code *}
 * @param tags the tags that a value can have, if it is a list; those of another form match nothing
 * @param isStrong for each tag, whether it is a strong one
 */
record Preconditions(boolean any, List<byte[]> tags, List<Boolean> isStrong) {
  private static final Pattern ITEM =
      Pattern.compile("\\s*(W/)?\"([\\x21\\x23-\\x7e\\x80-\\xff]*)\"\\s*(,|$)");
  private static final Pattern TAG = Pattern.compile("[0-9a-f]{" + 2 * ValueTag.BYTES + "}");

  /** The tag of no value that anybody will ever find. */
  private static final byte[] OF_NOTHING = new byte[ValueTag.BYTES];

  /** The entity tag of a value, with its quotes. */
  static String entityTag(byte[] value) {
    return '"' + HexFormat.of().formatHex(ValueTag.of(value)) + '"';
  }

  /** Returns the preconditions in a header, or null if the request has none. */
  static @Nullable Preconditions of(ServerRequest request, HeaderName name) {
    if (!request.headers().contains(name)) {
      return null;
    }
    return parse(String.join(",", request.headers().all(name, List::of)), name.defaultCase());
  }

  /**
   * Reads a list of entity tags.
   *
   * @param field the header, for the message
   */
  static Preconditions parse(String text, String field) {
    if (text.strip().equals("*")) {
      return new Preconditions(true, List.of(), List.of());
    }
    List<byte[]> tags = new ArrayList<>();
    List<Boolean> isStrong = new ArrayList<>();
    Matcher item = ITEM.matcher(text);
    int at = 0;
    while (at < text.length() || at == 0) {
      if (!item.find(at) || item.start() != at) {
        throw new HttpErrors.BadRequest(
            field, field + " is * or a list of entity tags in quotes, as ETag has them");
      }
      if (TAG.matcher(item.group(2)).matches()) {
        tags.add(HexFormat.of().parseHex(item.group(2)));
        isStrong.add(item.group(1) == null);
      }
      at = item.end();
    }
    if (tags.size() > ValueMatch.MOST_TAGS) {
      throw new HttpErrors.BadRequest(
          field, field + " has up to " + ValueMatch.MOST_TAGS + " entity tags");
    }
    return new Preconditions(false, tags, isStrong);
  }

  /**
   * Returns whether a value has one of these tags. Weak tags count too, as for {@code
   * If-None-Match}.
   */
  boolean matchesWeakly(byte[] value) {
    byte[] tag = ValueTag.of(value);
    return any || tags.stream().anyMatch(one -> Arrays.equals(one, tag));
  }

  /** The strong tags, as {@code If-Match} compares. */
  List<byte[]> strongTags() {
    List<byte[]> strong = new ArrayList<>();
    for (int i = 0; i < tags.size(); i++) {
      if (isStrong.get(i)) {
        strong.add(tags.get(i));
      }
    }
    return strong;
  }

  /** Returns whether a value has one of these tags, by strong tags only. */
  boolean matchesStrongly(byte[] value) {
    byte[] tag = ValueTag.of(value);
    return any || strongTags().stream().anyMatch(one -> Arrays.equals(one, tag));
  }

  /** Returns the condition of a change on the present value. */
  static ValueMatch ofChange(ServerRequest request) {
    Preconditions match = of(request, HeaderNames.IF_MATCH);
    Preconditions none = of(request, HeaderNames.IF_NONE_MATCH);
    if (none != null) {
      if (match != null || !none.any()) {
        throw new HttpErrors.BadRequest(
            HeaderNames.IF_NONE_MATCH_NAME,
            "a change takes If-None-Match: * (there is no entry yet) or If-Match with entity tags,"
                + " one of them");
      }
      return ValueMatch.ABSENT;
    }
    return match == null ? ValueMatch.ANY : match.asMatch();
  }

  /** Returns the condition of a change that these tags are, as {@code If-Match} means them. */
  ValueMatch asMatch() {
    if (any) {
      return ValueMatch.PRESENT;
    }
    List<byte[]> strong = strongTags();
    return ValueMatch.tagged(strong.isEmpty() ? List.of(OF_NOTHING) : strong);
  }
}
