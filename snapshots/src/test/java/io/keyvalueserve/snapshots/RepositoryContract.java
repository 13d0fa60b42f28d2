package io.keyvalueserve.snapshots;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules that every repository keeps. Each test has a repository that is empty. */
abstract class RepositoryContract {
  abstract Repository repository();

  static SnapshotException.Kind kindOf(Throwable failure) {
    return ((SnapshotException) failure).kind();
  }

  @Test
  void readsWhatWasWritten() {
    byte[] bytes = new byte[3_000_000];
    new Random(1).nextBytes(bytes);
    repository().write("a/b/c", bytes);
    assertThat(repository().read("a/b/c")).isEqualTo(bytes);
    assertThat(repository().exists("a/b/c")).isTrue();
    Repository.Item item = repository().find("a/b/c");
    assertThat(item).extracting(Repository.Item::bytes).isEqualTo(3_000_000L);
  }

  @Test
  void replacesAnObject() {
    repository().write("a", "one".getBytes(UTF_8));
    repository().write("a", "second".getBytes(UTF_8));
    assertThat(repository().read("a")).asString().isEqualTo("second");
    assertThat(repository().list("")).hasSize(1);
  }

  @Test
  void keepsAnEmptyObject() {
    repository().write("empty", new byte[0]);
    assertThat(repository().read("empty")).isEmpty();
    assertThat(repository().readStart("empty", 10)).isEmpty();
    assertThat(repository().exists("empty")).isTrue();
  }

  @Test
  void readsTheStartOfAnObject() {
    repository().write("a/b", "0123456789".getBytes(UTF_8));
    assertThat(repository().readStart("a/b", 4)).asString().isEqualTo("0123");
    assertThat(repository().readStart("a/b", 10)).asString().isEqualTo("0123456789");
    assertThat(repository().readStart("a/b", 100)).asString().isEqualTo("0123456789");
  }

  @Test
  void saysThatAnObjectIsMissing() {
    assertThat(repository().exists("no/such")).isFalse();
    assertThat(repository().find("no")).isNull();
    assertThatThrownBy(() -> repository().read("no/such"))
        .extracting(RepositoryContract::kindOf)
        .isEqualTo(SnapshotException.Kind.MISSING);
    assertThatThrownBy(() -> repository().readStart("no", 3))
        .extracting(RepositoryContract::kindOf)
        .isEqualTo(SnapshotException.Kind.MISSING);
    repository().delete("no/such");
    assertThat(repository().list("no/")).isEmpty();
    assertThat(repository().folders("no/")).isEmpty();
  }

  @Test
  void listsByPrefixAtAnyDepthInOrder() {
    for (String name : List.of("b/2", "a/x/1", "a/x/2", "a/xy", "a/x-z/1", "c", "a.b")) {
      repository().write(name, name.getBytes(UTF_8));
    }
    assertThat(names("")).containsExactly("a.b", "a/x-z/1", "a/x/1", "a/x/2", "a/xy", "b/2", "c");
    assertThat(names("a/")).containsExactly("a/x-z/1", "a/x/1", "a/x/2", "a/xy");
    assertThat(names("a/x/")).containsExactly("a/x/1", "a/x/2");
    assertThat(names("a/x")).containsExactly("a/x-z/1", "a/x/1", "a/x/2", "a/xy");
    assertThat(names("a")).contains("a.b", "a/xy");
    assertThat(names("c")).containsExactly("c");
    assertThat(names("c/")).isEmpty();
    assertThat(repository().folders("")).containsExactly("a", "b");
    assertThat(repository().folders("a/")).containsExactly("x", "x-z");
    assertThat(repository().list("c").getFirst().bytes()).isOne();
  }

  private List<String> names(String prefix) {
    return repository().list(prefix).stream().map(Repository.Item::name).toList();
  }

  @Test
  void checksThatItCanBeUsed() {
    repository().check();
    assertThat(repository().list("")).isEmpty();
  }

  @Test
  void listsMoreThanOnePage() {
    for (int i = 0; i < 1_050; i++) {
      repository().write("many/" + i, new byte[1]);
    }
    assertThat(repository().list("many/")).hasSize(1_050);
  }

  @Test
  void deletes() {
    repository().write("a/b", new byte[3]);
    repository().write("a/c", new byte[3]);
    repository().delete("a/b");
    assertThat(names("")).containsExactly("a/c");
    repository().delete("a/b");
    repository().write("a/b", new byte[2]);
    assertThat(repository().read("a/b")).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "/a",
        "a/",
        "a//b",
        "..",
        "../a",
        "a/../b",
        "a/..",
        ".a",
        "a/.tmp-1",
        "A",
        "a b",
        "a\\b",
        "a\u0000",
        "ä",
        "a%2fb",
        "a\n",
        "-a",
        "_"
      })
  void refusesNames(String name) {
    for (Callable<?> use :
        List.<Callable<?>>of(
            () -> repository().exists(name),
            () -> repository().read(name),
            () -> {
              repository().write(name, new byte[1]);
              return "";
            },
            () -> {
              repository().delete(name);
              return "";
            })) {
      assertThatThrownBy(use::call)
          .isInstanceOf(SnapshotException.class)
          .extracting(RepositoryContract::kindOf)
          .isEqualTo(SnapshotException.Kind.INVALID);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "../", "a/../", "a//", "A", "a/../b"})
  void refusesPrefixes(String prefix) {
    assertThatThrownBy(() -> repository().list(prefix))
        .extracting(RepositoryContract::kindOf)
        .isEqualTo(SnapshotException.Kind.INVALID);
  }

  @Test
  void showsReadersWholeObjectsAlone() throws Exception {
    byte[] one = new byte[200_000];
    byte[] two = new byte[100_000];
    Arrays.fill(two, (byte) 2);
    repository().write("x/a", one);
    try (ExecutorService pool = Executors.newFixedThreadPool(3)) {
      List<Callable<Boolean>> tasks =
          IntStream.range(0, 60)
              .<Callable<Boolean>>mapToObj(
                  i ->
                      () -> {
                        if (i % 3 == 0) {
                          repository().write("x/a", i % 2 == 0 ? two : one);
                          return true;
                        }
                        byte[] read = repository().read("x/a");
                        return Arrays.equals(read, one) || Arrays.equals(read, two);
                      })
              .toList();
      for (var done : pool.invokeAll(tasks)) {
        assertThat(done.get()).isTrue();
      }
    }
  }
}
