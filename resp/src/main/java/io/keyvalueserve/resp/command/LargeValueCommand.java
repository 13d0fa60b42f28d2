package io.keyvalueserve.resp.command;

/**
 * A command on keys that writes one value to its first key and returns nothing of it. A large value
 * can then be received where it is to stay, before the command is carried out.
 */
public interface LargeValueCommand extends KeyedCommand {
  /**
   * Returns the index of the argument that is the value.
   *
   * @param count how many arguments there are, the name included
   * @return -1 if it may be none with so many
   */
  int valueIndex(int count);

  /** Returns whether the value is written with a time, if there are so many arguments. */
  boolean hasTime(int count);
}
