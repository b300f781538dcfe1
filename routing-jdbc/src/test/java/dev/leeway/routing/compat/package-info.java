/**
 * The data source under the frameworks people use, on real servers.
 *
 * <p>{@link dev.leeway.routing.compat.FrameworkContract} is what each must keep; a class per
 * framework says how that framework reads, writes and runs transactions, and adds what is peculiar
 * to it. The set-up each shows between {@code // region} and {@code // end region} is what
 * docs/frameworks.md prints; {@link dev.leeway.routing.compat.FrameworkDocsTest} holds the two
 * together.
 */
@NullMarked
package dev.leeway.routing.compat;

import org.jspecify.annotations.NullMarked;
