/**
 * Tells what a SQL statement does, from its text alone: a plain read, or anything that must not
 * reach a replica.
 *
 * <p>Knows MySQL's grammar and nothing of connections, servers or Leeway's other rooms.
 */
@NullMarked
package dev.leeway.statement;

import org.jspecify.annotations.NullMarked;
