/**
 * Reads the intent annotations while the code that carries them is compiled.
 *
 * <p>It reports what cannot be right, in strict mode also what is missing; writes the subclass that
 * routes a {@link dev.leeway.annotation.RoutedRepository} class; and writes the inventory. Start at
 * {@link dev.leeway.annotation.processor.LeewayProcessor}. Every mistake it can report is a {@code
 * Diagnostic} with an id that the guide explains.
 *
 * <p>Not for import: the compiler finds it by its entry in {@code META-INF/services}. May know
 * {@code dev.leeway.annotation} and the compiler's APIs, nothing else. {@code com.sun.source} is
 * optional and used in {@code SelfCallCheck} alone.
 */
@NullMarked
package dev.leeway.annotation.processor;

import org.jspecify.annotations.NullMarked;
