package io.keyvalueserve.grid.external;

import io.keyvalueserve.grid.catalogue.SecretSeal.SealException;
import io.keyvalueserve.maps.ExternalStoreException;
import io.keyvalueserve.stores.StoreException;
import io.keyvalueserve.tenancy.log.LogLimit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts the failures of databases into words: all for the operator, less for tenants. */
final class StoreProblems {
  private static final Logger LOG = LoggerFactory.getLogger(StoreProblems.class);
  private static final LogLimit LINES = LogLimit.aMinute(10);

  private StoreProblems() {}

  /** Returns what a client is told whose request needs a database that does not answer. */
  static ExternalStoreException forClient(RuntimeException failure) {
    return isMisconfigured(failure)
        ? ExternalStoreException.unreachable(
            "the external store of the map is misconfigured; ask the operator to check it")
        : ExternalStoreException.unreachable(
            "the external store of the map cannot be reached; try again later");
  }

  private static boolean isMisconfigured(RuntimeException failure) {
    return failure instanceof NoStoreException
        || failure instanceof SealException
        || (failure instanceof StoreException known
            && known.kind() == StoreException.Kind.MISCONFIGURED);
  }

  private static boolean isExpected(RuntimeException failure) {
    return failure instanceof StoreException || isMisconfigured(failure);
  }

  /** Returns what the operator is told. */
  static String forOperator(RuntimeException failure) {
    return isExpected(failure)
        ? String.valueOf(failure.getMessage())
        : "internal error, see the member's log";
  }

  /** Logs a failure, with a stack trace if nobody expects it. */
  static void log(String map, String what, RuntimeException failure) {
    long before = LINES.take();
    if (before < 0) {
      LOG.debug("{}: map={}", what, map, failure);
    } else if (isExpected(failure)) {
      LOG.warn(
          "{}: map={}: {}; lines left out before: {}", what, map, failure.getMessage(), before);
    } else {
      LOG.error("{}: map={}; lines left out before: {}", what, map, before, failure);
    }
  }
}
