import { HorizontalPodAutoscaler as HorizontalPodAutoscalerV1 } from '@coxswain/api/autoscaling/v1/index.ts';
import { defaultAutoscaler } from '@coxswain/api/autoscaling/v2/horizontal-pod-autoscaler-defaults.ts';
import { HorizontalPodAutoscaler } from '@coxswain/api/autoscaling/v2/index.ts';
import type { HorizontalPodAutoscaler as Autoscaler } from '@coxswain/api/autoscaling/v2/horizontal-pod-autoscaler.ts';
import { HorizontalPodAutoscaler as HorizontalPodAutoscalerV2beta1 } from '@coxswain/api/autoscaling/v2beta1.ts';
import { HorizontalPodAutoscaler as HorizontalPodAutoscalerV2beta2 } from '@coxswain/api/autoscaling/v2beta2.ts';
import { legacy, legacyVersion, resource, served, type Group } from '../resource.ts';
import { as } from '../any-object.ts';
import { autoscalerV1Conversion } from './convert-v1.ts';
import { autoscalerV2beta1Conversion } from './convert-v2beta1.ts';

export const autoscalingGroup: Group = {
  name: 'autoscaling',
  versions: [served('v2'), served('v1'), legacyVersion('v2beta1'), legacyVersion('v2beta2')],
  resources: [
    resource(HorizontalPodAutoscaler, {
      status: true,
      gatedMembers: ['spec'],
      // Objects written through v1 lack the defaults of v2, which are applied before storing.
      canonicalize: (object) => defaultAutoscaler(as<Autoscaler>(object)),
      alsoAs: [
        { kind: HorizontalPodAutoscalerV1, conversion: autoscalerV1Conversion },
        legacy(HorizontalPodAutoscalerV2beta1, { conversion: autoscalerV2beta1Conversion }),
        legacy(HorizontalPodAutoscalerV2beta2),
      ],
    }),
  ],
};
