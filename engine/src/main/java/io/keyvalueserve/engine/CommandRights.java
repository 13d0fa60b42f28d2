package io.keyvalueserve.engine;

import io.keyvalueserve.tenancy.grant.Rights;

/**
 * The rights that a tenant needs for a command on another tenant's key. Learning anything about a
 * value, its length and its expiry included, is reading. A tenant that may write a key may learn
 * whether it exists.
 */
final class CommandRights {
  private CommandRights() {}

  /** The rights that the command needs, all of them. */
  static Rights of(KeyCommand command) {
    return switch (command) {
      case KeyCommand.Read _, KeyCommand.Probe _ -> Rights.READ;
      case KeyCommand.Write write -> write.returnPrevious() ? Rights.READ_WRITE : Rights.WRITE;
      case KeyCommand.WriteCollection _ -> Rights.WRITE;
      case KeyCommand.Remove remove -> remove.returnPrevious() ? Rights.READ_WRITE : Rights.WRITE;
      case KeyCommand.WriteIf write -> rights(write.match());
      case KeyCommand.RemoveIf remove -> rights(remove.match());
      case KeyCommand.Expire expire ->
          expire.condition() == ExpireCondition.ALWAYS ? Rights.WRITE : Rights.READ_WRITE;
      case KeyCommand.Operate operate -> operate.writes() ? Rights.READ_WRITE : Rights.READ;
      case KeyCommand.ReadAndExpire both -> both.writes() ? Rights.READ_WRITE : Rights.READ;
      case KeyCommand.Increment _,
          KeyCommand.IncrementDecimal _,
          KeyCommand.Append _,
          KeyCommand.Overwrite _ ->
          Rights.READ_WRITE;
      case KeyCommand.OnCollection on -> rights(on);
    };
  }

  /**
   * Returns the rights for an operation on a collection. One that replaces it tells nothing of it.
   */
  private static Rights rights(KeyCommand.OnCollection on) {
    if (on.operation().replaces()) {
      return Rights.WRITE;
    }
    return on.writes() ? Rights.READ_WRITE : Rights.READ;
  }

  /**
   * Returns the rights to change an entry under a condition. A condition on a value's tag reveals
   * the value, so it needs the right to read.
   */
  private static Rights rights(ValueMatch match) {
    return match.kind() == ValueMatch.Kind.TAGGED ? Rights.READ_WRITE : Rights.WRITE;
  }
}
