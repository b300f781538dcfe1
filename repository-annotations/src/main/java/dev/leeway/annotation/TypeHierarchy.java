package dev.leeway.annotation;

import java.lang.reflect.Array;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A type with all its supertypes and what their type parameters stand for in it.
 *
 * <p>Needed because {@code find(K)} of a generic interface and {@code find(Long)} of its
 * implementation are one method, which their erased parameter types do not show.
 */
final class TypeHierarchy {
  /** The type itself and its superclasses, nearest first; empty for an interface. */
  private final List<Class<?>> classes = new ArrayList<>();

  /** Every interface once, in the order they are met from the type upwards. */
  private final List<Class<?>> interfaces = new ArrayList<>();

  private final Map<Class<?>, Map<TypeVariable<?>, Type>> bindings = new LinkedHashMap<>();

  private TypeHierarchy() {}

  static TypeHierarchy of(Class<?> target) {
    TypeHierarchy hierarchy = new TypeHierarchy();
    hierarchy.add(target, Map.of());
    return hierarchy;
  }

  private void add(Class<?> type, Map<TypeVariable<?>, Type> binding) {
    if (bindings.putIfAbsent(type, binding) != null) {
      return;
    }
    (type.isInterface() ? interfaces : classes).add(type);
    if (type.getGenericSuperclass() != null) {
      addSupertype(type.getGenericSuperclass(), binding);
    }
    for (Type parent : type.getGenericInterfaces()) {
      addSupertype(parent, binding);
    }
  }

  private void addSupertype(Type type, Map<TypeVariable<?>, Type> binding) {
    if (type instanceof ParameterizedType parameterized) {
      Class<?> raw = (Class<?>) parameterized.getRawType();
      TypeVariable<?>[] variables = raw.getTypeParameters();
      Type[] arguments = parameterized.getActualTypeArguments();
      Map<TypeVariable<?>, Type> bound = new HashMap<>();
      for (int i = 0; i < variables.length; i++) {
        bound.put(variables[i], erased(arguments[i], binding));
      }
      add(raw, bound);
    } else {
      add((Class<?>) type, Map.of());
    }
  }

  List<Class<?>> classes() {
    return classes;
  }

  List<Class<?>> interfaces() {
    return interfaces;
  }

  /** The declarations of a method that take part in overriding, classes before interfaces. */
  List<Method> declarationsOf(Signature signature) {
    List<Method> declarations = new ArrayList<>();
    for (List<Class<?>> types : List.of(classes, interfaces)) {
      for (Class<?> type : types) {
        for (Method method : type.getDeclaredMethods()) {
          if (isOverridable(method) && signature.equals(ownSignature(method))) {
            declarations.add(method);
          }
        }
      }
    }
    return declarations;
  }

  /** Whether {@code type}, one of this hierarchy, declares or inherits the method. */
  boolean hasMethod(Class<?> type, Signature signature) {
    return declarationsOf(signature).stream()
        .anyMatch(method -> method.getDeclaringClass().isAssignableFrom(type));
  }

  Signature signatureOf(Method method) {
    if (!method.isBridge()) {
      return ownSignature(method);
    }
    // A bridge has the erased parameters of the method it lets be overridden. So that method, seen
    // from here, has the signature of the one the bridge calls.
    for (Class<?> type : bindings.keySet()) {
      if (type.isAssignableFrom(method.getDeclaringClass())) {
        for (Method candidate : type.getDeclaredMethods()) {
          if (isOverridable(candidate)
              && candidate.getName().equals(method.getName())
              && Arrays.equals(candidate.getParameterTypes(), method.getParameterTypes())) {
            return ownSignature(candidate);
          }
        }
      }
    }
    return ownSignature(method);
  }

  private static boolean isOverridable(Method method) {
    int modifiers = method.getModifiers();
    return !method.isBridge() && !Modifier.isStatic(modifiers) && !Modifier.isPrivate(modifiers);
  }

  private Signature ownSignature(Method method) {
    Map<TypeVariable<?>, Type> binding =
        bindings.getOrDefault(method.getDeclaringClass(), Map.of());
    List<Class<?>> parameters = new ArrayList<>();
    for (Type parameter : method.getGenericParameterTypes()) {
      parameters.add(erased(parameter, binding));
    }
    return new Signature(method.getName(), List.copyOf(parameters));
  }

  private static Class<?> erased(Type type, Map<TypeVariable<?>, Type> binding) {
    if (type instanceof Class<?> plain) {
      return plain;
    }
    if (type instanceof ParameterizedType parameterized) {
      return (Class<?>) parameterized.getRawType();
    }
    if (type instanceof GenericArrayType array) {
      return Array.newInstance(erased(array.getGenericComponentType(), binding), 0).getClass();
    }
    if (type instanceof WildcardType wildcard) {
      return erased(wildcard.getUpperBounds()[0], binding);
    }
    if (type instanceof TypeVariable<?> variable) {
      Type bound = binding.get(variable);
      return erased(bound == null ? variable.getBounds()[0] : bound, binding);
    }
    throw new IllegalArgumentException("unknown kind of type: " + type);
  }
}
