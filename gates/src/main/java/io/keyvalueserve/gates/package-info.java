/**
 * Gates: whether a request may run, when, and in whose turn.
 *
 * <p>Every request of every door goes through a {@link io.keyvalueserve.gates.visit.Visit}, which
 * asks the other parts: quotas and rates ({@code admission}), turns between tenants ({@code
 * fairness}), bytes of the Java heap ({@code heap}), connections without a key ({@code peer}),
 * reserved members ({@code reservation}), latency ({@code latency}), and the policy of taking
 * memory back ({@code reclaim}). {@link io.keyvalueserve.gates.policy.TenantPolicy} holds these
 * parts.
 *
 * <p>Pure logic over ports: no protocol, no network and no engine belongs here.
 */
@NullMarked
package io.keyvalueserve.gates;

import org.jspecify.annotations.NullMarked;
