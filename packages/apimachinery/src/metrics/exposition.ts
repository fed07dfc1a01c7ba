/** One line of Prometheus' text format; labels are sorted by name, as upstream writes them. */
export function formatSample(name: string, labels: Readonly<Record<string, string>>, value: number): string {
  const names = Object.keys(labels);
  if (names.length === 0) return `${name} ${numberText(value)}\n`;
  const pairs = names.sort().map((key) => `${key}="${escaped(labels[key]!)}"`);
  return `${name}{${pairs.join(',')}} ${numberText(value)}\n`;
}

/** As Go formats a number in its shortest form: with an exponent from a million on, and below a ten-thousandth. */
export function numberText(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  const size = Math.abs(value);
  if (size === 0 || (size >= 1e-4 && size < 1e6)) return String(value);
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}

const escaped = (text: string): string =>
  text.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n');
