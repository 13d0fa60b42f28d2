@NullMarked
package io.keyvalueserve.billing.ledger;

import org.jspecify.annotations.NullMarked;
