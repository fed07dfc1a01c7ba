import { FlowSchema, PriorityLevelConfiguration } from '@coxswain/api/flowcontrol/v1/index.ts';
import * as v1beta1 from '@coxswain/api/flowcontrol/v1beta1.ts';
import * as v1beta2 from '@coxswain/api/flowcontrol/v1beta2.ts';
import * as v1beta3 from '@coxswain/api/flowcontrol/v1beta3.ts';
import { legacy, legacyVersion, resource, served, type Group } from '../resource.ts';
import { assuredSharesConversion, zeroSharesConversion } from './convert-priority-level.ts';

const status = { keepsMetadata: 'all' } as const;

export const flowcontrolGroup: Group = {
  name: 'flowcontrol.apiserver.k8s.io',
  versions: [served('v1'), legacyVersion('v1beta3'), legacyVersion('v1beta2'), legacyVersion('v1beta1')],
  resources: [
    resource(FlowSchema, {
      alsoAs: [legacy(v1beta3.FlowSchema), legacy(v1beta2.FlowSchema), legacy(v1beta1.FlowSchema)],
      status,
      generation: 'spec',
    }),
    resource(PriorityLevelConfiguration, {
      alsoAs: [
        legacy(v1beta3.PriorityLevelConfiguration, { conversion: zeroSharesConversion }),
        ...[v1beta2, v1beta1].map(({ PriorityLevelConfiguration: kind }) =>
          legacy(kind, { conversion: assuredSharesConversion(kind) }),
        ),
      ],
      status,
      generation: 'spec',
    }),
  ],
};
