package io.keyvalueserve.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The walls of the house: see ARCHITECTURE.md. */
@AnalyzeClasses(
    packages = {"io.keyvalueserve", "com.hazelcast.map.impl"},
    importOptions = {DoNotIncludeTests.class})
class ArchitectureTest {
  @ArchTest
  static final ArchRule arrowsPointDownwardsOnly =
      layeredArchitecture()
          .consideringOnlyDependenciesInAnyPackage("io.keyvalueserve..")
          .layer("memory")
          .definedBy("io.keyvalueserve.memory..")
          .layer("store")
          .definedBy("io.keyvalueserve.store..")
          .layer("journal")
          .definedBy("io.keyvalueserve.journal..")
          .layer("tenancy")
          .definedBy("io.keyvalueserve.tenancy..")
          .layer("engine")
          .definedBy("io.keyvalueserve.engine..")
          .layer("grid")
          .definedBy("io.keyvalueserve.grid..")
          .layer("gateway")
          .definedBy("io.keyvalueserve.gateway..")
          .layer("server")
          .definedBy("io.keyvalueserve.server..")
          .whereLayer("server")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("gateway")
          .mayOnlyBeAccessedByLayers("server")
          .whereLayer("grid")
          .mayOnlyBeAccessedByLayers("server")
          .whereLayer("engine")
          .mayOnlyBeAccessedByLayers("grid", "gateway", "server")
          .whereLayer("store")
          .mayOnlyBeAccessedByLayers("grid")
          .whereLayer("journal")
          .mayOnlyBeAccessedByLayers("grid", "server")
          .whereLayer("memory")
          .mayOnlyBeAccessedByLayers("store", "journal", "grid", "server")
          .whereLayer("tenancy")
          .mayOnlyBeAccessedByLayers("engine", "grid", "gateway", "server");

  @ArchTest
  static final ArchRule modulesHaveNoCycles =
      slices().matching("io.keyvalueserve.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule hazelcastIsKnownToTheGridOnly =
      noClasses()
          .that()
          .resideInAPackage("io.keyvalueserve..")
          .and()
          .resideOutsideOfPackage("io.keyvalueserve.grid..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("com.hazelcast..");

  @ArchTest
  static final ArchRule nettyIsKnownToTheGatewayOnly =
      noClasses()
          .that()
          .resideInAPackage("io.keyvalueserve..")
          .and()
          .resideOutsideOfPackage("io.keyvalueserve.gateway..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.netty..");

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
