import * as core from '@coxswain/api/core/v1/index.ts';
import { resource, served, type Group } from '../resource.ts';
import { scaleOf } from '../scale/scale-rule.ts';
import { binding } from './pod/binding.ts';
import { podSubresources } from './pod/pod-subresources.ts';
import { podStatusEndpoint, podServerStrategy, podStrategy } from './pod/pod-strategy.ts';
import { componentStatuses } from './component-statuses.ts';
import { limitRangeStrategy } from './limit-range-strategy.ts';
import { finalizeSubresource } from './namespace/finalize.ts';
import { namespaceStrategy } from './namespace/namespace-strategy.ts';
import { nodeStatusEndpoint, nodeStrategy } from './node/node-strategy.ts';
import { nodeSubresources } from './node/node-subresources.ts';
import {
  claimStrategy,
  volumeStatusEndpoint,
  volumeStrategy,
} from './persistent-volume/persistent-volume-strategy.ts';
import { secretStrategy } from './secret-strategy.ts';
import { serviceAllocation, serviceStrategy } from './service/service-strategy.ts';
import { serviceSubresources } from './service/service-subresources.ts';
import { serviceAccountStrategy } from './serviceaccount/service-account-strategy.ts';
import { tokenSubresource } from './serviceaccount/token-subresource.ts';
import { eventResource } from '../events/group.ts';

export const coreGroup: Group = {
  name: '',
  versions: [served('v1')],
  virtual: [binding, componentStatuses],
  resources: [
    resource(core.ConfigMap),
    resource(core.Endpoints, {
      prefix: 'services/endpoints',
      allowCreateOnUpdate: true,
      deprecation: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
    }),
    eventResource,
    resource(core.LimitRange, limitRangeStrategy),
    resource(core.Namespace, {
      ...namespaceStrategy,
      status: true,
      collectionDeletable: false,
      subresources: finalizeSubresource,
    }),
    resource(core.Node, {
      ...nodeStrategy,
      gatedMembers: ['spec', 'status'],
      prefix: 'minions',
      status: nodeStatusEndpoint,
      subresources: nodeSubresources,
    }),
    resource(core.PersistentVolumeClaim, {
      gatedMembers: ['spec', 'status'],
      returnDeletedObject: true,
      status: true,
      serverStrategy: claimStrategy,
      // Of `/status`, too: a creation stores no phase, which reading then defaults.
      isReadOtherwise: () => true,
    }),
    resource(core.PersistentVolume, {
      ...volumeStrategy,
      gatedMembers: ['spec'],
      status: volumeStatusEndpoint,
    }),
    resource(core.Pod, {
      ...podStrategy,
      serverStrategy: podServerStrategy,
      status: podStatusEndpoint,
      gatedMembers: ['spec', 'status'],
      subresources: podSubresources,
    }),
    resource(core.PodTemplate, {
      returnDeletedObject: true,
      generation: { onCreate: true, on: ['template'] },
      gatedMembers: ['template'],
    }),
    resource(core.ReplicationController, {
      prefix: 'controllers',
      status: { isDefaulted: true },
      generation: 'spec',
      scale: scaleOf.labelMap,
      gatedMembers: ['spec'],
      defaultGarbageCollection: 'orphan',
    }),
    resource(core.ResourceQuota, { status: true, returnDeletedObject: true }),
    resource(core.Secret, secretStrategy),
    resource(core.ServiceAccount, { ...serviceAccountStrategy, subresources: tokenSubresource }),
    resource(core.Service, {
      ...serviceStrategy,
      prefix: 'services/specs',
      status: { creates: 'by update' },
      serverStrategy: ({ services }) => serviceAllocation(services),
      subresources: serviceSubresources,
    }),
  ],
};
