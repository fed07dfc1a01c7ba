import {
  always,
  atomicList,
  kind,
  map,
  ObjectMeta,
  optional,
  quantity,
  string,
  struct,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { defaultLimitRange } from './limit-range-defaults.ts';
import { defaultColumns } from '../../meta/columns.ts';
import { validateLimitRange } from './limit-range-validation.ts';

export const LimitRangeItem = struct('core/v1.LimitRangeItem', {
  type: always(1, named('v1.LimitType', string), { required: true }),
  max: optional(2, named('v1.ResourceList', map(quantity))),
  min: optional(3, named('v1.ResourceList', map(quantity))),
  default: optional(4, named('v1.ResourceList', map(quantity))),
  defaultRequest: optional(5, named('v1.ResourceList', map(quantity))),
  maxLimitRequestRatio: optional(6, named('v1.ResourceList', map(quantity))),
});
export interface LimitRangeItem extends Static<typeof LimitRangeItem> {}

export const LimitRangeSpec = struct('core/v1.LimitRangeSpec', {
  limits: always(1, atomicList(LimitRangeItem), { required: true }),
});
export interface LimitRangeSpec extends Static<typeof LimitRangeSpec> {}

export const LimitRange = kind(
  'core/v1.LimitRange',
  'v1',
  { plural: 'limitranges', shortNames: ['limits'], namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, LimitRangeSpec),
  },
  {
    defaults: [defaultLimitRange],
    validate: validateLimitRange,
    columns: defaultColumns,
  },
);
export interface LimitRange extends Static<typeof LimitRange> {}
