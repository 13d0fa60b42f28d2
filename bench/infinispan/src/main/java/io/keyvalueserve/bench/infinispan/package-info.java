/** Infinispan as a peer of the bench: started by it, on a class path of its own. */
@NullMarked
package io.keyvalueserve.bench.infinispan;

import org.jspecify.annotations.NullMarked;
