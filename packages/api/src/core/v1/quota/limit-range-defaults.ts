import type { SpecObject } from '../../../meta/kind-object.ts';
import type { LimitRangeItem, LimitRangeSpec } from '../limit-range-spec.ts';
import { fillResourceList, roundUpToMilli } from '../resource-list.ts';

/** For containers, a maximum is the default limit, and a default limit or a minimum is the default request. */
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
