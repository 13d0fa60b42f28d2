/**
 * Snapshots of one tenant's data in a repository that several members share. The content is
 * encrypted with the tenant's own key and stored in chunks, each of them once.
 */
@NullMarked
package io.keyvalueserve.snapshots;

import org.jspecify.annotations.NullMarked;
