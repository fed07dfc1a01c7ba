import type { SpecObject } from '../../../meta/kind-object.ts';
import type { LimitRangeItem, LimitRangeSpec } from '../limit-range-spec.ts';
import { fillResourceList, roundUpToMilli } from '../resource-list.ts';

/** Of containers, a maximum is also the default, a default also the request, and so is a minimum. */
export function defaultLimitRange({ spec }: SpecObject<LimitRangeSpec>): void {
  for (const item of spec.limits ?? []) {
    for (const list of [item.max, item.min, item.default, item.defaultRequest, item.maxLimitRequestRatio]) {
      roundUpToMilli(list);
    }
    if (item.type === 'Container') defaultContainerLimits(item);
  }
}

function defaultContainerLimits(item: LimitRangeItem): void {
  item.default = fillResourceList(item.default ?? {}, item.max);
  item.defaultRequest = fillResourceList(fillResourceList(item.defaultRequest ?? {}, item.default), item.min);
}
