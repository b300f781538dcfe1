/**
 * What a read means, said on the repository method that makes it.
 *
 * <p>Start at {@link dev.leeway.annotation.ReadReplica}, {@link dev.leeway.annotation.ReadPrimary}
 * and {@link dev.leeway.annotation.Write}. Which of several annotations counts for one method is
 * decided in one place, {@link dev.leeway.annotation.IntentAnnotations}; what it decided is a
 * {@link dev.leeway.annotation.RoutedMethod}; whoever routes implements {@link
 * dev.leeway.annotation.IntentBoundary}.
 *
 * <p>Threads: every value here is immutable and shared freely.
 *
 * <p>Not here: servers, connections, decisions. This package knows no other module and needs
 * nothing but the JDK at run time. The compile-time checks live in {@code
 * dev.leeway.annotation.processor}.
 */
@NullMarked
package dev.leeway.annotation;

import org.jspecify.annotations.NullMarked;
