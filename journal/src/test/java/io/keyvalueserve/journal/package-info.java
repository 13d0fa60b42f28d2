/** Evidence for the journal: units, a model on a disk that crashes, damage, threads, fuzz. */
@NullMarked
package io.keyvalueserve.journal;

import org.jspecify.annotations.NullMarked;
