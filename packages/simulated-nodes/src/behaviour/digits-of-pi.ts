/** π with this many significant digits, by Machin's formula: π = 16 arctan(1/5) − 4 arctan(1/239). */
export function digitsOfPi(count: number): string {
  // Guard digits absorb the truncation of each term.
  const guard = 10n;
  const unit = 10n ** (BigInt(count) + guard);
  const scaled = 16n * inverseTangent(5n, unit) - 4n * inverseTangent(239n, unit);
  const digits = String((scaled / 10n ** guard + 5n) / 10n);
  return count <= 1 ? digits : `${digits[0]}.${digits.slice(1)}`;
}

/** arctan(1/x), scaled by `unit`. */
function inverseTangent(x: bigint, unit: bigint): bigint {
  let power = unit / x;
  let sum = power;
  for (let divisor = 3n, sign = -1n; power > 0n; divisor += 2n, sign = -sign) {
    power /= x * x;
    sum += (sign * power) / divisor;
  }
  return sum;
}
