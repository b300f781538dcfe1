/**
 * The comparison that {@code leeway demo} shows, and the shop's part of the drill.
 *
 * <p>{@link dev.leeway.cli.demo.Witness} asks the server that answers a read who it is, in the same
 * statement; {@link dev.leeway.cli.demo.Tally} counts; {@link dev.leeway.cli.demo.ShopQuery} are
 * the six reads. Whether a read was right is judged by the rows alone, where it was served by the
 * server's word alone; what the router intended is only shown beside that, as its reason.
 */
@NullMarked
package dev.leeway.cli.demo;

import org.jspecify.annotations.NullMarked;
