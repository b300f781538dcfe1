package dev.leeway.annotation.processor;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TaskEvent;
import com.sun.source.util.TaskListener;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import dev.leeway.annotation.RoutedMethod;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import javax.annotation.processing.ProcessingEnvironment;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.tools.Diagnostic.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Warns where an object calls a method of its own that declares another intent than its caller.
 *
 * <p>Such a call does not leave the object, so no proxy sees it. It is looked for after the
 * compiler has resolved all names, which is when overloads are told apart and generated types
 * exist; that needs javac's own tree API.
 */
final class SelfCallCheck implements TaskListener {
  private final Trees trees;
  private final IntentModel model;
  private final Map<TypeElement, Optional<Hierarchy>> routed = new HashMap<>();

  private SelfCallCheck(Trees trees, IntentModel model) {
    this.trees = trees;
    this.model = model;
  }

  /**
   * Looks at every class the running compilation resolves.
   *
   * @throws IllegalArgumentException if the compiler is not javac, or does not show itself
   */
  static void install(ProcessingEnvironment environment, IntentModel model) {
    SelfCallCheck check = new SelfCallCheck(Trees.instance(environment), model);
    JavacTask.instance(environment).addTaskListener(check);
  }

  @Override
  public void finished(TaskEvent event) {
    if (event.getKind() == TaskEvent.Kind.ANALYZE && event.getTypeElement() != null) {
      TreePath path = trees.getPath(event.getTypeElement());
      if (path != null) {
        new Scanner(event.getCompilationUnit()).scan(path, null);
      }
    }
  }

  /** The methods of a type, if any of them has an intent. */
  private Optional<Hierarchy> routed(TypeElement type) {
    return routed.computeIfAbsent(
        type,
        t -> {
          Hierarchy hierarchy = model.hierarchy(t);
          boolean declares =
              hierarchy.classes().stream().anyMatch(model::isRouted)
                  || hierarchy.interfaces().stream().anyMatch(model::isRouted);
          return declares ? Optional.of(hierarchy) : Optional.empty();
        });
  }

  /** The class, and the method of it, whose body is being read. */
  private static final class Frame {
    final TypeElement type;
    @Nullable ExecutableElement method;

    Frame(TypeElement type) {
      this.type = type;
    }

    Element place() {
      return method == null ? type : method;
    }

    boolean isConstruction() {
      return method == null || method.getKind() == ElementKind.CONSTRUCTOR;
    }
  }

  private final class Scanner extends TreePathScanner<Void, Void> {
    private final CompilationUnitTree unit;
    private final Deque<Frame> frames = new ArrayDeque<>();

    Scanner(CompilationUnitTree unit) {
      this.unit = unit;
    }

    @Override
    public Void visitClass(ClassTree tree, Void nothing) {
      if (!(trees.getElement(getCurrentPath()) instanceof TypeElement type)) {
        return null;
      }
      frames.push(new Frame(type));
      super.visitClass(tree, null);
      frames.pop();
      return null;
    }

    @Override
    public Void visitMethod(MethodTree tree, Void nothing) {
      Frame frame = frames.element();
      if (trees.getElement(getCurrentPath()) instanceof ExecutableElement method) {
        frame.method = method;
      }
      super.visitMethod(tree, null);
      frame.method = null;
      return null;
    }

    @Override
    public Void visitMethodInvocation(MethodInvocationTree tree, Void nothing) {
      ExpressionTree select = tree.getMethodSelect();
      Element callee = trees.getElement(new TreePath(getCurrentPath(), select));
      if (select instanceof IdentifierTree) {
        check(callee, having(callee), false, tree);
      } else if (select instanceof MemberSelectTree member) {
        checkQualified(callee, member.getExpression(), tree);
      }
      return super.visitMethodInvocation(tree, null);
    }

    @Override
    public Void visitMemberReference(MemberReferenceTree tree, Void nothing) {
      checkQualified(trees.getElement(getCurrentPath()), tree.getQualifierExpression(), tree);
      return super.visitMemberReference(tree, null);
    }

    private void checkQualified(@Nullable Element callee, ExpressionTree qualifier, Tree call) {
      if (qualifier instanceof IdentifierTree name) {
        if (name.getName().contentEquals("this")) {
          check(callee, frames.peek(), false, call);
        } else if (name.getName().contentEquals("super")) {
          check(callee, frames.peek(), true, call);
        }
      } else if (qualifier instanceof MemberSelectTree outer) {
        if (outer.getIdentifier().contentEquals("this")) {
          check(callee, having(callee), false, call);
        } else if (outer.getIdentifier().contentEquals("super")) {
          check(callee, having(callee), true, call);
        }
      }
    }

    /** The innermost class around the call that has the method. */
    private @Nullable Frame having(@Nullable Element callee) {
      if (callee != null && callee.getEnclosingElement() instanceof TypeElement owner) {
        for (Frame frame : frames) {
          if (model.isSubtype(frame.type, owner)) {
            return frame;
          }
        }
      }
      return null;
    }

    private void check(
        @Nullable Element callee, @Nullable Frame frame, boolean bySuper, Tree call) {
      if (frame == null
          || !(callee instanceof ExecutableElement method)
          || method.getKind() != ElementKind.METHOD
          || !Hierarchy.isOverridable(method)) {
        return;
      }
      Optional<Hierarchy> hierarchy = routed(frame.type);
      if (hierarchy.isPresent()) {
        check(hierarchy.get(), method, frame, bySuper, call);
      }
    }

    private void check(
        Hierarchy hierarchy, ExecutableElement callee, Frame frame, boolean bySuper, Tree call) {
      String signature = hierarchy.signature(callee);
      if (!(model.resolve(hierarchy, signature) instanceof Resolution.Routed inner)
          || isSameIntent(hierarchy, frame, signature, inner.route())
          || (!bySuper && !frame.isConstruction() && isRoutedInside(hierarchy, signature))
          || Reporter.isSuppressed(Diagnostic.SELF_CALL, frame.place())) {
        return;
      }
      trees.printMessage(
          Kind.WARNING,
          Diagnostic.SELF_CALL.message(
              "self-call of annotated method %s bypasses routing: the call does not leave the object, so it"
                      .formatted(signature)
                  + " runs under %s, not under its own (%s). Call it from outside the object, or give"
                      .formatted(outerIntent(hierarchy, frame), intent(inner.route()))
                  + " both methods the same intent."),
          call,
          unit);
    }

    private boolean isSameIntent(
        Hierarchy hierarchy, Frame frame, String callee, RoutedMethod inner) {
      if (frame.isConstruction() || frame.method == null) {
        return false;
      }
      String caller = hierarchy.signature(frame.method);
      return caller.equals(callee)
          || outer(hierarchy, frame.method).filter(outer -> saySame(outer, inner)).isPresent();
    }

    private Optional<RoutedMethod> outer(Hierarchy hierarchy, ExecutableElement caller) {
      return Hierarchy.isOverridable(caller)
              && model.resolve(hierarchy, hierarchy.signature(caller))
                  instanceof Resolution.Routed outer
          ? Optional.of(outer.route())
          : Optional.empty();
    }

    private String outerIntent(Hierarchy hierarchy, Frame frame) {
      if (frame.isConstruction() || frame.method == null) {
        return "no intent, for the object is still being made";
      }
      String caller = frame.method.toString();
      return outer(hierarchy, frame.method)
          .map(route -> "the intent of %s (%s)".formatted(caller, intent(route)))
          .orElse("whatever intent %s is called with".formatted(caller));
    }
  }

  private static boolean saySame(RoutedMethod one, RoutedMethod other) {
    return one.kind() == other.kind()
        && one.maxStaleness().equals(other.maxStaleness())
        && one.fallback() == other.fallback()
        && one.catchUp().equals(other.catchUp());
  }

  /** What the inventory says about a method, without its name. */
  private static String intent(RoutedMethod route) {
    String line = route.toString();
    return line.substring(line.indexOf(' ') + 1);
  }

  /** Whether a call that the object makes on itself reaches an override that routes. */
  private static boolean isRoutedInside(Hierarchy hierarchy, String signature) {
    TypeElement type = hierarchy.target();
    if (Hierarchy.isInterface(type)) {
      // A default method runs on the proxy, ours or Jdbi's, and so do the calls it makes.
      return true;
    }
    boolean open = !hierarchy.nearest(signature).getModifiers().contains(Modifier.FINAL);
    boolean awaitsSubclass =
        IntentModel.isRoutedRepository(type) && type.getModifiers().contains(Modifier.ABSTRACT);
    return open && (awaitsSubclass || SubclassWriter.hasSubclass(type));
  }
}
