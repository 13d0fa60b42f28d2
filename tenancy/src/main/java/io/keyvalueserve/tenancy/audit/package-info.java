/**
 * The audit trail of one member: who created, suspended and deleted tenants, made and revoked
 * access keys, granted and revoked rights, forced locks open and changed quotas; who was let in and
 * who was not; and what was refused to whom.
 *
 * <p>The chapter reads in this order: {@link io.keyvalueserve.tenancy.audit.Occurrence} and {@link
 * io.keyvalueserve.tenancy.audit.AuditEvent} (the words), {@link
 * io.keyvalueserve.tenancy.audit.AuditLog} (recording and asking), {@code AuditWriter} (the one
 * thread), {@code Coalescer} (what keeps a client in a loop from filling the disk), {@code
 * FileTrail} (the files, and what is done when the disk fails).
 *
 * <p>The files are lines of JSON, {@code audit-<first sequence>.jsonl}, so that any tool reads
 * them.
 */
@NullMarked
package io.keyvalueserve.tenancy.audit;

import org.jspecify.annotations.NullMarked;
