package io.keyvalueserve.grid.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.logging.AbstractLogger;
import com.hazelcast.logging.ILogger;
import com.hazelcast.logging.LogEvent;
import io.keyvalueserve.tenancy.log.LogLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BoundedLoggerTest {
  private static final String TASKS = "com.hazelcast.client.impl.protocol.task.";

  private final Recorder recorder = new Recorder();
  private final TenantErrors errors = new TenantErrors();
  private final LogLimit unauthenticated = LogLimit.aMinute(1);

  private ILogger logger(String name) {
    return new BoundedLogger(name, recorder, errors, unauthenticated);
  }

  @Test
  void messagesOfClientsWithoutAKeyHaveOneLineAMinuteWhateverTheyAsk() {
    String message =
        "Client ClientEndpoint{" + "x".repeat(600) + "} must authenticate before any operation.";
    for (String task :
        List.of("map.MapGetMessageTask", "map.MapPutMessageTask", "PingMessageTask")) {
      ILogger logger = logger(TASKS + task);
      for (int i = 0; i < 100; i++) {
        logger.severe("Client " + i + " must authenticate before any operation.");
        logger.severe(message);
      }
    }
    assertThat(recorder.lines).containsExactly("Client 0 must authenticate before any operation.");
  }

  @Test
  void aConnectionThatClosesHasOneLineAndOneOfNobodyNone() {
    ILogger logger = logger("com.hazelcast.internal.server.tcp.TcpServerConnection");
    Exception reset = new java.net.SocketException("Connection reset");
    logger.warning("Connection[id=1, qualifier={type='MEMBER'}, endpoint=null] closed", reset);
    assertThat(recorder.lines).isEmpty();
    logger.warning("Connection[id=2, qualifier={type='MEMBER'}, endpoint=[a]:1] closed", reset);
    assertThat(recorder.lines)
        .containsExactly(
            "Connection[id=2, qualifier={type='MEMBER'}, endpoint=[a]:1] closed"
                + " (java.net.SocketException: Connection reset)");
  }

  @Test
  void partitionsThatMoveToAMemberThatStartsHaveOneLineAMinute() {
    ILogger moves = logger("com.hazelcast.internal.partition.impl.MigrationManagerImpl");
    for (int i = 0; i < 10; i++) {
      moves.warning("Migration failed: MigrationInfo{uuid=" + i + "}");
      moves.warning("operation is received before startup is completed. Sender: " + i);
    }
    assertThat(recorder.lines).containsExactly("Migration failed: MigrationInfo{uuid=0}");
    moves.warning("a partition cannot be assigned");
    assertThat(recorder.lines).hasSize(2);
  }

  @Test
  void otherErrorsKeepTheirLines() {
    ILogger logger = logger(TASKS + "map.MapGetMessageTask");
    for (int i = 0; i < 100; i++) {
      logger.severe("the disk is full");
    }
    assertThat(recorder.lines).hasSize(60).containsOnly("the disk is full");
  }

  private static final class Recorder extends AbstractLogger {
    final List<String> lines = new ArrayList<>();

    @Override
    public void log(Level level, String message) {
      lines.add(message);
    }

    @Override
    public void log(Level level, String message, @Nullable Throwable thrown) {
      lines.add(message + " " + thrown);
    }

    @Override
    @SuppressWarnings("removal") // Hazelcast's interface demands it
    public void log(LogEvent event) {
      lines.add(event.getLogRecord().getMessage());
    }

    @Override
    public Level getLevel() {
      return Level.INFO;
    }

    @Override
    public boolean isLoggable(Level level) {
      return level.intValue() >= Level.INFO.intValue();
    }
  }
}
