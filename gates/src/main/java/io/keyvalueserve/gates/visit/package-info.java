/**
 * The one gate of every request: {@link io.keyvalueserve.gates.visit.Visit} admits, charges, meters
 * and refuses for all doors. A door never asks an admission, a meter or a usage book by itself;
 * {@code ArchitectureTest} enforces this.
 */
@NullMarked
package io.keyvalueserve.gates.visit;

import org.jspecify.annotations.NullMarked;
