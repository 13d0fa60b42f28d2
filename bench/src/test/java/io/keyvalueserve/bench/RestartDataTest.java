package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Goal: a server that did not bring all back is found. Method: take something from a Redis. */
class RestartDataTest {
  private static final RestartData DATA = new RestartData(100_000, 239);

  @TempDir private Path folder;
  private Contender redis;

  @BeforeEach
  void start() {
    Programs installed = Programs.here();
    assumeThat(installed.find(Program.REDIS)).as("redis-server is installed").isPresent();
    Path binary = installed.find(Program.REDIS).orElseThrow();
    redis = Program.REDIS.start(folder.resolve("redis"), binary, 239);
  }

  @AfterEach
  void end() {
    if (redis != null) {
      redis.close();
    }
  }

  @Test
  void findsWhatIsMissingOrAnother() throws IOException {
    DATA.fill(() -> new RespConnection(redis.port()));
    try (RespConnection connection = new RespConnection(redis.port())) {
      DATA.check(connection);
      connection.call("SET", Load.key(7), "another");
      assertThatThrownBy(() -> DATA.check(connection)).hasMessageContaining(Load.key(7));
      connection.call("DEL", Load.key(7));
      assertThatThrownBy(() -> DATA.check(connection)).hasMessageContaining("DBSIZE");
    }
  }

  @Test
  void noTwoValuesAreAlike() {
    assertThat(List.of(DATA.value(1), DATA.value(2), DATA.value(3)))
        .doesNotHaveDuplicates()
        .allMatch(value -> value.length == 239);
    assertThat(DATA.value(1)).isEqualTo(DATA.value(1));
  }
}
