/**
 * A small shop on Jdbi, written as a model of how to use Leeway.
 *
 * <p>Six of its reads must not be answered from the past: the confirmation page after a checkout,
 * the settings page after a change, the check whether a repeated POST was carried out before, the
 * job that reads what its dispatcher wrote, the stock a reservation relies on, and the draft an
 * administrator approves right after creating it. Its listings and reports may be a little old, and
 * leave the primary.
 *
 * <p>Start at {@link dev.leeway.samples.shop.Shop}, whose methods are what a web framework would
 * call. What each read means is said on the repositories' methods and nowhere else; {@link
 * dev.leeway.samples.shop.Requests} is all there is between the web framework and Leeway.
 */
@NullMarked
package dev.leeway.samples.shop;

import org.jspecify.annotations.NullMarked;
