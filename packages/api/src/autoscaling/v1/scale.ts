import { always, int32, kind, ObjectMeta, optional, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { ageColumn, column, nameColumn } from '../../meta/columns.ts';
import { validateScale } from '../scale-validation.ts';

export const ScaleSpec = struct('autoscaling/v1.ScaleSpec', {
  replicas: optional(1, int32, { default: 0, defaultPublished: true }),
});
export interface ScaleSpec extends Static<typeof ScaleSpec> {}

export const ScaleStatus = struct('autoscaling/v1.ScaleStatus', {
  replicas: always(1, int32, { required: true }),
  selector: optional(2, string),
});
export interface ScaleStatus extends Static<typeof ScaleStatus> {}

export const Scale = kind(
  'autoscaling/v1.Scale',
  'autoscaling/v1',
  undefined,
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, ScaleSpec),
    status: optional(3, ScaleStatus),
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
export interface Scale extends Static<typeof Scale> {}
