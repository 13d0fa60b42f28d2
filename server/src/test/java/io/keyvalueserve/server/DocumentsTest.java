package io.keyvalueserve.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.keyvalueserve.server.MarkdownPage.Link;
import io.keyvalueserve.server.MarkdownPage.Sentence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Documents have no dead links and are in plain English. Goal: a reader in a hurry finds a page and
 * understands it at the first reading. Method: all pages are read as text; each finding names the
 * file, the line and the sentence.
 */
class DocumentsTest {
  private static final Path ROOT = Path.of("..");
  private static final String RESULTS = "the results";
  private static final String MAIN = "src/main/java";

  /** The part of a document set's sentences that may be long, in percent. */
  private static final int LONG_SENTENCES_PERCENT = 5;

  /**
   * Javadoc summaries in main code that begin with neither a verb nor a noun, by module. These
   * numbers may only fall: write new summaries as verb phrases ("Returns the record's address"),
   * and lower the number when you mend old ones. Never raise it.
   */
  private static final Map<String, Integer> HEADLESS_SUMMARIES_AT_MOST = Map.of("bench", 216);

  private static final Pattern CLASS = Pattern.compile("`([A-Z]\\w+)`");
  private static final Pattern JAVADOC = Pattern.compile("/\\*\\*(.*?)\\*/", Pattern.DOTALL);
  private static final Pattern MARGIN = Pattern.compile("\\s*\\n\\s*\\*?\\s*");
  private static final Pattern SUMMARY_END = Pattern.compile("(?<=[.:;])\\s");

  private static final Map<Path, MarkdownPage> PAGES = new TreeMap<>();

  @BeforeAll
  static void readAllPages() throws IOException {
    for (Path directory : List.of(ROOT, ROOT.resolve("docs"))) {
      int depth = directory.equals(ROOT) ? 1 : Integer.MAX_VALUE;
      try (Stream<Path> files = Files.walk(directory, depth)) {
        for (Path file : files.filter(path -> path.toString().endsWith(".md")).toList()) {
          PAGES.put(ROOT.relativize(file), MarkdownPage.read(file));
        }
      }
    }
  }

  @Test
  void linksLeadToFilesAndHeadings() {
    List<String> dead = new ArrayList<>();
    for (MarkdownPage page : PAGES.values()) {
      for (Link link : page.links()) {
        if (!link.target().matches("(https?|mailto):.*") && !isThere(page, link.target())) {
          dead.add("%s:%d: %s".formatted(nameOf(page), link.line(), link.target()));
        }
      }
      for (String named : page.namedPages()) {
        if (!Files.exists(ROOT.resolve(named))) {
          dead.add("%s: %s".formatted(nameOf(page), named));
        }
      }
    }
    assertThat(dead).as("links to files or headings that do not exist").isEmpty();
  }

  private static boolean isThere(MarkdownPage page, String target) {
    int hash = target.indexOf('#');
    String path = hash < 0 ? target : target.substring(0, hash);
    Path file = path.isEmpty() ? page.file() : page.file().resolveSibling(path).normalize();
    if (!Files.exists(file)) {
      return false;
    }
    if (hash < 0 || !file.toString().endsWith(".md")) {
      return true;
    }
    MarkdownPage linked = PAGES.get(ROOT.relativize(file));
    return linked != null && linked.hasAnchor(target.substring(hash + 1));
  }

  @Test
  void theIndexOfDecisionsHasEachOfThem() throws IOException {
    String index = Files.readString(ROOT.resolve("docs/adr/README.md"));
    List<String> missing = new ArrayList<>();
    for (Path page : PAGES.keySet()) {
      String name = page.getFileName().toString();
      if (page.startsWith("docs/adr") && !name.equals("README.md") && !index.contains(name)) {
        missing.add(page.toString());
      }
    }
    assertThat(missing).as("decisions that docs/adr/README.md does not list").isEmpty();
  }

  @Test
  void theIndexOfDocumentsHasEachOfThem() throws IOException {
    String index = Files.readString(ROOT.resolve("docs/README.md"));
    List<String> missing = new ArrayList<>();
    for (Path page : PAGES.keySet()) {
      String name = page.getFileName().toString();
      if (page.startsWith("docs") && !page.startsWith("docs/adr") && !index.contains(name)) {
        missing.add(page.toString());
      }
    }
    assertThat(missing).as("documents that docs/README.md does not list").isEmpty();
  }

  @Test
  void thePageOfWhereNamesAtMostThreeClassesThatExist() throws IOException {
    Set<String> classes = new HashSet<>();
    for (Path module : modules()) {
      for (Path file : sourcesIn(module)) {
        classes.add(file.getFileName().toString().replace(".java", ""));
      }
    }
    List<String> wrong = new ArrayList<>();
    for (String row : Files.readAllLines(ROOT.resolve("docs/contributing/where.md"))) {
      if (row.startsWith("| ")) {
        List<String> named = CLASS.matcher(row).results().map(match -> match.group(1)).toList();
        if (named.size() > 3) {
          wrong.add("more than three classes: " + row);
        }
        named.stream().filter(name -> !classes.contains(name)).forEach(wrong::add);
      }
    }
    assertThat(wrong).as("docs/contributing/where.md").isEmpty();
  }

  @Test
  void sentencesHaveASubjectAndNoRiddles() {
    List<String> findings = new ArrayList<>();
    for (MarkdownPage page : PAGES.values()) {
      for (Sentence sentence : page.sentences()) {
        PlainEnglish.remedy(sentence.text())
            .ifPresent(remedy -> findings.add("%s (%s)".formatted(at(page, sentence), remedy)));
      }
    }
    assertThat(findings).as("sentences to write in plain English").isEmpty();
  }

  /** Results are left out: their sentences are lists of figures and commands. */
  @Test
  void fewSentencesAreLong() {
    Map<String, Integer> sentences = new TreeMap<>();
    Map<String, List<String>> longOnes = new TreeMap<>();
    for (MarkdownPage page : PAGES.values()) {
      String set = setOf(nameOf(page));
      sentences.merge(set, page.sentences().size(), Integer::sum);
      for (Sentence sentence : page.sentences()) {
        if (sentence.words() > PlainEnglish.LONG_SENTENCE_WORDS) {
          longOnes.computeIfAbsent(set, any -> new ArrayList<>()).add(at(page, sentence));
        }
      }
    }
    longOnes.remove(RESULTS);
    for (Map.Entry<String, List<String>> set : longOnes.entrySet()) {
      int all = sentences.getOrDefault(set.getKey(), 0);
      assertThat(set.getValue())
          .as(
              "sentences over %d words in %s, of %d; at most %d %% may be so long",
              PlainEnglish.LONG_SENTENCE_WORDS, set.getKey(), all, LONG_SENTENCES_PERCENT)
          .hasSizeLessThanOrEqualTo(all * LONG_SENTENCES_PERCENT / 100);
    }
  }

  private static String setOf(String name) {
    if (name.startsWith("docs/adr/")) {
      return "the decisions";
    }
    if (name.startsWith("docs/results/")) {
      return RESULTS;
    }
    if (name.startsWith("docs/")) {
      return "the documents";
    }
    return name.equals("CHANGELOG.md") ? "the changelog" : "the front pages";
  }

  @Test
  void headlessJavadocSummariesOnlyBecomeFewer() throws IOException {
    Map<String, List<String>> headless = new HashMap<>();
    for (Path module : modules()) {
      headless.put(module.getFileName().toString(), headlessSummaries(module));
    }
    SoftAssertions checks = new SoftAssertions();
    headless.forEach(
        (module, found) -> {
          int atMost = HEADLESS_SUMMARIES_AT_MOST.getOrDefault(module, 0);
          checks
              .assertThat(found)
              .as(
                  "%d Javadoc summaries in %s begin with neither a verb nor a noun, %d were known",
                  found.size(), module, atMost)
              .hasSizeLessThanOrEqualTo(atMost);
        });
    checks.assertAll();
  }

  private static List<String> headlessSummaries(Path module) throws IOException {
    List<String> found = new ArrayList<>();
    for (Path file : sourcesIn(module)) {
      String source = Files.readString(file);
      Matcher comment = JAVADOC.matcher(source);
      while (comment.find()) {
        String text = MARGIN.matcher(comment.group(1)).replaceAll(" ").strip();
        String summary = SUMMARY_END.split(text, 2)[0];
        if (PlainEnglish.isHeadlessSummary(summary)) {
          long line = 1 + source.substring(0, comment.start()).lines().count();
          found.add("%s:%d: %s".formatted(ROOT.relativize(file), line, summary));
        }
      }
    }
    return found;
  }

  /** Returns the modules of the project that have main code. */
  private static List<Path> modules() throws IOException {
    try (Stream<Path> all = Files.list(ROOT)) {
      return all.filter(module -> Files.isDirectory(module.resolve(MAIN))).toList();
    }
  }

  private static List<Path> sourcesIn(Path module) throws IOException {
    try (Stream<Path> files = Files.walk(module.resolve(MAIN))) {
      return files.filter(path -> path.toString().endsWith(".java")).sorted().toList();
    }
  }

  private static String nameOf(MarkdownPage page) {
    return ROOT.relativize(page.file()).toString();
  }

  private static String at(MarkdownPage page, Sentence sentence) {
    return "%s:%d: %s".formatted(nameOf(page), sentence.line(), sentence.text());
  }

  @Test
  void aSentenceWithoutASubjectIsFoundAndOneWithASubjectIsNot() {
    assertThat(
            List.of(
                "What waits is dropped.",
                "Who asks is told.",
                "Of two copies the newer is true.",
                "For so many.",
                "By who has it.",
                "So that it fits.",
                "Keys are kept so that nobody waits.",
                "There are two, of which one is read.",
                "The older waits for that one.",
                "Here the same holds for reads."))
        .allMatch(sentence -> PlainEnglish.remedy(sentence).isPresent());
    assertThat(
            List.of(
                "What happens when the disk is full?",
                "A copy that is newer is true.",
                "For each tenant, the server keeps a ledger.",
                "By default the log is synced each second.",
                "As a rule, requests wait.",
                "A grant on one key needs only that one key."))
        .allMatch(sentence -> PlainEnglish.remedy(sentence).isEmpty());
  }

  @Test
  void aPageIsReadAsSentencesLinksAndAnchors(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("page.md");
    Files.writeString(
        file,
        """
        # A `title`, twice

        One sentence that goes
        on. Another, see [this](other.md#there).

        - An item with `code. And code`.

        | What is | no prose |
        |---|---|

        ```
        What is [code](none.md)
        ```

        ## A title, twice
        """);
    MarkdownPage page = MarkdownPage.read(file);
    assertThat(page.sentences())
        .extracting(Sentence::line, Sentence::words)
        .containsExactly(tuple(3, 5), tuple(4, 3), tuple(6, 4));
    assertThat(page.links()).containsExactly(new Link(4, "other.md#there"));
    assertThat(page.hasAnchor("a-title-twice")).isTrue();
    assertThat(page.hasAnchor("a-title-twice-1")).isTrue();
    assertThat(page.hasAnchor("a-title")).isFalse();
  }
}
