import * as v1 from '@coxswain/api/resource/v1/index.ts';
import * as v1alpha3 from '@coxswain/api/resource/v1alpha3/index.ts';
import * as v1beta1 from '@coxswain/api/resource/v1beta1.ts';
import * as v1beta2 from '@coxswain/api/resource/v1beta2.ts';
import { onRequest, resource, served, type Group } from '../resource.ts';
import type { AnyObject } from '../any-object.ts';
import { adminAccess } from './admin-access.ts';
import { dropDeallocatedDevices } from './claim-status.ts';
import { claimTemplateV1beta1, claimV1beta1, deviceClassV1beta1 } from './convert-claim-v1beta1.ts';
import { claimStatusRights } from './status-rights.ts';
import { sliceV1beta1 } from './convert-slice-v1beta1.ts';
import { restartTaint } from './taint-rule.ts';

const returnDeletedObject = true;

const claimInTemplate = ({ spec }: AnyObject): v1.ResourceClaimSpec | undefined =>
  (spec as v1.ResourceClaimTemplateSpec | undefined)?.spec;

export const resourceGroup: Group = {
  name: 'resource.k8s.io',
  versions: [served('v1'), onRequest('v1beta2'), onRequest('v1beta1'), onRequest('v1alpha3')],
  resources: [
    resource(v1.DeviceClass, {
      gatedMembers: ['spec'],
      generation: 'spec',
      returnDeletedObject,
      alsoAs: [{ kind: v1beta2.DeviceClass }, { kind: v1beta1.DeviceClass, conversion: deviceClassV1beta1 }],
    }),
    resource(v1.ResourceClaim, {
      serverStrategy: adminAccess(({ spec }) => spec as v1.ResourceClaimSpec),
      gatedMembers: ['spec'],
      status: {
        keepsMetadata: 'all',
        prepareForUpdate: dropDeallocatedDevices,
        serverStrategy: claimStatusRights,
        hasTable: false,
      },
      returnDeletedObject,
      alsoAs: [{ kind: v1beta2.ResourceClaim }, { kind: v1beta1.ResourceClaim, conversion: claimV1beta1 }],
    }),
    resource(v1.ResourceClaimTemplate, {
      serverStrategy: adminAccess(claimInTemplate),
      gatedMembers: ['spec'],
      returnDeletedObject,
      alsoAs: [
        { kind: v1beta2.ResourceClaimTemplate },
        { kind: v1beta1.ResourceClaimTemplate, conversion: claimTemplateV1beta1 },
      ],
    }),
    resource(v1.ResourceSlice, {
      generation: { onCreate: true, on: ['spec'], countsDropped: true },
      gatedMembers: ['spec'],
      returnDeletedObject,
      alsoAs: [{ kind: v1beta2.ResourceSlice }, { kind: v1beta1.ResourceSlice, conversion: sliceV1beta1 }],
    }),
    resource(v1alpha3.DeviceTaintRule, {
      status: { keepsMetadata: 'all' },
      generation: 'spec',
      prepareForUpdate: restartTaint,
      returnDeletedObject,
      alsoAs: [{ kind: v1beta2.DeviceTaintRule }],
    }),
    resource(v1alpha3.ResourcePoolStatusRequest, {
      status: { keepsMetadata: 'all' },
      returnDeletedObject,
      allowUnconditionalUpdate: false,
    }),
  ],
};
