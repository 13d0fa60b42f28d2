package io.keyvalueserve.resp.command;

/**
 * What a command on keys also is if it writes one value to its first key and tells nothing of it:
 * then a large value can be received where it is to stay, before the command is carried out.
 */
public interface LargeValueCommand extends KeyedCommand {
  /**
   * Which argument the value is.
   *
   * @param count how many arguments there are, the name included
   * @return -1 if it may be none with so many
   */
  int valueIndex(int count);

  /** Whether it is written with a time, if there are so many arguments. */
  boolean hasTime(int count);
}
