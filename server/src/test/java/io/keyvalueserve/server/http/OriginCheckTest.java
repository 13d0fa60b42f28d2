package io.keyvalueserve.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which pages' changes pass. */
class OriginCheckTest {
  private static final String HOST = "kvs.example:8080";

  private final OriginCheck check = new OriginCheck(List.of("https://ops.example"));

  @Test
  void clientsThatAreNoBrowsersPass() {
    assertThat(check.refused(null, "", HOST)).isNull();
    assertThat(check.refused(null, "none", HOST)).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "http://kvs.example:8080,'',kvs.example:8080",
    "http://kvs.example:8080,same-origin,KVS.example:8080",
    "http://kvs.example,'',kvs.example:80",
    "http://[::1]:8080,'',[::1]:8080",
    "https://kvs.example,same-origin,kvs.example",
    "https://kvs.example,same-origin,kvs.example:443",
    "https://ops.example,cross-site,kvs.example:8080",
    "https://OPS.example,'',kvs.example:8080",
  })
  void ownAndListedPagesPass(String origin, String site, String host) {
    assertThat(check.refused(origin, site, host)).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "http://evil.example,''",
    "http://evil.example,cross-site",
    "http://kvs.example,same-site",
    "http://kvs.example:8081,same-site",
    "https://kvs.example:8080,''",
    "https://kvs.example:8080,cross-site",
    "http://kvs.example:8080.evil.example,''",
    "https://ops.example.evil.example,''",
    "http://ops.example,''",
    "null,''",
    "'',''",
  })
  void foreignPagesDoNot(String origin, String site) {
    assertThat(check.refused(origin, site, HOST)).isEqualTo(origin);
  }

  @Test
  void pagesThatNameNoOriginAreJudgedByTheirSite() {
    assertThat(check.refused(null, "cross-site", HOST)).contains("cross-site");
    assertThat(check.refused(null, "same-site", HOST)).contains("same-site");
    assertThat(check.refused(null, "same-origin", HOST)).isNull();
  }
}
