package io.keyvalueserve.sql.service;

import io.keyvalueserve.engine.query.QueryCatalog;
import io.keyvalueserve.sql.QueryHeap;
import io.keyvalueserve.sql.QueryTurns;
import io.keyvalueserve.sql.SlowStatements;
import io.keyvalueserve.sql.SqlLimits;
import io.keyvalueserve.sql.plan.Planner;
import io.keyvalueserve.tenancy.Identity;
import java.util.function.Function;

/**
 * The parts that all sessions of a member share.
 *
 * @param slowNanos from how long on a statement is slow
 */
record Parts(
    Function<Identity, QueryCatalog> catalogs,
    Planner planner,
    PlanCache cache,
    Runs runs,
    QueryTurns turns,
    QueryHeap heap,
    SqlLimits limits,
    long slowNanos,
    SlowStatements slow) {}
