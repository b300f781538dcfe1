/** Holds the pages, the module borders and the BOM to what the code says. Knows every room. */
@NullMarked
package dev.leeway.docs;

import org.jspecify.annotations.NullMarked;
