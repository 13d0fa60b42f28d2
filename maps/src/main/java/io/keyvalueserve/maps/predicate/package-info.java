/**
 * The predicates of clients, as members read them: none takes memory for what it only names, and
 * none takes more steps on a value than a few for each of its characters.
 */
@NullMarked
package io.keyvalueserve.maps.predicate;

import org.jspecify.annotations.NullMarked;
