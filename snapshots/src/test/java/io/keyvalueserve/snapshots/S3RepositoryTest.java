package io.keyvalueserve.snapshots;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A repository in a bucket: the rules of all, and what is said when the store fails. */
class S3RepositoryTest extends RepositoryContract {
  private static final AtomicInteger NEXT = new AtomicInteger();
  private static final S3Server SERVER = S3Server.start();

  private final RepositoryAddress.S3 address =
      SERVER.address("bucket-" + NEXT.incrementAndGet(), "some/prefix");
  private final Repository repository = Repository.open(address, S3Server.CREDENTIALS);

  @AfterAll
  static void stopServer() {
    SERVER.close();
  }

  @BeforeEach
  void createBucket() {
    SERVER.createBucket(address.bucket());
  }

  @AfterEach
  void closeRepository() {
    repository.close();
  }

  @Override
  Repository repository() {
    return repository;
  }

  @Test
  void staysBelowItsPrefix() {
    repository.write("a/b", new byte[1]);
    try (Repository whole =
            Repository.open(SERVER.address(address.bucket(), ""), S3Server.CREDENTIALS);
        Repository other =
            Repository.open(SERVER.address(address.bucket(), "some/pre"), S3Server.CREDENTIALS)) {
      assertThat(whole.list(""))
          .extracting(Repository.Item::name)
          .containsExactly("some/prefix/a/b");
      assertThat(other.list("")).isEmpty();
      assertThat(other.folders("")).isEmpty();
    }
  }

  @Test
  void saysThatThereIsNoSuchBucket() {
    try (Repository none =
        Repository.open(SERVER.address("no-such-bucket", ""), S3Server.CREDENTIALS)) {
      assertThatThrownBy(() -> none.write("a", new byte[1]))
          .hasMessageContaining("no-such-bucket does not exist")
          .extracting(RepositoryContract::kindOf)
          .isEqualTo(SnapshotException.Kind.NO_REPOSITORY);
      assertThatThrownBy(() -> none.list(""))
          .extracting(RepositoryContract::kindOf)
          .isEqualTo(SnapshotException.Kind.NO_REPOSITORY);
      assertThatThrownBy(none::check)
          .extracting(RepositoryContract::kindOf)
          .isEqualTo(SnapshotException.Kind.NO_REPOSITORY);
    }
  }

  @Test
  void saysThatTheCredentialsAreWrong() {
    for (Credentials wrong :
        new Credentials[] {
          new Credentials("other-access", S3Server.CREDENTIALS.secret()),
          new Credentials(S3Server.CREDENTIALS.accessKey(), "other-secret")
        }) {
      try (Repository denied = Repository.open(address, wrong)) {
        assertThatThrownBy(() -> denied.write("a", new byte[1]))
            .hasMessageContaining("credentials")
            .message()
            .doesNotContain(wrong.secret());
        assertThatThrownBy(() -> denied.find("a"))
            .extracting(RepositoryContract::kindOf)
            .isEqualTo(SnapshotException.Kind.DENIED);
      }
    }
  }

  @Test
  void saysThatTheServerIsAway() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    try (Repository away = S3Repository.open(at(port), S3Server.CREDENTIALS, SHORT)) {
      assertThatThrownBy(() -> away.read("a"))
          .hasMessageContaining("cannot be connected to")
          .extracting(RepositoryContract::kindOf)
          .isEqualTo(SnapshotException.Kind.UNAVAILABLE);
    }
  }

  @Test
  void saysThatTheServerDoesNotAnswer() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Repository waiting =
            S3Repository.open(at(silent.getLocalPort()), S3Server.CREDENTIALS, SHORT)) {
      assertThatThrownBy(() -> waiting.read("a"))
          .hasMessageContaining("did not answer in time")
          .extracting(RepositoryContract::kindOf)
          .isEqualTo(SnapshotException.Kind.UNAVAILABLE);
    }
  }

  @Test
  void saysThatTheHostIsUnknown() {
    RepositoryAddress.S3 unknown =
        new RepositoryAddress.S3(
            "bucket", "", URI.create("http://no-such-host.invalid"), "us-east-1", true);
    try (Repository away = S3Repository.open(unknown, S3Server.CREDENTIALS, SHORT)) {
      assertThatThrownBy(() -> away.read("a"))
          .extracting(RepositoryContract::kindOf)
          .isEqualTo(SnapshotException.Kind.UNAVAILABLE);
    }
  }

  private static final S3Repository.Patience SHORT =
      new S3Repository.Patience(
          Duration.ofMillis(300),
          Duration.ofMillis(200),
          Duration.ofSeconds(1),
          Duration.ofSeconds(3));

  private static RepositoryAddress.S3 at(int port) {
    return new RepositoryAddress.S3(
        "bucket", "", URI.create("http://127.0.0.1:" + port), "us-east-1", true);
  }
}
