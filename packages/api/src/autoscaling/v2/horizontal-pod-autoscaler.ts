import * as t from '@coxswain/schema';
import { defaultAutoscaler } from './horizontal-pod-autoscaler-defaults.ts';
import { autoscalerColumns } from './horizontal-pod-autoscaler-columns.ts';
import { validateAutoscaler, validateAutoscalerStatus } from '../autoscaler-validation.ts';
import { HorizontalPodAutoscalerSpec } from './horizontal-pod-autoscaler-spec.ts';
import { HorizontalPodAutoscalerStatus } from './horizontal-pod-autoscaler-status.ts';

export const HorizontalPodAutoscaler = t.kind(
  'autoscaling/v2.HorizontalPodAutoscaler',
  'autoscaling/v2',
  { plural: 'horizontalpodautoscalers', shortNames: ['hpa'], categories: ['all'], namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, HorizontalPodAutoscalerSpec, { required: true }),
    status: t.optional(3, HorizontalPodAutoscalerStatus),
  },
  {
    defaults: [defaultAutoscaler],
    validate: validateAutoscaler,
    validateStatus: validateAutoscalerStatus,
    columns: autoscalerColumns,
  },
);
export interface HorizontalPodAutoscaler extends t.Static<typeof HorizontalPodAutoscaler> {}
