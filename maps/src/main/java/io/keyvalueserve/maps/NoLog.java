package io.keyvalueserve.maps;

/** Keeps nothing. */
class NoLog implements EntryLog {
  @Override
  public boolean keepsRecords() {
    return false;
  }

  @Override
  public boolean isWanted() {
    return false;
  }

  @Override
  public void keepRecords(boolean keep) {
    throw new UnsupportedOperationException("the member has no log");
  }

  @Override
  public long forget() {
    return 0;
  }

  @Override
  public boolean hasRoom(int bytes) {
    return true;
  }

  @Override
  public boolean takesAtOnce(int bytes, boolean answerWaits) {
    return true;
  }

  @Override
  public void admit() {}

  @Override
  public void admitRemoval() {}

  @Override
  public void admitClearing() {}

  @Override
  public boolean holdsAnswers() {
    return false;
  }

  @Override
  public long written(long record) {
    return 0;
  }

  @Override
  public boolean isDrafted(int bytes) {
    return false;
  }

  @Override
  public Draft draft(long record) {
    throw new IllegalStateException("there is no log");
  }

  @Override
  public long written(long record, Draft draft) {
    throw new IllegalStateException("there is no log");
  }

  @Override
  public long writtenAnew(long record) {
    throw new IllegalStateException("there is no log");
  }

  @Override
  public long removing(long record) {
    return 0;
  }

  @Override
  public long clearing() {
    return 0;
  }

  @Override
  public void left(long position, int bytes) {}

  @Override
  public void requireReading() {}

  @Override
  public void read(long position, int bytes, Image to) {
    throw new IllegalStateException("there is no log");
  }
}
