@NullMarked
package io.keyvalueserve.tenancy.ledger;

import org.jspecify.annotations.NullMarked;
