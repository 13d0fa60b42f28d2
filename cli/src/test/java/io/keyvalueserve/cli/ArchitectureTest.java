package io.keyvalueserve.cli;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.keyvalueserve.billing.metering.UsageBook;
import io.keyvalueserve.gates.TenantMeters;
import io.keyvalueserve.gates.admission.Admission;
import io.keyvalueserve.tenancy.SessionRegistry;

/** The walls of the house: see ARCHITECTURE.md. */
@AnalyzeClasses(
    packages = {"io.keyvalueserve", "com.hazelcast"},
    importOptions = {DoNotIncludeTests.class, ArchitectureTest.Ours.class})
class ArchitectureTest {
  /** Leaves out Hazelcast's own jar, and jars of tests. */
  static final class Ours implements ImportOption {
    @Override
    public boolean includes(Location location) {
      String place = location.asURI().toString();
      return !place.contains("/hazelcast-") && !place.contains("-tests.jar");
    }
  }

  /** The modules in the order of their arrows, and for each those that may see it. */
  @ArchTest
  static final ArchRule arrowsPointDownwardsOnly =
      layeredArchitecture()
          .consideringOnlyDependenciesInAnyPackage("io.keyvalueserve..")
          .layer("memory")
          .definedBy("io.keyvalueserve.memory..")
          .layer("lua")
          .definedBy("io.keyvalueserve.lua..")
          .layer("store")
          .definedBy("io.keyvalueserve.store..")
          .layer("journal")
          .definedBy("io.keyvalueserve.journal..")
          .layer("tenancy")
          .definedBy("io.keyvalueserve.tenancy..")
          .layer("engine")
          .definedBy("io.keyvalueserve.engine..")
          .layer("billing")
          .definedBy("io.keyvalueserve.billing..")
          .layer("stores")
          .definedBy("io.keyvalueserve.stores..")
          .layer("snapshots")
          .definedBy("io.keyvalueserve.snapshots..")
          .layer("gates")
          .definedBy("io.keyvalueserve.gates..")
          .layer("sql")
          .definedBy("io.keyvalueserve.sql..")
          .layer("maps")
          .definedBy("io.keyvalueserve.maps..")
          .layer("grid")
          .definedBy("io.keyvalueserve.grid..")
          .layer("hazelcast")
          .definedBy("io.keyvalueserve.hazelcast..")
          .layer("resp")
          .definedBy("io.keyvalueserve.resp..")
          .layer("postgres")
          .definedBy("io.keyvalueserve.postgres..")
          .layer("server")
          .definedBy("io.keyvalueserve.server..")
          .layer("cli")
          .definedBy("io.keyvalueserve.cli..")
          .whereLayer("cli")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("server")
          .mayOnlyBeAccessedByLayers("cli")
          .whereLayer("resp")
          .mayOnlyBeAccessedByLayers("server")
          .whereLayer("postgres")
          .mayOnlyBeAccessedByLayers("server")
          .whereLayer("sql")
          .mayOnlyBeAccessedByLayers("hazelcast", "postgres", "server")
          .whereLayer("hazelcast")
          .mayOnlyBeAccessedByLayers("server")
          .whereLayer("grid")
          .mayOnlyBeAccessedByLayers("hazelcast", "server")
          .whereLayer("maps")
          .mayOnlyBeAccessedByLayers("grid", "hazelcast", "server")
          .whereLayer("gates")
          .mayOnlyBeAccessedByLayers(
              "sql", "maps", "grid", "hazelcast", "resp", "postgres", "server")
          .whereLayer("billing")
          .mayOnlyBeAccessedByLayers(
              "gates", "sql", "grid", "hazelcast", "resp", "postgres", "server", "cli")
          .whereLayer("stores")
          .mayOnlyBeAccessedByLayers("grid", "server")
          .whereLayer("snapshots")
          .mayOnlyBeAccessedByLayers("grid", "server")
          .whereLayer("engine")
          .mayOnlyBeAccessedByLayers(
              "sql", "maps", "grid", "hazelcast", "resp", "postgres", "server")
          .whereLayer("store")
          .mayOnlyBeAccessedByLayers("maps", "grid")
          .whereLayer("journal")
          .mayOnlyBeAccessedByLayers("maps", "grid", "server", "cli")
          .whereLayer("lua")
          .mayOnlyBeAccessedByLayers("resp")
          .whereLayer("memory")
          .mayOnlyBeAccessedByLayers("store", "journal", "maps", "grid", "server")
          .whereLayer("tenancy")
          .mayOnlyBeAccessedByLayers(
              "engine",
              "billing",
              "gates",
              "sql",
              "maps",
              "grid",
              "hazelcast",
              "resp",
              "postgres",
              "server",
              "cli");

  @ArchTest
  static final ArchRule modulesHaveNoCycles =
      slices().matching("io.keyvalueserve.(*)..").should().beFreeOfCycles();

  /** Hazelcast's packages too: what of them is in maps knows nothing of the grid or the doors. */
  @ArchTest
  static final ArchRule classesBesideHazelcastsKnowNoDoor =
      noClasses()
          .that()
          .resideInAPackage("com.hazelcast..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.keyvalueserve.hazelcast..",
              "io.keyvalueserve.resp..",
              "io.keyvalueserve.server..",
              "io.keyvalueserve.cli..");

  @ArchTest
  static final ArchRule hazelcastIsKnownToThreeModulesOnly =
      noClasses()
          .that()
          .resideInAPackage("io.keyvalueserve..")
          .and()
          .resideOutsideOfPackages(
              "io.keyvalueserve.maps..", "io.keyvalueserve.grid..", "io.keyvalueserve.hazelcast..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("com.hazelcast..");

  @ArchTest
  static final ArchRule nettyIsKnownToTwoDoorsOnly =
      noClasses()
          .that()
          .resideInAPackage("io.keyvalueserve..")
          .and()
          .resideOutsideOfPackages("io.keyvalueserve.resp..", "io.keyvalueserve.postgres..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.netty..");

  @ArchTest
  static final ArchRule calciteIsKnownToSqlOnly =
      noClasses()
          .that()
          .resideInAPackage("io.keyvalueserve..")
          .and()
          .resideOutsideOfPackage("io.keyvalueserve.sql..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.apache.calcite..");

  @ArchTest
  static final ArchRule databasesAreKnownToStoresOnly =
      noClasses()
          .that()
          .resideInAPackage("io.keyvalueserve..")
          .and()
          .resideOutsideOfPackage("io.keyvalueserve.stores..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("javax.sql..", "com.zaxxer..", "org.postgresql..");

  /** A door that admitted, charged or metered by itself could forget one of them. */
  @ArchTest
  static final ArchRule doorsAdmitChargeAndMeterThroughVisitsOnly =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.keyvalueserve.hazelcast..",
              "io.keyvalueserve.resp..",
              "io.keyvalueserve.postgres..",
              "io.keyvalueserve.server.http..")
          .should()
          .callMethodWhere(
              target(owner(assignableTo(Admission.class)))
                  .and(target(nameMatching("admit|charge|sent"))))
          .orShould()
          .callMethodWhere(
              target(owner(assignableTo(TenantMeters.class))).and(target(nameMatching("meter"))))
          .orShould()
          .callMethodWhere(
              target(owner(assignableTo(UsageBook.class))).and(target(nameMatching("meter"))))
          .orShould()
          .callMethodWhere(
              target(owner(assignableTo(SessionRegistry.class)))
                  .and(target(nameMatching("register"))));

  /** Of the server, only what starts one is known to the command line: the rest is HTTP. */
  @ArchTest
  static final ArchRule theCommandLineKnowsNoDoor =
      noClasses()
          .that()
          .resideInAPackage("io.keyvalueserve.cli..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.keyvalueserve.server.http..");

  @ArchTest
  static final ArchRule helidonIsKnownToTheHttpDoorOnly =
      noClasses()
          .that()
          .resideInAPackage("io.keyvalueserve..")
          .and()
          .resideOutsideOfPackage("io.keyvalueserve.server.http..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.helidon..");

  @ArchTest
  static final ArchRule addressesAreTouchedByMemoryStoreAndJournalOnly =
      noClasses()
          .that()
          .resideInAPackage("io.keyvalueserve..")
          .and()
          .resideOutsideOfPackages(
              "io.keyvalueserve.memory..", "io.keyvalueserve.store..", "io.keyvalueserve.journal..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("java.lang.foreign..");

  @ArchTest
  static final ArchRule nobodyReachesForUnsafe =
      noClasses()
          .that()
          .resideInAPackage("io.keyvalueserve..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("sun.misc..", "jdk.internal..");
}
