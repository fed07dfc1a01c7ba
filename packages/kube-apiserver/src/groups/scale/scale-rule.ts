/** The text of a kind's selector in its Scale. */
import { labelSelectorFromSpec, labelSelectorOfSet } from '@coxswain/apimachinery';
import type { LabelSelectorSpec } from '@coxswain/apimachinery/label-selector.ts';
import type { ScaleRule } from '../resource.ts';
import type { AnyObject } from '../any-object.ts';

const selectorOf = (object: AnyObject): unknown =>
  (object.spec as { selector?: unknown } | undefined)?.selector;

export const scaleOf = {
  /** `spec.selector` is a LabelSelector. */
  selector: {
    selector: (object) => labelSelectorFromSpec(selectorOf(object) as LabelSelectorSpec).toString(),
  },
  /** `spec.selector` is a map of labels. */
  labelMap: {
    selector: (object) => labelSelectorOfSet((selectorOf(object) ?? {}) as Record<string, string>).toString(),
  },
} satisfies Record<string, ScaleRule>;
