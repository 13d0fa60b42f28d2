package io.keyvalueserve.engine;

import io.keyvalueserve.tenancy.grant.Rights;

/**
 * What a tenant needs to be granted for a command on another's key. To learn anything of a value,
 * its length and its expiry included, is to read; whoever may write a key may learn whether it is
 * there.
 */
final class CommandRights {
  private CommandRights() {}

  /** The rights that the command needs, all of them. */
  static Rights of(KeyCommand command) {
    return switch (command) {
      case KeyCommand.Read _, KeyCommand.Probe _ -> Rights.READ;
      case KeyCommand.Write write -> write.returnPrevious() ? Rights.READ_WRITE : Rights.WRITE;
      case KeyCommand.Remove remove -> remove.returnPrevious() ? Rights.READ_WRITE : Rights.WRITE;
      case KeyCommand.WriteIf write -> rights(write.match());
      case KeyCommand.RemoveIf remove -> rights(remove.match());
      case KeyCommand.Expire expire ->
          expire.condition() == ExpireCondition.ALWAYS ? Rights.WRITE : Rights.READ_WRITE;
      case KeyCommand.ReadAndExpire both -> both.writes() ? Rights.READ_WRITE : Rights.READ;
      case KeyCommand.Increment _,
          KeyCommand.IncrementDecimal _,
          KeyCommand.Append _,
          KeyCommand.Overwrite _ ->
          Rights.READ_WRITE;
    };
  }

  /** Whether a value has a tag says what the value is. */
  private static Rights rights(ValueMatch match) {
    return match.kind() == ValueMatch.Kind.TAGGED ? Rights.READ_WRITE : Rights.WRITE;
  }
}
