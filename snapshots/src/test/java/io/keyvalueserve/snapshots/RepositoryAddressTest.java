package io.keyvalueserve.snapshots;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The forms of addresses, and what is said of those that are wrong. */
class RepositoryAddressTest {
  @ParameterizedTest
  @CsvSource({
    "/backups/kvs, file:/backups/kvs",
    "file:/backups/kvs, file:/backups/kvs",
    "file:///backups/kvs/, file:/backups/kvs",
    "FILE:/a b/c%20d, file:/a b/c%20d",
    "s3://bucket?region=eu-west-1, s3://bucket?region=eu-west-1",
    "s3://bucket/a/b/?region=eu-west-1, s3://bucket/a/b?region=eu-west-1",
    "s3://b.c-d/p?path-style=false&region=r-1, s3://b.c-d/p?region=r-1",
    "s3://b12?endpoint=http://10.0.0.7:9000/, s3://b12?endpoint=http://10.0.0.7:9000&region=us-east-1",
    "s3://b12/x?endpoint=https://s3.local&region=r&path-style=true,"
        + " s3://b12/x?endpoint=https://s3.local&region=r&path-style=true"
  })
  void readsAndPrints(String text, String printed) {
    RepositoryAddress address = RepositoryAddress.parse(text);
    assertThat(address).hasToString(printed);
    assertThat(RepositoryAddress.parse(printed)).isEqualTo(address);
  }

  @Test
  void hasItsParts() {
    assertThat(RepositoryAddress.parse("/a/b"))
        .isEqualTo(new RepositoryAddress.Directory(Path.of("/a/b")));
    assertThat(
            RepositoryAddress.parse("s3://buck/p/q?endpoint=http://h:1&region=r&path-style=true"))
        .isEqualTo(new RepositoryAddress.S3("buck", "p/q", URI.create("http://h:1"), "r", true));
  }

  @ParameterizedTest
  @CsvSource({
    "'', repository",
    "backups/kvs, repository",
    "gs://bucket, repository",
    "s3:bucket, repository",
    "s3://bucket?region=r&colour=red, repository",
    "file:relative, path",
    "file:, path",
    "/, path",
    "/a/../b, path",
    "/a/./b, path",
    "s3://, region",
    "s3://bucket, region",
    "s3://?region=r, bucket",
    "s3://UPPER?region=r, bucket",
    "s3://ab?region=r, bucket",
    "s3://key:secret@bucket?region=r, bucket",
    "s3://bucket//a?region=r, prefix",
    "s3://bucket/../a?region=r, prefix",
    "s3://bucket/a b?region=r, prefix",
    "s3://bucket?region=, region",
    "s3://bucket?region=EU!, region",
    "s3://bucket?region=r&region=r, region",
    "s3://bucket?endpoint=, endpoint",
    "s3://bucket?endpoint=ftp://h, endpoint",
    "s3://bucket?endpoint=http://u:p@h, endpoint",
    "s3://bucket?endpoint=http://h/path, endpoint",
    "s3://bucket?endpoint=http://h h, endpoint",
    "s3://bucket?region=r&path-style=yes, path-style"
  })
  void namesTheFieldThatIsWrong(String text, String field) {
    assertThatThrownBy(() -> RepositoryAddress.parse(text))
        .isInstanceOf(SnapshotException.class)
        .hasMessageStartingWith(field + ": ")
        .satisfies(
            failure -> {
              SnapshotException refused = (SnapshotException) failure;
              assertThat(refused.kind()).isEqualTo(SnapshotException.Kind.INVALID);
              assertThat(refused.field()).isEqualTo(field);
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"s3://id:topsecret@bucket?region=r", "s3://b/x?endpoint=http://id:topsecret@h"})
  void repeatsNoSecrets(String text) {
    assertThatThrownBy(() -> RepositoryAddress.parse(text)).message().doesNotContain("topsecret");
  }

  @Test
  void opensWithTheCredentialsThatItNeeds() {
    RepositoryAddress s3 = RepositoryAddress.parse("s3://bucket?region=eu-west-1");
    assertThatThrownBy(() -> Repository.open(s3, null))
        .hasMessageContaining("--snapshot-access-key");
    RepositoryAddress directory = RepositoryAddress.parse("/tmp/x");
    Credentials credentials = new Credentials("id", "secret");
    assertThatThrownBy(() -> Repository.open(directory, credentials))
        .hasMessageContaining("needs none");
    Repository.open(s3, credentials).close();
    assertThatThrownBy(() -> new Credentials("", "x")).isInstanceOf(SnapshotException.class);
    assertThatThrownBy(() -> new Credentials("x", " ")).isInstanceOf(SnapshotException.class);
  }
}
