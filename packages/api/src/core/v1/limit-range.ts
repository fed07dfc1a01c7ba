import * as t from '@coxswain/schema';
import { defaultLimitRange } from './quota/limit-range-defaults.ts';
import { defaultColumns } from '../../meta/columns.ts';
import { validateLimitRange } from './quota/limit-range-validation.ts';
import { LimitRangeSpec } from './limit-range-spec.ts';

export const LimitRange = t.kind(
  'core/v1.LimitRange',
  'v1',
  { plural: 'limitranges', shortNames: ['limits'], namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, LimitRangeSpec),
  },
  {
    defaults: [defaultLimitRange],
    validate: validateLimitRange,
    columns: defaultColumns,
  },
);
export interface LimitRange extends t.Static<typeof LimitRange> {}
