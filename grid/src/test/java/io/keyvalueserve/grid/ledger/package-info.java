@NullMarked
package io.keyvalueserve.grid.ledger;

import org.jspecify.annotations.NullMarked;
