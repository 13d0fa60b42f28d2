/** Evidence for the store: model, stress, fuzz, and the bench. */
@NullMarked
package io.keyvalueserve.store;

import org.jspecify.annotations.NullMarked;
