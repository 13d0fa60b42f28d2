package io.keyvalueserve.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.joran.spi.JoranException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the configuration that is shipped makes of texts that tenants choose. */
class ShippedLogTest {
  private static final String FORGED =
      "a\r\n2026-01-01T00:00:00.000Z INFO  Administration - granted\u0085\u2028b\u001b[2J\u009b2J\u202ec\t\u0000\u007f";
  private static final String ESCAPED =
      "a\\r\\n2026-01-01T00:00:00.000Z INFO  Administration - granted\\u0085\\u2028b\\u001b[2J"
          + "\\u009b2J\\u202ec\\t\\u0000\\u007f";

  private final LoggerContext context = new LoggerContext();
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();

  @BeforeEach
  void configureAsShipped() throws JoranException {
    context.setMDCAdapter(new LogbackMDCAdapter());
    URL shipped = PlainMessage.class.getResource("/logback.xml");
    assertThat(shipped).isNotNull();
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(shipped);
    Appender<ILoggingEvent> appender =
        context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender("STDERR");
    assertThat(appender).isInstanceOf(ConsoleAppender.class);
    ((ConsoleAppender<ILoggingEvent>) appender).setOutputStream(written);
  }

  @AfterEach
  void stop() {
    context.stop();
  }

  private List<String> lines() {
    return written.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void aMessageIsOneLineWhateverItHolds() {
    context.getLogger("io.keyvalueserve.Some").info("granted {} on 'caf\u00e9 \u6f22'", FORGED);
    context.getLogger("io.keyvalueserve.Some").info(FORGED);
    assertThat(lines()).hasSize(2);
    assertThat(lines().getFirst())
        .matches("\\d{4}-\\d\\d-\\d\\dT\\S+ INFO {2}Some - granted .*")
        .endsWith(" - granted " + ESCAPED + " on 'caf\u00e9 \u6f22'");
    assertThat(lines().getLast()).endsWith(" INFO  Some - " + ESCAPED);
  }

  @Test
  void aStackTraceKeepsItsLinesAndTheMessagesInThemMakeNone() {
    IllegalStateException failure =
        new IllegalStateException(FORGED, new IOException(FORGED, new IOException((String) null)));
    failure.addSuppressed(new IllegalArgumentException(FORGED));
    context.getLogger("io.keyvalueserve.Some").error("failed: {}", FORGED, failure);
    List<String> lines = lines();
    assertThat(lines.getFirst()).endsWith(" ERROR Some - failed: " + ESCAPED);
    assertThat(lines.get(1)).isEqualTo("java.lang.IllegalStateException: " + ESCAPED);
    assertThat(lines.get(2)).startsWith("\tat ").contains("ShippedLogTest");
    assertThat(lines)
        .contains(
            "\tSuppressed: java.lang.IllegalArgumentException: " + ESCAPED,
            "Caused by: java.io.IOException: " + ESCAPED,
            "Caused by: java.io.IOException: null");
    assertThat(lines.subList(1, lines.size()))
        .allMatch(line -> line.matches("(java|Caused by: |\t).*"))
        .allMatch(line -> line.strip().chars().noneMatch(Character::isISOControl));
  }

  @Test
  void warningsOfTheHttpLibraryHaveOneLineAMinuteWithoutAStackTrace() {
    Logger library = context.getLogger("io.helidon.webserver.http1.Http1Connection");
    for (int i = 0; i < 100; i++) {
      library.warn("Internal {}", "x", new IllegalStateException("why", new IOException(FORGED)));
    }
    context.getLogger("io.helidon.webserver.Other").warn("another");
    assertThat(lines()).hasSize(2);
    assertThat(lines().getFirst())
        .endsWith(" WARN  Http1Connection - Internal x (java.io.IOException: " + ESCAPED + ")");
  }

  @Test
  void noOtherConfigurationIsShipped() throws IOException {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> modules = Files.newDirectoryStream(Path.of(".."))) {
      for (Path module : modules) {
        Path resources = module.resolve("src/main/resources");
        if (Files.isDirectory(resources)) {
          try (Stream<Path> files = Files.walk(resources)) {
            files.filter(file -> file.toString().matches(".*logback[^/]*")).forEach(found::add);
          }
        }
      }
    }
    assertThat(found).containsExactly(Path.of("../server/src/main/resources/logback.xml"));
  }
}
