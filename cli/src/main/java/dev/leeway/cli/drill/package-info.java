/**
 * What {@code leeway drill} lets the testkit's drills do: the shop on a cluster of its own, or a
 * table of its own on servers that a file names; with Leeway, or as a naive splitter would.
 *
 * <p>Start at {@link dev.leeway.cli.drill.ReadAfterWrite}. The drill itself, its counting and its
 * refusals are the testkit's.
 */
@NullMarked
package dev.leeway.cli.drill;

import org.jspecify.annotations.NullMarked;
