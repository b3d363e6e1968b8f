// Medians, quantiles, and tables that can be read.

/** The quantile `p` of samples, by linear interpolation at rank (n - 1) p. */
export function quantile(samples, p) {
  const sorted = Float64Array.from(samples).sort();
  const rank = (sorted.length - 1) * p;
  const [below, above] = [sorted[Math.floor(rank)], sorted[Math.ceil(rank)]];
  return below + (above - below) * (rank - Math.floor(rank));
}

/** A number with three digits that count, as far as they are behind the point. */
export function number(value) {
  if (!Number.isFinite(value)) return "-";
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
  return value.toFixed(digits);
}

/** A value and whether it reaches its bar. */
export function verdict(reached) {
  return reached ? "reached" : "MISSED";
}

/** Prints a heading, its explanation and rows of cells: the first column to the left, the others to the right. */
export function print(heading, notes, head, rows) {
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i].length)));
  const line = (row) => row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join("   ");
  console.log(`\n${heading}\n`);
  for (const note of notes) console.log(`  ${note}`);
  if (notes.length > 0) console.log();
  for (const row of [head, ...rows]) console.log(`  ${line(row).trimEnd()}`);
}
