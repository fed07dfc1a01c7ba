import { always, int32, kind, map, ObjectMeta, optional, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const ScaleSpec = struct('apps/v1beta1.ScaleSpec', {
  replicas: optional(1, int32, { default: 0, defaultPublished: true }),
});
export interface ScaleSpec extends Static<typeof ScaleSpec> {}

export const ScaleStatus = struct('apps/v1beta1.ScaleStatus', {
  replicas: always(1, int32),
  selector: optional(2, map(string)),
  targetSelector: optional(3, string),
});
export interface ScaleStatus extends Static<typeof ScaleStatus> {}

export const Scale = kind('apps/v1beta1.Scale', 'apps/v1beta1', undefined, {
  metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
  spec: optional(2, ScaleSpec),
  status: optional(3, ScaleStatus),
});
export interface Scale extends Static<typeof Scale> {}
