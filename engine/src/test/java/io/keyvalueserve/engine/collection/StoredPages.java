package io.keyvalueserve.engine.collection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Keeps the pages of one tree, and knows whether they are exactly those of the tree. */
final class StoredPages implements PageSource {
  private final Map<Long, byte[]> pages = new HashMap<>();

  @Override
  public byte[] read(long number) {
    byte[] page = pages.get(number);
    if (page == null) {
      throw new CorruptCollectionException("there is no such page");
    }
    return page;
  }

  Map<Long, byte[]> pages() {
    return pages;
  }

  /** Stores the changes of a command; each page is made once and given up once. */
  void apply(PageChanges changes) {
    for (PageChanges.Page page : changes.written()) {
      assertThat(page.number()).isNotZero();
      assertThat(pages.put(page.number(), page.bytes())).isNull();
    }
    for (PageChanges.Subtree dropped : changes.dropped()) {
      free(dropped.root(), dropped.height());
    }
    for (long number : changes.removed()) {
      assertThat(pages.remove(number)).isNotNull();
    }
  }

  private void free(long number, int height) {
    byte[] page = read(number);
    pages.remove(number);
    long[] children = PageWalk.children(page);
    assertThat(children.length > 0).isEqualTo(height > 0);
    for (long child : children) {
      free(child, height - 1);
    }
  }

  /** Asserts that there are exactly the pages of a tree, and their form. */
  void check(ElementTree.State state, String when) {
    Set<Long> reached = new HashSet<>();
    long bytes = state.root() == 0 ? 0 : reach(state.root(), state.height(), reached, when);
    assertThat(reached).as(when).isEqualTo(pages.keySet());
    assertThat(state.bytes()).as(when).isEqualTo(bytes);
  }

  private long reach(long number, int height, Set<Long> reached, String when) {
    byte[] page = read(number);
    assertThat(reached.add(number)).as(when).isTrue();
    TreePage.check(page);
    assertThat(TreePage.height(page)).as(when).isEqualTo(height);
    int entries = TreePage.count(page);
    if (entries > (height == 0 ? 1 : 3)) {
      assertThat(page.length).as(when).isLessThanOrEqualTo(TreePage.TARGET);
    }
    long bytes = page.length;
    for (long child : PageWalk.children(page)) {
      bytes += reach(child, height - 1, reached, when);
    }
    return bytes;
  }

  /** The part of the target size that the pages take on average. */
  double fill() {
    return pages.values().stream().mapToLong(page -> page.length).average().orElseThrow()
        / TreePage.TARGET;
  }
}
