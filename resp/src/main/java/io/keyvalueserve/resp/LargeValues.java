package io.keyvalueserve.resp;

import io.keyvalueserve.engine.StagedValue;
import io.keyvalueserve.resp.command.CommandTable;
import io.keyvalueserve.resp.command.LargeValueCommand;
import io.keyvalueserve.resp.protocol.Staging;
import org.jspecify.annotations.Nullable;

/**
 * Room for the large values that one connection sends, in the map that it has selected when they
 * begin to come. On the connection's event loop.
 */
final class LargeValues implements Staging {
  private final CommandTable commands;
  private final RespClient client;

  LargeValues(CommandTable commands, RespClient client) {
    this.commands = commands;
    this.client = client;
  }

  @Override
  public boolean mayStage(byte[][] arguments, int index, int announced) {
    LargeValueCommand command = index > 1 ? command(arguments) : null;
    return command != null && command.valueIndex(announced) == index && client.isAuthenticated();
  }

  @Override
  public @Nullable StagedValue stage(byte[][] arguments, int announced, int length) {
    LargeValueCommand command = command(arguments);
    return command == null
        ? null
        : client.direct().stage(arguments[1], length, command.hasTime(announced));
  }

  private @Nullable LargeValueCommand command(byte[][] arguments) {
    return commands.find(arguments[0]) instanceof LargeValueCommand command ? command : null;
  }
}
