package io.keyvalueserve.server;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The rules of plain English that a pattern can check. CONTRIBUTING.md has all of them; this class
 * finds sentences without a subject and turns of phrase that hide who does what.
 */
final class PlainEnglish {
  /** Words in a sentence, at most, except for a small part of a document set. */
  static final int LONG_SENTENCE_WORDS = 30;

  private record Rule(Pattern pattern, String remedy) {}

  private static final List<Rule> RULES =
      List.of(
          new Rule(
              Pattern.compile("^(What|Who|Whose|Whom|Whoever|Whatever)\\b(?!.*\\?$)"),
              "begin with the subject, a noun"),
          new Rule(Pattern.compile("^Of\\b"), "begin with the subject, a noun"),
          new Rule(
              Pattern.compile("^(As|By|For)\\b(?! (default|details|example|instance)\\b)[^,]*$"),
              "put a comma behind the opening phrase and a main clause after it,"
                  + " or begin with the subject"),
          new Rule(Pattern.compile("^So that\\b"), "join it to the sentence before"),
          new Rule(
              Pattern.compile("\\b[Ss]o that nobody\\b"),
              "say who does what: \"This prevents ...\""),
          new Rule(Pattern.compile("\\bof which\\b"), "make two sentences"),
          new Rule(
              Pattern.compile("\\b[Tt]hat one(?=[,.;:)]|$| (?:is|was|has|does)\\b)"),
              "repeat the noun"),
          new Rule(Pattern.compile("\\b[Tt]he same holds\\b"), "repeat the statement"));

  /** The first word of a Javadoc summary that has no verb phrase and names no thing. */
  private static final Pattern HEADLESS_SUMMARY =
      Pattern.compile(
          "^(What|Who|Whose|Whom|Whoever|Whatever|Why|Whether|Of|As|By|For|Nor|So|And|But|To)\\b");

  private PlainEnglish() {}

  /** Returns how to mend a sentence, or nothing if it keeps the rules. */
  static Optional<String> remedy(String sentence) {
    for (Rule rule : RULES) {
      if (rule.pattern().matcher(sentence).find()) {
        return Optional.of(rule.remedy());
      }
    }
    return Optional.empty();
  }

  /** Returns whether the summary of a Javadoc comment begins with neither a verb nor a noun. */
  static boolean isHeadlessSummary(String summary) {
    return HEADLESS_SUMMARY.matcher(summary).find();
  }
}
