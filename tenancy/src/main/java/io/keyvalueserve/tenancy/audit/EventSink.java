package io.keyvalueserve.tenancy.audit;

import java.io.IOException;

/** A receiver of a part of the trail, oldest event first. */
interface EventSink {
  /** An event; false to be given no more of this part. */
  boolean event(AuditEvent event) throws IOException;

  /** A line that was skipped. */
  void damaged(DamagedLine line);
}
