/**
 * A JDBC driver that does nothing, so that a measurement shows the layers above a driver and not
 * the driver.
 */
@NullMarked
package dev.leeway.benchmarks.stub;

import org.jspecify.annotations.NullMarked;
