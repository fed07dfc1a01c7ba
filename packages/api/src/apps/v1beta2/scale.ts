import * as t from '@coxswain/schema';

export const ScaleSpec = t.struct('apps/v1beta2.ScaleSpec', {
  replicas: t.optional(1, t.int32, { default: 0, defaultPublished: true }),
});
export interface ScaleSpec extends t.Static<typeof ScaleSpec> {}

export const ScaleStatus = t.struct('apps/v1beta2.ScaleStatus', {
  replicas: t.always(1, t.int32),
  selector: t.optional(2, t.atomicMap(t.string)),
  targetSelector: t.optional(3, t.string),
});
export interface ScaleStatus extends t.Static<typeof ScaleStatus> {}

export const Scale = t.kind('apps/v1beta2.Scale', 'apps/v1beta2', undefined, {
  metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
  spec: t.optional(2, ScaleSpec),
  status: t.optional(3, ScaleStatus),
});
export interface Scale extends t.Static<typeof Scale> {}
