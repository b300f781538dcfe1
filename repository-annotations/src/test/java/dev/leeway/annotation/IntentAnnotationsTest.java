package dev.leeway.annotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@SuppressWarnings("unused")
class IntentAnnotationsTest {
  /** Reads like "the answer of {@code type} for its method {@code name}". */
  private static RoutedMethod resolve(Class<?> type, String name, Class<?>... parameters) {
    try {
      return IntentAnnotations.resolve(type, type.getMethod(name, parameters));
    } catch (NoSuchMethodException e) {
      throw new AssertionError(e);
    }
  }

  private static IntentKind kind(Class<?> type, String name, Class<?>... parameters) {
    return resolve(type, name, parameters).kind();
  }

  @Nested
  class Precedence {
    @ReadReplica(maxStaleness = "1s")
    interface OnlyInterface {
      void method();
    }

    @ReadReplica(maxStaleness = "1s")
    interface OnlyInterfaceMethod {
      @ReadReplica(maxStaleness = "2s")
      void method();
    }

    @ReadReplica(maxStaleness = "3s")
    static class TypeOverInterface implements OnlyInterface {
      @Override
      public void method() {}
    }

    @ReadReplica(maxStaleness = "3s")
    static class InterfaceMethodOverType implements OnlyInterfaceMethod {
      @Override
      public void method() {}
    }

    @ReadReplica(maxStaleness = "3s")
    static class MethodOverAll implements OnlyInterfaceMethod {
      @Override
      @ReadReplica(maxStaleness = "4s")
      public void method() {}
    }

    @ReadReplica(maxStaleness = "9s")
    static class SubclassOfMethodOverAll extends MethodOverAll {
      @Override
      public void method() {}
    }

    static class PlainImplementation implements OnlyInterface {
      @Override
      public void method() {}
    }

    @Test
    void methodOnClassThenMethodOnInterfaceThenClassThenInterface() {
      assertThat(staleness(MethodOverAll.class)).isEqualTo("4s");
      assertThat(staleness(InterfaceMethodOverType.class)).isEqualTo("2s");
      assertThat(staleness(OnlyInterfaceMethod.class)).isEqualTo("2s");
      assertThat(staleness(TypeOverInterface.class)).isEqualTo("3s");
      assertThat(staleness(PlainImplementation.class)).isEqualTo("1s");
      assertThat(staleness(OnlyInterface.class)).isEqualTo("1s");
    }

    @Test
    void anOverrideKeepsWhatItOverridesEvenAgainstItsOwnClassDefault() {
      assertThat(staleness(SubclassOfMethodOverAll.class)).isEqualTo("4s");
    }

    private static String staleness(Class<?> type) {
      return DurationText.format(resolve(type, "method").maxStaleness().orElseThrow());
    }
  }

  @Nested
  class Defaults {
    @ReadReplica
    static class Reports {
      public void sales() {}

      protected void helper() {}

      @ReadReplica
      protected void annotatedHelper() {}

      @Override
      public String toString() {
        return "reports";
      }
    }

    static class Opened extends Reports {
      @Override
      public void helper() {}
    }

    static class MoreReports extends Reports {
      public void added() {}

      @Override
      public void sales() {}
    }

    @ReadPrimary(because = "ledger")
    static class Ledger extends Reports {}

    @Write
    interface Audit {
      void audit();
    }

    @ReadReplica
    interface Listing {
      void list();

      default void listAll() {}
    }

    static class Both implements Audit, Listing {
      @Override
      public void audit() {}

      @Override
      public void list() {}

      public void other() {}
    }

    @Test
    void aTypesDefaultCoversItsMethodsAlsoWhereASubtypeOverridesThem() {
      assertThat(kind(Reports.class, "sales")).isEqualTo(IntentKind.READ_REPLICA);
      assertThat(kind(MoreReports.class, "sales")).isEqualTo(IntentKind.READ_REPLICA);
    }

    /** Otherwise an {@code insert} added to a subclass would read replicas unasked. */
    @Test
    void aTypesDefaultDoesNotCoverWhatASubtypeAdds() {
      assertThat(kind(MoreReports.class, "added")).isEqualTo(IntentKind.UNDECLARED);
      assertThat(kind(Both.class, "other")).isEqualTo(IntentKind.UNDECLARED);
    }

    @Test
    void aSubtypesDefaultCoversWhatItInherits() {
      assertThat(kind(Ledger.class, "sales")).isEqualTo(IntentKind.READ_PRIMARY);
    }

    @Test
    void anInterfacesDefaultCoversOnlyItsOwnMethods() {
      assertThat(kind(Both.class, "audit")).isEqualTo(IntentKind.WRITE);
      assertThat(kind(Both.class, "list")).isEqualTo(IntentKind.READ_REPLICA);
      assertThat(kind(Both.class, "listAll")).isEqualTo(IntentKind.READ_REPLICA);
    }

    /** Otherwise a helper called inside a {@code @Write} method would read a replica. */
    @Test
    void aTypesDefaultDoesNotCoverHelpersThatAreNotPublic() throws Exception {
      Method helper = Reports.class.getDeclaredMethod("helper");
      Method annotated = Reports.class.getDeclaredMethod("annotatedHelper");

      assertThat(IntentAnnotations.resolve(Reports.class, helper).kind())
          .isEqualTo(IntentKind.UNDECLARED);
      assertThat(IntentAnnotations.resolve(Reports.class, annotated).kind())
          .isEqualTo(IntentKind.READ_REPLICA);
      assertThat(IntentAnnotations.resolve(Opened.class, helper).kind())
          .isEqualTo(IntentKind.READ_REPLICA);
    }

    @Test
    void methodsOfObjectAreNotCovered() {
      assertThat(kind(Reports.class, "toString")).isEqualTo(IntentKind.UNDECLARED);
      assertThat(kind(Reports.class, "hashCode")).isEqualTo(IntentKind.UNDECLARED);
    }

    @Test
    void anInterfaceAnswersForTheObjectMethodsItsProxyIsAsked() throws Exception {
      assertThat(
              IntentAnnotations.resolve(
                  Listing.class, Object.class.getMethod("equals", Object.class)))
          .isEqualTo(RoutedMethod.undeclared(Listing.class.getName(), "equals(java.lang.Object)"));
    }
  }

  @Nested
  class Interfaces {
    interface Wide {
      @ReadReplica
      void find();
    }

    interface Narrow extends Wide {
      @Override
      @ReadPrimary(because = "narrower")
      void find();
    }

    interface Elsewhere {
      @Write
      void find();
    }

    interface Agrees {
      @ReadReplica
      void find();
    }

    static class Diamond implements Wide, Narrow {
      @Override
      public void find() {}
    }

    interface Torn extends Wide, Elsewhere {
      @Override
      void find();
    }

    interface Settled extends Wide, Elsewhere {
      @Override
      @Write
      void find();
    }

    interface Agreed extends Wide, Agrees {
      @Override
      void find();
    }

    @Test
    void theNarrowerInterfaceWins() {
      assertThat(resolve(Diamond.class, "find").because()).isEqualTo("narrower");
      assertThat(kind(Narrow.class, "find")).isEqualTo(IntentKind.READ_PRIMARY);
    }

    @Test
    void unrelatedInterfacesThatDisagreeAreRefused() {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> resolve(Torn.class, "find"))
          .withMessage(
              "%s#find() - %s and %s declare different intents for it (expected: one; declare it on"
                      .formatted(
                          Torn.class.getName(), Wide.class.getName(), Elsewhere.class.getName())
                  + " the method itself)");
    }

    @Test
    void aDeclarationOnTheMethodSettlesTheDisagreement() {
      assertThat(kind(Settled.class, "find")).isEqualTo(IntentKind.WRITE);
    }

    @Test
    void interfacesThatAgreeAreNoContradiction() {
      assertThat(kind(Agreed.class, "find")).isEqualTo(IntentKind.READ_REPLICA);
    }
  }

  @Nested
  class Generics {
    interface Crud<E, K extends Comparable<K>> {
      @ReadReplica(maxStaleness = "1s")
      Optional<E> find(K key);

      @Write
      void save(E entity);

      @Write
      @SuppressWarnings("unchecked")
      <T extends E> void saveAll(List<T> entities, T... more);

      @ReadPrimary(because = "arrays")
      E[] findAll(K[] keys);
    }

    abstract static class Base<E> implements Crud<E, Long> {
      @Override
      public abstract void save(E entity);
    }

    static class Orders extends Base<String> {
      @Override
      public Optional<String> find(Long key) {
        return Optional.empty();
      }

      @ReadReplica(maxStaleness = "2s")
      public Optional<String> find(Integer key) {
        return Optional.empty();
      }

      public Optional<String> find(Object key) {
        return Optional.empty();
      }

      @Override
      public void save(String entity) {}

      public void save(CharSequence entity) {}

      @Override
      @SuppressWarnings("unchecked")
      public <T extends String> void saveAll(List<T> entities, T... more) {}

      @Override
      public String[] findAll(Long[] keys) {
        return new String[0];
      }
    }

    @SuppressWarnings("rawtypes")
    static class Raw implements Crud {
      @Override
      public Optional find(Comparable key) {
        return Optional.empty();
      }

      @Override
      public void save(Object entity) {}

      @Override
      public void saveAll(List entities, Object... more) {}

      @Override
      public Object[] findAll(Comparable[] keys) {
        return new Object[0];
      }
    }

    interface Renamed<A extends Comparable<A>, B> extends Crud<B, A> {}

    interface Concrete extends Renamed<Long, String> {
      @Override
      Optional<String> find(Long key);
    }

    @Test
    void anOverrideWithNarrowedParametersInheritsTheGenericDeclaration() {
      assertThat(resolve(Orders.class, "find", Long.class))
          .isEqualTo(
              RoutedMethod.readReplica(
                  Orders.class.getName(), "find(java.lang.Long)", "1s", Fallback.PRIMARY, ""));
      assertThat(kind(Orders.class, "save", String.class)).isEqualTo(IntentKind.WRITE);
      assertThat(resolve(Orders.class, "findAll", Long[].class).signature())
          .isEqualTo("findAll(java.lang.Long[])");
      assertThat(kind(Orders.class, "findAll", Long[].class)).isEqualTo(IntentKind.READ_PRIMARY);
      assertThat(kind(Orders.class, "saveAll", List.class, String[].class))
          .isEqualTo(IntentKind.WRITE);
    }

    @Test
    void overloadsAreNotOverrides() {
      assertThat(resolve(Orders.class, "find", Integer.class).maxStaleness())
          .contains(java.time.Duration.ofSeconds(2));
      assertThat(kind(Orders.class, "find", Object.class)).isEqualTo(IntentKind.UNDECLARED);
      assertThat(kind(Orders.class, "save", CharSequence.class)).isEqualTo(IntentKind.UNDECLARED);
    }

    @Test
    void theInterfacesOwnMethodObjectResolvesToTheOverride() throws Exception {
      Method generic = Crud.class.getMethod("find", Comparable.class);

      assertThat(IntentAnnotations.resolve(Orders.class, generic).signature())
          .isEqualTo("find(java.lang.Long)");
      assertThat(IntentAnnotations.resolve(Concrete.class, generic).signature())
          .isEqualTo("find(java.lang.Long)");
    }

    @Test
    void everyBridgeResolvesLikeTheMethodItCalls() {
      for (Class<?> type : List.of(Orders.class, Concrete.class, Base.class)) {
        for (Method bridge : type.getDeclaredMethods()) {
          if (bridge.isBridge()) {
            RoutedMethod resolved = IntentAnnotations.resolve(type, bridge);

            assertThat(resolved.kind()).as("%s", bridge).isNotEqualTo(IntentKind.UNDECLARED);
            assertThat(resolved.signature()).as("%s", bridge).doesNotContain("Comparable");
          }
        }
      }
      assertThat(Arrays.stream(Orders.class.getDeclaredMethods()).filter(Method::isBridge))
          .hasSizeGreaterThanOrEqualTo(3);
    }

    @Test
    void rawImplementationsInheritToo() {
      assertThat(kind(Raw.class, "find", Comparable.class)).isEqualTo(IntentKind.READ_REPLICA);
      assertThat(kind(Raw.class, "save", Object.class)).isEqualTo(IntentKind.WRITE);
      assertThat(kind(Raw.class, "saveAll", List.class, Object[].class))
          .isEqualTo(IntentKind.WRITE);
    }

    @Test
    void typeParametersAreFollowedThroughRenaming() {
      assertThat(kind(Concrete.class, "find", Long.class)).isEqualTo(IntentKind.READ_REPLICA);
    }
  }

  @Nested
  class Reach {
    static class Hidden {
      @ReadReplica
      public static void shared() {}

      @ReadReplica
      private void own() {}
    }

    static class Visible extends Hidden {
      public void own() {}
    }

    abstract static class PackagePrivateParent {
      @ReadReplica
      public void find() {}
    }

    /** The compiler adds a bridge to {@code find} here, so that it can be called from anywhere. */
    public static class PublicChild extends PackagePrivateParent {}

    @Test
    void staticAndPrivateMethodsHaveNoIntent() throws Exception {
      assertThat(kind(Hidden.class, "shared")).isEqualTo(IntentKind.UNDECLARED);
      assertThat(
              IntentAnnotations.resolve(Hidden.class, Hidden.class.getDeclaredMethod("own")).kind())
          .isEqualTo(IntentKind.UNDECLARED);
    }

    @Test
    void aPrivateMethodOfASuperclassIsNotOverridden() {
      assertThat(kind(Visible.class, "own")).isEqualTo(IntentKind.UNDECLARED);
    }

    @Test
    void anInheritedMethodIsNamedAfterTheTypeItIsCalledOn() {
      assertThat(resolve(PublicChild.class, "find"))
          .isEqualTo(
              RoutedMethod.readReplica(
                  PublicChild.class.getName(), "find()", "", Fallback.PRIMARY, ""));
    }

    @Test
    void aMethodOfAnotherTypeIsRefused() throws Exception {
      Method foreign = Map.class.getMethod("size");

      assertThatIllegalArgumentException()
          .isThrownBy(() -> IntentAnnotations.resolve(Hidden.class, foreign))
          .withMessage(
              Hidden.class.getName()
                  + " - public abstract int java.util.Map.size() is not one of its methods (expected:"
                  + " a method of the type or of its supertypes)");
    }
  }

  @Nested
  class Mistakes {
    interface Wrong {
      @ReadReplica
      @Write
      void two();

      @ReadReplica(maxStaleness = "400")
      void unreadable();

      @ReadReplica(catchUp = "-1s")
      void negative();

      @ReadPrimary(because = " ")
      void blank();
    }

    @Test
    void eachIsRefusedNamingTheMethod() {
      String name = Wrong.class.getName();
      assertThatIllegalArgumentException()
          .isThrownBy(() -> resolve(Wrong.class, "two"))
          .withMessageStartingWith(name + "#two() - ")
          .withMessageEndingWith("carries READ_REPLICA and WRITE (expected: one intent)");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> resolve(Wrong.class, "unreadable"))
          .withMessageStartingWith(
              name + "#unreadable() - @ReadReplica maxStaleness, duration: \"400\"");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> resolve(Wrong.class, "negative"))
          .withMessageStartingWith(name + "#negative() - @ReadReplica catchUp, duration: \"-1s\"");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> resolve(Wrong.class, "blank"))
          .withMessageStartingWith(name + "#blank() - @ReadPrimary because: ");
    }
  }
}
