type Labels = Readonly<Record<string, string>>;

/** One line of Prometheus' text format; labels are sorted by name, as upstream writes them. */
export const formatSample = (name: string, labels: Labels, value: number): string =>
  `${name}${braced(pairsOf(labels))} ${numberText(value)}\n`;

/**
 * The lines of a histogram.
 * @param bounds upper bounds of the buckets, in ascending order
 * @param counts of each bucket and of what is above the last bound
 */
export function formatHistogram(
  name: string,
  labels: Labels,
  bounds: readonly number[],
  counts: ArrayLike<number>,
  sum: number,
): string {
  // The pairs around each bucket's own are the same in all its lines.
  const pairs = pairsOf({ ...labels, le: '' });
  const at = pairs.indexOf('le=""');
  const before = `${name}_bucket{${pairs.slice(0, at).map(followed).join('')}le="`;
  const after = `"${pairs
    .slice(at + 1)
    .map(following)
    .join('')}} `;
  let text = '';
  let count = 0;
  for (let bucket = 0; bucket < counts.length; bucket++) {
    count += counts[bucket]!;
    const le = bucket < bounds.length ? numberText(bounds[bucket]!) : '+Inf';
    text += `${before}${le}${after}${numberText(count)}\n`;
  }
  const own = braced(pairs.toSpliced(at, 1));
  return `${text}${name}_sum${own} ${numberText(sum)}\n${name}_count${own} ${numberText(count)}\n`;
}

const pairsOf = (labels: Labels): string[] =>
  Object.keys(labels)
    .sort()
    .map((key) => `${key}="${escaped(labels[key]!)}"`);

const braced = (pairs: readonly string[]): string => (pairs.length === 0 ? '' : `{${pairs.join(',')}}`);
const followed = (pair: string): string => `${pair},`;
const following = (pair: string): string => `,${pair}`;

/** As Go formats a number in its shortest form: with an exponent from a million on, and below a ten-thousandth. */
export function numberText(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  const size = Math.abs(value);
  if (size === 0 || (size >= 1e-4 && size < 1e6)) return String(value);
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}

const escaped = (text: string): string =>
  text.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n');
