package io.keyvalueserve.maps;

import com.hazelcast.internal.util.Clock;
import io.keyvalueserve.store.Attributes;
import io.keyvalueserve.store.RecordVisitor;
import io.keyvalueserve.store.Records;

/** Tells the plain keys of records that have not expired. For one listing. */
final class KeyLister implements RecordVisitor {
  private static final int USUAL_BYTES = 128;

  private final LocalMap.KeySink sink;
  private final long nowMillis = Clock.currentTimeMillis();
  private byte[] bytes = new byte[USUAL_BYTES];
  private int visited;
  private boolean declines;

  KeyLister(LocalMap.KeySink sink) {
    this.sink = sink;
  }

  /** Returns the number of records visited. */
  int visited() {
    return visited;
  }

  /**
   * Returns whether the listing met a record of which only the writer knows whether it has expired.
   */
  boolean declines() {
    return declines;
  }

  @Override
  public void visit(long record) {
    visited++;
    if (Records.expires(record)) {
      declines = declines || Records.maxIdle(record) != Attributes.NEVER;
      if (Records.expiresAt(record) <= nowMillis) {
        return;
      }
    }
    int form = Records.keyForm(record);
    if (Records.extra(record) != 0 || (form != DataForm.STRING && form != DataForm.BYTES)) {
      return; // lies where no plain key leads, or is none
    }
    int length = Records.keyLength(record);
    if (bytes.length < length) {
      bytes = new byte[length];
    }
    Records.copyKey(record, bytes, 0);
    sink.key(form == DataForm.STRING, bytes, length);
  }
}
