@org.jspecify.annotations.NullMarked
package io.keyvalueserve.tenancy.log;
