/** The target of an autoscaler: `70%` of the requests, or `500m` per pod. */
import { canonicalQuantity, parseQuantity } from '@coxswain/apimachinery/quantity.ts';

type Resource = 'cpu' | 'memory';

type Target =
  | { readonly type: 'Utilization'; readonly averageUtilization: number }
  | { readonly type: 'AverageValue'; readonly averageValue: string };

export interface ResourceMetric {
  readonly type: 'Resource';
  readonly resource: { readonly name: Resource; readonly target: Target };
}

export const resourceMetric = (name: Resource, target: Target): ResourceMetric => ({
  type: 'Resource',
  resource: { name, target },
});

/** Numbers without a unit are in thousandths of a core, or mebibytes. */
const units: Readonly<Record<Resource, string>> = { cpu: 'm', memory: 'Mi' };

const int32Max = 2 ** 31 - 1;

/** @throws Error for a value that is neither a percentage nor a quantity */
export function readTarget(input: string, name: Resource): Target {
  const text = input.trim();
  if (text === '') throw new Error('empty input');
  if (text.endsWith('%')) {
    return { type: 'Utilization', averageUtilization: readPercentage(text.slice(0, -1)) };
  }
  const value = goFloat.test(text) ? `${shortest(Number(text))}${units[name]}` : text;
  try {
    parseQuantity(value);
    return { type: 'AverageValue', averageValue: canonicalQuantity(value) };
  } catch (error) {
    if (value !== text) throw error;
    throw new Error(`invalid resource ${name} value: ${text}`, { cause: error });
  }
}

function readPercentage(text: string): number {
  const value = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= 0 && value <= int32Max)) throw new Error(`invalid percentage value: ${text}`);
  return value;
}

const goFloat = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Formats a number like Go's `%g`. */
const shortest = (value: number): string => {
  if (value !== 0 && (Math.abs(value) >= 1e21 || Math.abs(value) < 1e-4)) {
    return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
  }
  return String(value);
};
