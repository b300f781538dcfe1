/**
 * The data source under the frameworks people use, on real servers.
 *
 * <p>{@link dev.leeway.routing.compat.FrameworkContract} is what each must keep; a class per
 * framework says how that framework reads, writes and runs transactions, and adds what is peculiar
 * to it. What stands between {@code tag} and {@code end} is printed in docs/frameworks.md; a test
 * of the documents holds the two together.
 */
@NullMarked
package dev.leeway.routing.compat;

import org.jspecify.annotations.NullMarked;
