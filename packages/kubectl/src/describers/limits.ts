import type * as core from '@coxswain/api/core/v1/index.ts';
import type { Live } from '@coxswain/apimachinery';
import { canonicalQuantity } from '@coxswain/apimachinery/quantity.ts';
import type { DescriptionText } from './text.ts';

export type LimitRange = Live<core.LimitRange>;

const headings = [
  'Type',
  'Resource',
  'Min',
  'Max',
  'Default Request',
  'Default Limit',
  'Max Limit/Request Ratio',
];

export function describeLimits(text: DescriptionText, ranges: readonly LimitRange[]): void {
  if (ranges.length === 0) return text.line(0, 'No LimitRange resource.');
  text.line(0, 'Resource Limits');
  const rows = [
    headings,
    headings.map((heading) => '-'.repeat(heading.length)),
    ...ranges.flatMap(limitRows),
  ];
  for (const row of rows) text.line(0, ` ${row.join('\t')}`);
}

export const limitHeadings = headings;

/** One row for each type of object and resource. */
export function limitRows({ spec = {} }: LimitRange): string[][] {
  return (spec.limits ?? []).flatMap((limit) => {
    const columns = [limit.min, limit.max, limit.defaultRequest, limit.default, limit.maxLimitRequestRatio];
    const names = new Set(columns.flatMap((quantities) => Object.keys(quantities ?? {})));
    return [...names].sort().map((name) => {
      const cells = columns.map((quantities) =>
        quantities?.[name] === undefined ? '-' : canonicalQuantity(quantities[name]),
      );
      return [limit.type, name, ...cells];
    });
  });
}
