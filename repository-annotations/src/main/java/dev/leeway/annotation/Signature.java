package dev.leeway.annotation;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** A method's name and its erased parameter types, as seen from the type it is called on. */
record Signature(String name, List<Class<?>> parameters) {
  String text() {
    return parameters.stream()
        .map(Class::getTypeName)
        .collect(Collectors.joining(",", name + '(', ")"));
  }

  /** Whether every object has this method, so that no repository declares it to be routed. */
  boolean isOfObject() {
    return Arrays.stream(Object.class.getDeclaredMethods())
        .anyMatch(
            method ->
                method.getName().equals(name)
                    && Arrays.asList(method.getParameterTypes()).equals(parameters));
  }
}
