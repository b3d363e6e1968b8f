// Are two summaries the same? Counts must be equal, times and rates agree within a relative tolerance.

/** The engine keeps time in whole nanoseconds, the peer in doubles. */
export const TOLERANCE = 2e-6;

/** One line per figure of `expected` that `actual` does not give; figures that only `actual` has are not looked at. */
export function differences(actual, expected, path = "") {
  if (expected !== null && typeof expected === "object") {
    return Object.keys(expected).flatMap((key) =>
      differences(actual?.[key], expected[key], path ? `${path}.${key}` : key),
    );
  }
  return agree(actual, expected) ? [] : [`${path}: ${actual} is not ${expected}`];
}

function agree(actual, expected) {
  const measured = typeof actual === "number" && typeof expected === "number" && !Number.isInteger(expected);
  if (!measured) return actual === expected;
  return Math.abs(actual - expected) <= TOLERANCE * Math.abs(expected);
}
