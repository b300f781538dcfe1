/**
 * Tells what a SQL statement does, from its text alone: a plain read, or anything that must not
 * reach a replica.
 *
 * <p>Start at {@link dev.leeway.statement.StatementGuard}; its answer is a {@link
 * dev.leeway.statement.StatementKind}, which says what a router must know. Inside, the lexer cuts
 * the text as MySQL does, the vocabulary knows its words, and the readers follow just enough of the
 * grammar to be sure of a plain read and to name what anything else is.
 *
 * <p>Knows MySQL's grammar and nothing of connections, servers or Leeway's other rooms. A doubt is
 * always resolved towards "no plain read": the cost is one read on the primary, while the other
 * mistake would be a write or a lock on a replica.
 *
 * <p>Threads: guards and answers are safe to share; everything else is confined to one call.
 */
@NullMarked
package dev.leeway.statement;

import org.jspecify.annotations.NullMarked;
