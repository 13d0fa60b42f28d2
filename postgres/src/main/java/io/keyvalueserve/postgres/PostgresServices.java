package io.keyvalueserve.postgres;

import io.keyvalueserve.engine.query.QueryCatalog;
import io.keyvalueserve.gates.policy.TenantPolicy;
import io.keyvalueserve.sql.SqlService;
import io.keyvalueserve.tenancy.Identity;
import java.util.function.Function;

/**
 * The services that a {@link PostgresServer} needs of its member.
 *
 * @param sql carries statements out
 * @param catalogs the tables that a tenant can name; may block
 * @param policy what every door asks
 * @param version the product's, which clients are told
 */
public record PostgresServices(
    SqlService sql,
    Function<Identity, QueryCatalog> catalogs,
    TenantPolicy policy,
    String version) {}
