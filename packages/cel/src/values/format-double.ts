/** Go's `%g` with as many digits as necessary: with an exponent below -4 and from 6 on. */
export function formatShortestDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (Object.is(value, -0)) return '-0';
  const [mantissa, exponentText] = value.toExponential().split('e') as [string, string];
  const exponent = Number(exponentText);
  if (exponent >= -4 && exponent < 6) return plainDecimal(mantissa, exponent);
  const digits = Math.abs(exponent).toString().padStart(2, '0');
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${digits}`;
}

/** Go's `%f` with as many digits as necessary. */
export function formatPlainDouble(value: number): string {
  if (!Number.isFinite(value)) return formatShortestDouble(value);
  const [mantissa, exponent] = value.toExponential().split('e') as [string, string];
  const text = plainDecimal(mantissa, Number(exponent));
  return Object.is(value, -0) ? '-0' : text;
}

function plainDecimal(mantissa: string, exponent: number): string {
  const sign = mantissa.startsWith('-') ? '-' : '';
  const digits = mantissa.replace('-', '').replace('.', '');
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const fraction = digits.slice(exponent + 1);
  return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}
