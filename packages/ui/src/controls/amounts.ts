/** Formats amounts for people. */

import { parseQuantity } from '@coxswain/apimachinery/quantity.ts';

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** `1.5 GiB` */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${rounded(bytes / 1024 ** power)} ${units[power]}`;
}

/** `12 cores`, or `250m` as in resource requests. */
export const formatCores = (cores: number): string =>
  cores > 0 && cores < 1 ? `${Math.round(cores * 1000)}m` : `${rounded(cores)}`;

export const rounded = (value: number): string =>
  value >= 100 || Number.isInteger(value) ? String(Math.round(value)) : value.toFixed(1).replace(/\.0$/, '');

/** Parses a quantity as written by the server: `500m` is 0.5. */
export function amountOf(quantity: unknown): number {
  if (quantity === undefined) return 0;
  const { unscaled, scale } = parseQuantity(String(quantity));
  return Number(unscaled) * 10 ** scale;
}
