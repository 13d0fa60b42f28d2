package io.keyvalueserve.bench;

/** What a checker allows a write to do whose outcome is unknown. */
enum UnknownWrites {
  /** It takes effect once, at any time after its call, or never. */
  TAKE_EFFECT_OR_NOT,

  /**
   * Like {@link #TAKE_EFFECT_OR_NOT}, but it may be undone once after it took effect. This happens
   * if a member is lost that carried it out and sent it to no backup. Others may have seen it.
   *
   * <p>An undo takes back all writes since then too, and ends at the latest with the last
   * acknowledged operation that changed the key: a backup had that one and all before it. An
   * acknowledged operation that changed nothing prevents no undo.
   */
  MAY_BE_UNDONE
}
