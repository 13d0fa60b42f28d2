package io.keyvalueserve.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A Markdown page: its prose in sentences, its links, and the anchors of its headings. It reads the
 * part of Markdown that this project writes. Code blocks and tables are no prose; links in tables
 * count, links in code blocks do not.
 */
final class MarkdownPage {
  private static final Pattern FENCE = Pattern.compile("\\s*(```|~~~).*");
  private static final Pattern HEADING = Pattern.compile("#{1,6} +(.*)");
  private static final Pattern ITEM = Pattern.compile("\\s*([-*+]|\\d+\\.) +(.*)");
  private static final Pattern CODE = Pattern.compile("`[^`]*`");
  private static final Pattern LINK = Pattern.compile("!?\\[([^\\]]*)]\\([^)\\s]+\\)");

  /** The end of a link, whose text may begin on the line before. */
  private static final Pattern TARGET = Pattern.compile("]\\(([^)\\s]+)\\)");

  /** A page that prose names as code, from the root of the project. */
  private static final Pattern NAMED_PAGE = Pattern.compile("`(docs/[\\w./-]+\\.(?:md|yaml))`");

  /** Ends a sentence. A digit or a small letter after the full stop does not begin another one. */
  private static final Pattern SENTENCE_END =
      Pattern.compile("(?<=[.!?])(?<!\\b(?:e\\.g|i\\.e|etc|vs)\\.)[\"*)]*\\s+(?=[\"*(]*[A-Z`\\[])");

  private static final Pattern BLANKS = Pattern.compile("\\s+");
  private static final Pattern NOT_OF_ANCHOR = Pattern.compile("[^\\p{L}\\p{N} _-]");

  /** A sentence and the line on which it begins, from 1. Code and links are reduced to text. */
  record Sentence(int line, String text) {
    int words() {
      return (int) BLANKS.splitAsStream(text).filter(Sentence::isWord).count();
    }

    private static boolean isWord(String text) {
      return text.chars().anyMatch(Character::isLetterOrDigit);
    }
  }

  /** A link and its line, from 1. */
  record Link(int line, String target) {}

  private final Path file;
  private final List<Sentence> sentences = new ArrayList<>();
  private final List<Link> links = new ArrayList<>();
  private final Set<String> anchors = new HashSet<>();
  private final Set<String> namedPages = new HashSet<>();
  private final Map<String, Integer> headings = new HashMap<>();

  // The block of prose that is being read: its text, and the line of each of its characters.
  private final StringBuilder block = new StringBuilder();
  private final List<Integer> blockLines = new ArrayList<>();

  private MarkdownPage(Path file) {
    this.file = file;
  }

  /** Reads a page. */
  static MarkdownPage read(Path file) throws IOException {
    MarkdownPage page = new MarkdownPage(file);
    page.parse(Files.readAllLines(file));
    return page;
  }

  Path file() {
    return file;
  }

  List<Sentence> sentences() {
    return sentences;
  }

  List<Link> links() {
    return links;
  }

  /** Pages that are named as code, as in {@code `docs/http.md`}. */
  Set<String> namedPages() {
    return namedPages;
  }

  boolean hasAnchor(String anchor) {
    return anchors.contains(anchor);
  }

  private void parse(List<String> lines) {
    boolean inCode = false;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (FENCE.matcher(line).matches()) {
        endBlock();
        inCode = !inCode;
      } else if (!inCode) {
        parse(i + 1, line);
      }
    }
    endBlock();
  }

  private void parse(int number, String line) {
    findLinks(number, line);
    Matcher heading = HEADING.matcher(line);
    Matcher item = ITEM.matcher(line);
    if (heading.matches()) {
      endBlock();
      addAnchor(heading.group(1));
    } else if (line.isBlank() || line.strip().startsWith("|")) {
      endBlock();
    } else if (item.matches()) {
      endBlock();
      append(number, item.group(2));
    } else {
      append(number, line.strip());
    }
  }

  private void findLinks(int number, String line) {
    Matcher link = TARGET.matcher(line);
    while (link.find()) {
      links.add(new Link(number, link.group(1)));
    }
    Matcher named = NAMED_PAGE.matcher(line);
    while (named.find()) {
      namedPages.add(named.group(1));
    }
  }

  /** Adds the anchor that GitHub gives a heading: small letters, no punctuation, dashes. */
  private void addAnchor(String heading) {
    String text = LINK.matcher(heading).replaceAll("$1").toLowerCase(Locale.ROOT);
    String anchor = NOT_OF_ANCHOR.matcher(text).replaceAll("").strip().replace(' ', '-');
    int earlier = headings.merge(anchor, 1, Integer::sum) - 1;
    anchors.add(earlier == 0 ? anchor : anchor + "-" + earlier);
  }

  private void append(int number, String line) {
    String text = line + " ";
    block.append(text);
    for (int i = 0; i < text.length(); i++) {
      blockLines.add(number);
    }
  }

  private void endBlock() {
    String text = CODE.matcher(block).replaceAll(MarkdownPage::oneWord);
    int start = 0;
    Matcher end = SENTENCE_END.matcher(text);
    while (end.find()) {
      addSentence(start, text.substring(start, end.start()));
      start = end.end();
    }
    addSentence(start, text.substring(start));
    block.setLength(0);
    blockLines.clear();
  }

  /** Gives code the same length without blanks and full stops, so that it counts as a word. */
  private static String oneWord(MatchResult code) {
    return Matcher.quoteReplacement(code.group().replace(' ', '_').replace('.', '_'));
  }

  private void addSentence(int start, String text) {
    String plain = LINK.matcher(text).replaceAll("$1").replace("**", "").strip();
    if (!plain.isEmpty()) {
      sentences.add(new Sentence(blockLines.get(start), plain));
    }
  }
}
