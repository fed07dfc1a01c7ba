/** Checks the cost limits of a schema's rules, individually and in total. */

import { unbounded } from '@coxswain/cel';
import type { FieldPath } from '@coxswain/apimachinery';
import type { Errors } from '../meta/checks.ts';
import type { Schema } from './schema-tree.ts';

/** The limit of one rule for all its possible values. */
export const ruleCostMax = 10_000_000;
/** The limit of all rules of a schema. */
const schemaCostMax = 100_000_000;
/** Rules below a hundredth of the limit aren't mentioned when the total is exceeded. */
const notableCost = schemaCostMax / 100;
const reportedRulesMax = 4;

export class TotalCost {
  #total = 0;
  #most: { readonly path: FieldPath; readonly cost: number }[] = [];

  add(path: FieldPath, cost: number): void {
    this.#total = Math.min(unbounded, this.#total + cost);
    if (cost < notableCost) return;
    this.#most.push({ path, cost });
    this.#most = this.#most.toSorted((a, b) => b.cost - a.cost).slice(0, reportedRulesMax);
  }

  report(path: FieldPath, errors: Errors): void {
    if (this.#total <= schemaCostMax) return;
    for (const { path: rulePath } of this.#most) {
      const detail =
        'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
      errors.forbidden(rulePath, detail);
    }
    const name = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    errors.forbidden(path, costMessage(name, this.#total, schemaCostMax));
  }
}

export function costMessage(name: string, cost: number, costMax: number): string {
  const factor = cost / costMax;
  const reported = factor > 100 ? 'more than 100x' : `${factor.toFixed(factor < 1.5 ? 6 : 1)}x`;
  return `${name} exceeds budget by factor of ${reported} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}

/** The maximum number of elements in one value; undefined without a limit. */
export function elementsMax(schema: Schema): number | undefined {
  if (schema.type === 'object' && schema.additionalProperties != null) return bound(schema.maxProperties);
  return schema.type === 'array' ? bound(schema.maxItems) : 1;
}

const bound = (max: number | bigint | null | undefined): number | undefined =>
  max == null ? undefined : Math.max(0, Number(max));

export const product = (cost: number, count: number): number =>
  cost === 0 ? 0 : Math.min(unbounded, cost * count);
