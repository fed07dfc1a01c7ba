import * as t from '@coxswain/schema';
import { ageColumn, column, nameColumn } from '../../meta/columns.ts';
import { validateScale } from '../scale-validation.ts';

export const ScaleSpec = t.struct('autoscaling/v1.ScaleSpec', {
  replicas: t.optional(1, t.int32, { default: 0, defaultPublished: true }),
});
export interface ScaleSpec extends t.Static<typeof ScaleSpec> {}

export const ScaleStatus = t.struct('autoscaling/v1.ScaleStatus', {
  replicas: t.always(1, t.int32, { required: true }),
  selector: t.optional(2, t.string),
});
export interface ScaleStatus extends t.Static<typeof ScaleStatus> {}

export const Scale = t.kind(
  'autoscaling/v1.Scale',
  'autoscaling/v1',
  undefined,
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, ScaleSpec),
    status: t.optional(3, ScaleStatus),
  },
  {
    validate: validateScale,
    columns: [
      { ...nameColumn, format: '' },
      column('Desired', ({ spec }) => spec?.replicas ?? 0, 'integer'),
      column('Available', ({ status }) => status?.replicas ?? 0, 'integer'),
      ageColumn,
    ],
  },
);
export interface Scale extends t.Static<typeof Scale> {}
