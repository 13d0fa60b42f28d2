package io.keyvalueserve.resp.command;

import io.keyvalueserve.resp.protocol.Reply;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Says where keys are among a command's arguments, as COMMAND INFO tells it: where a search for
 * them begins, and how they are found from there.
 *
 * @param flags what the command does with the keys, in Redis' words
 * @param begin where the search begins
 * @param find how keys are found from there
 * @param notes a sentence for people; may be empty
 */
record KeySpecification(List<String> flags, Begin begin, Find find, String notes) {
  /** A place among the arguments, of which the name is the first. */
  sealed interface Begin {
    /** An argument by its index. */
    record Index(int at) implements Begin {}

    /**
     * The argument behind a word.
     *
     * @param from the index from which on the word is looked for; from the end, backwards, if
     *     negative
     */
    record Keyword(String word, int from) implements Begin {}

    /** Nobody can say where. */
    record Unknown() implements Begin {}
  }

  /** A way to find keys from a place on. */
  sealed interface Find {
    /**
     * Some arguments from the place on.
     *
     * @param last the last one, counted from the place; from the end of the request if negative
     * @param limit if {@code last} is negative: so many parts have the arguments, and keys are in
     *     the first; 0 or 1 for one part
     */
    record Range(int last, int step, int limit) implements Find {}

    /** A number of arguments that one of them says; all three are counted from the place. */
    record Number(int at, int first, int step) implements Find {}

    /** Nobody can say which. */
    record Unknown() implements Find {}
  }

  /** Reads what a row of the list of Redis' commands has. */
  static KeySpecification parse(String text) {
    String[] parts = text.split(";", -1);
    String[] begin = parts[1].split(" ", -1);
    String[] find = parts[2].split(" ", -1);
    return new KeySpecification(
        List.of(parts[0].split(",", -1)),
        switch (begin[0]) {
          case "index" -> new Begin.Index(Integer.parseInt(begin[1]));
          case "keyword" -> new Begin.Keyword(begin[1], Integer.parseInt(begin[2]));
          default -> new Begin.Unknown();
        },
        switch (find[0]) {
          case "range" ->
              new Find.Range(
                  Integer.parseInt(find[1]), Integer.parseInt(find[2]), Integer.parseInt(find[3]));
          case "keynum" ->
              new Find.Number(
                  Integer.parseInt(find[1]), Integer.parseInt(find[2]), Integer.parseInt(find[3]));
          default -> new Find.Unknown();
        },
        parts[3]);
  }

  /** Returns the specification of a command that Redis does not have; null if it has no keys. */
  static @Nullable KeySpecification of(Descriptor descriptor) {
    if (descriptor.firstKey() == 0) {
      return null;
    }
    int last = descriptor.lastKey();
    return new KeySpecification(
        List.of(descriptor.has(Descriptor.Flag.WRITE) ? "RW" : "RO"),
        new Begin.Index(descriptor.firstKey()),
        new Find.Range(last < 0 ? last : last - descriptor.firstKey(), descriptor.step(), 0),
        "");
  }

  /**
   * Adds the indexes of the keys in a request.
   *
   * @param arguments the request, its name first
   * @return false if this cannot be said: then nothing was added
   */
  boolean find(byte[][] arguments, List<Integer> found) {
    int place =
        switch (begin) {
          case Begin.Index(int at) -> at;
          case Begin.Keyword(String word, int from) -> behind(word, from, arguments);
          case Begin.Unknown() -> -1;
        };
    if (place < 0) {
      return false;
    }
    if (place == 0) {
      return true; // the word is not there, so neither are the keys
    }
    int count = arguments.length;
    int first = place;
    int last;
    int step;
    switch (find) {
      case Find.Range range -> {
        step = range.step();
        if (range.last() >= 0) {
          last = first + range.last();
        } else {
          int part = range.limit() <= 1 ? count - first : (count - first) / range.limit();
          last = first + part + range.last();
        }
      }
      case Find.Number number -> {
        if (first + number.at() >= count) {
          return false;
        }
        Long keys =
            io.keyvalueserve.engine.Arithmetic.parseInteger(arguments[first + number.at()])
                .orElse(null);
        if (keys == null || keys < 0 || keys > count) {
          return false;
        }
        step = number.step();
        first += number.first();
        last = first + (int) (keys - 1) * step;
      }
      case Find.Unknown() -> {
        return false;
      }
    }
    if (last >= count) {
      return false;
    }
    for (int i = first; i <= last; i += step) {
      found.add(i);
    }
    return true;
  }

  /** Returns the index behind a word, or 0 if it is not there. */
  private static int behind(String word, int from, byte[][] arguments) {
    int count = arguments.length;
    int step = from > 0 ? 1 : -1;
    for (int i = from > 0 ? from : count + from; i > 0 && i < count - 1; i += step) {
      if (new String(arguments[i], StandardCharsets.ISO_8859_1).equalsIgnoreCase(word)) {
        return i + 1;
      }
    }
    return 0;
  }

  /** Returns the flags as COMMAND tells them. */
  Reply flagsReply() {
    return flagsReply(flags);
  }

  /** Returns flags as COMMAND tells them. */
  static Reply flagsReply(List<String> flags) {
    return new Reply.SetOf(flags.stream().map(Reply.Status::new).toList());
  }

  /** Returns the specification as COMMAND INFO tells it. */
  Reply reply() {
    List<Reply> pairs = new ArrayList<>();
    if (!notes.isEmpty()) {
      pairs.add(Reply.bulk("notes"));
      pairs.add(Reply.bulk(notes));
    }
    pairs.add(Reply.bulk("flags"));
    pairs.add(flagsReply());
    pairs.add(Reply.bulk("begin_search"));
    pairs.add(
        switch (begin) {
          case Begin.Index(int at) -> part("index", "index", Reply.integer(at));
          case Begin.Keyword(String word, int from) ->
              part("keyword", "keyword", Reply.bulk(word), "startfrom", Reply.integer(from));
          case Begin.Unknown() -> part("unknown");
        });
    pairs.add(Reply.bulk("find_keys"));
    pairs.add(
        switch (find) {
          case Find.Range range ->
              part(
                  "range",
                  "lastkey",
                  Reply.integer(range.last()),
                  "keystep",
                  Reply.integer(range.step()),
                  "limit",
                  Reply.integer(range.limit()));
          case Find.Number number ->
              part(
                  "keynum",
                  "keynumidx",
                  Reply.integer(number.at()),
                  "firstkey",
                  Reply.integer(number.first()),
                  "keystep",
                  Reply.integer(number.step()));
          case Find.Unknown() -> part("unknown");
        });
    return new Reply.MapOf(pairs);
  }

  private static Reply part(String type, Object... alternating) {
    List<Reply> specification = new ArrayList<>();
    for (Object each : alternating) {
      specification.add(each instanceof Reply reply ? reply : Reply.bulk((String) each));
    }
    return new Reply.MapOf(
        List.of(
            Reply.bulk("type"),
            Reply.bulk(type),
            Reply.bulk("spec"),
            new Reply.MapOf(specification)));
  }
}
