/**
 * Which connection a read gets.
 *
 * <p>Start at {@link dev.leeway.routing.Leeway}: it is built once per cluster and hands out a plain
 * {@code DataSource}. What a read means is said with a {@link dev.leeway.routing.ReadIntent}, what
 * a request has already seen lives in a {@link dev.leeway.routing.RequestScope}, and every decision
 * names its {@link dev.leeway.routing.Reason}.
 *
 * <p>The packages below this one are not for import: {@code decide} decides, {@code context} keeps
 * what is in force on a thread and in a request, {@code connection} does what JDBC asks for. They
 * may change at any time.
 *
 * <p>Knows replica-gate, statement-guard and repository-annotations, and no queue and no proxy.
 */
@NullMarked
package dev.leeway.routing;

import org.jspecify.annotations.NullMarked;
