/**
 * Read/write splitting as it is usually done, to compare with: by the statement's first word.
 *
 * <p>Not an example to follow. {@link dev.leeway.samples.shop.naive.NaiveSplitter} is fair to what
 * it stands for: it honours transactions and locking reads, as the better splitters do.
 */
@NullMarked
package dev.leeway.samples.shop.naive;

import org.jspecify.annotations.NullMarked;
