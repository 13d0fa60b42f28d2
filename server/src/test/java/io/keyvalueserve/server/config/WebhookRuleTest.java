package io.keyvalueserve.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookRuleTest {
  private static final WebhookRule USUAL = new WebhookRule(false, false);
  private static final WebhookRule DEV = new WebhookRule(false, true);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://127.0.0.1:9/h",
        "http://127.8.7.6/",
        "http://[::1]:9/h",
        "HTTP://Localhost/"
      })
  void httpToTheMachineItselfIsForDevelopers(String url) {
    assertThat(USUAL.mistakeIn(url)).hasValueSatisfying(WebhookRuleTest::namesTheRemedy);
    assertThat(DEV.mistakeIn(url)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://ops.example.com/h",
        "http://10.0.0.1/h",
        "http://localhost.example.com/",
        "http://127.0.0.1.example.com/",
        "http://[::2]/"
      })
  void httpToOthersNeedsTheSetting(String url) {
    assertThat(DEV.mistakeIn(url)).hasValueSatisfying(WebhookRuleTest::namesTheRemedy);
    assertThat(new WebhookRule(true, false).mistakeIn(url)).isEmpty();
  }

  private static void namesTheRemedy(String mistake) {
    assertThat(mistake).contains("use https", "webhook.allow-http");
  }

  @Test
  void httpsMayGoAnywhere() {
    assertThat(USUAL.mistakeIn("https://ops.example.com/h")).isEmpty();
    assertThat(USUAL.mistakeIn("HTTPS://127.0.0.1/h")).isEmpty();
  }
}
