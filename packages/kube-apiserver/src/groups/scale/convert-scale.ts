/** Scales of the groups apps and extensions had their selector twice: as a map, if possible, and as text. */
import { labelSelectorOfSet, parseLabelSelector } from '@coxswain/apimachinery';
import { Scale } from '@coxswain/api/autoscaling/v1/scale.ts';
import type { Kind } from '@coxswain/schema';
import { changing } from '../conversion.ts';
import { legacy, type OtherVersion } from '../resource.ts';

interface OldStatus {
  readonly replicas?: number;
  readonly selector?: Readonly<Record<string, string>>;
  readonly targetSelector?: string;
}

/** The `/scale` of an older version. */
export const oldScale = (kind: Kind): OtherVersion =>
  legacy(kind, {
    conversion: changing(Scale, kind, {
      toStorage(scale) {
        if (scale.status === undefined) return;
        const { targetSelector, selector, ...status } = scale.status as OldStatus;
        const text = targetSelector || (selector ? labelSelectorOfSet(selector).toString() : '');
        scale.status = text === '' ? status : { ...status, selector: text };
      },
      fromStorage(scale) {
        if (scale.status === undefined) return;
        const { selector: text, ...status } = scale.status as { readonly selector?: string };
        if (!text) return;
        const selector = labelsOf(text);
        scale.status = { ...status, ...(selector && { selector }), targetSelector: text };
      },
    }),
  });

/** The labels of a selector that consists only of equality requirements. */
function labelsOf(text: string): Record<string, string> | undefined {
  const { requirements } = parseLabelSelector(text);
  const labels: Record<string, string> = {};
  for (const { key, operator, values } of requirements) {
    if (operator !== '=' && operator !== '==') return undefined;
    if (values.length !== 1) return undefined;
    labels[key] = values[0]!;
  }
  return labels;
}
