package dev.leeway.docs;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who may import whom; the table in ARCHITECTURE.md. */
class ModuleBordersTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.leeway");

  private static final List<String> ROOMS =
      List.of(
          "annotation",
          "statement",
          "gate",
          "routing",
          "proxy",
          "queue",
          "http",
          "testkit",
          "samples",
          "cli");

  @Test
  void everyRoomIsLookedAt() {
    for (String room : ROOMS) {
      assertThat(
              CLASSES.stream().anyMatch(c -> c.getPackageName().startsWith("dev.leeway." + room)))
          .as("classes of %s on the class path", room)
          .isTrue();
    }
  }

  @Test
  void aRoomKnowsOnlyTheRoomsBelowIt() {
    layeredArchitecture()
        .consideringOnlyDependenciesInAnyPackage("dev.leeway..")
        .layer("annotation")
        .definedBy("dev.leeway.annotation..")
        .layer("statement")
        .definedBy("dev.leeway.statement..")
        .layer("gate")
        .definedBy("dev.leeway.gate..")
        .layer("routing")
        .definedBy("dev.leeway.routing..")
        .layer("proxy")
        .definedBy("dev.leeway.proxy..")
        .layer("queue")
        .definedBy("dev.leeway.queue..")
        .layer("http")
        .definedBy("dev.leeway.http..")
        .layer("testkit")
        .definedBy("dev.leeway.testkit..")
        .layer("samples")
        .definedBy("dev.leeway.samples..")
        .layer("cli")
        .definedBy("dev.leeway.cli..")
        .whereLayer("annotation")
        .mayNotAccessAnyLayer()
        .whereLayer("statement")
        .mayNotAccessAnyLayer()
        .whereLayer("gate")
        .mayNotAccessAnyLayer()
        .whereLayer("testkit")
        .mayNotAccessAnyLayer()
        .whereLayer("routing")
        .mayOnlyAccessLayers("annotation", "statement", "gate")
        .whereLayer("proxy")
        .mayOnlyAccessLayers("statement", "gate")
        .whereLayer("queue")
        .mayOnlyAccessLayers("annotation", "gate", "routing")
        .whereLayer("http")
        .mayOnlyAccessLayers("gate", "routing")
        .whereLayer("samples")
        .mayOnlyAccessLayers("annotation", "gate", "routing", "queue", "testkit")
        .whereLayer("cli")
        .mayOnlyAccessLayers("annotation", "gate", "routing", "queue", "testkit", "samples")
        .check(CLASSES);
  }

  @Test
  void theRoomsOfTheProxyKnowOnlyThoseBelowThem() {
    layeredArchitecture()
        .consideringOnlyDependenciesInAnyPackage("dev.leeway.proxy..")
        .layer("wire")
        .definedBy("dev.leeway.proxy.wire..")
        .layer("stats")
        .definedBy("dev.leeway.proxy.stats..")
        .layer("hostgroup")
        .definedBy("dev.leeway.proxy.hostgroup..")
        .layer("backend")
        .definedBy("dev.leeway.proxy.backend..")
        .layer("frontend")
        .definedBy("dev.leeway.proxy.frontend..")
        .layer("door")
        .definedBy("dev.leeway.proxy")
        .whereLayer("wire")
        .mayNotAccessAnyLayer()
        .whereLayer("stats")
        .mayNotAccessAnyLayer()
        .whereLayer("hostgroup")
        .mayNotAccessAnyLayer()
        .whereLayer("backend")
        .mayOnlyAccessLayers("wire", "stats", "hostgroup")
        .whereLayer("frontend")
        .mayOnlyAccessLayers("wire", "stats", "hostgroup", "backend")
        .check(CLASSES);
  }

  @Test
  void theDecisionKnowsNoConnection() {
    noClasses()
        .that()
        .resideInAPackage("dev.leeway.routing.decide..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.sql..", "javax.sql..", "com.zaxxer..", "com.mysql..")
        .check(CLASSES);
  }

  @Test
  void noBrokersLibraryIsNeededButByItsOwnAdapter() {
    noClasses()
        .that()
        .resideInAPackage("dev.leeway.queue")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.apache.kafka..", "com.rabbitmq..", "jakarta.jms..", "com.github.kagkarlsson..")
        .check(CLASSES);
  }
}
