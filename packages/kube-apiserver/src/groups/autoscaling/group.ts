import { HorizontalPodAutoscaler as HorizontalPodAutoscalerV1 } from '@coxswain/api/autoscaling/v1/index.ts';
import { HorizontalPodAutoscaler } from '@coxswain/api/autoscaling/v2/index.ts';
import { resource, served } from '../resource.ts';
import type { Group } from '../resource.ts';
import { autoscalerV1Conversion } from './convert-v1.ts';

export const autoscalingGroup: Group = {
  name: 'autoscaling',
  versions: [served('v2'), served('v1')],
  resources: [
    resource(HorizontalPodAutoscaler, {
      status: true,
      alsoAs: [{ kind: HorizontalPodAutoscalerV1, conversion: autoscalerV1Conversion }],
    }),
  ],
};
