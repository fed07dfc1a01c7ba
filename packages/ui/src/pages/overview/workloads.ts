/** Kinds whose status shows how far they are from the desired state. */

import type { GroupVersionResource, KubeObject, Live } from '@coxswain/apimachinery';
import { useMemo } from 'preact/hooks';
import { lastChange, scaledBy, type Change } from '../../cluster/last-change.ts';
import type { LiveState } from '../../cluster/live-objects.ts';
import { objectSource } from '../../cluster/object-source.ts';
import { scopedSpec } from '../../cluster/scope.ts';
import { inLanguages } from '../../language/language.ts';
import { useLive } from '../../cluster/use-live.ts';
import type { Health } from '../../health/health.ts';
import { endpointSliceHealth } from '../../health/endpoint-slice-health.ts';
import { workloadHealth } from '../../health/workload-health.ts';
import type { EndpointSlice } from '@coxswain/api/discovery/v1/endpoint-slice.ts';

export interface OverviewWorkload extends KubeObject {
  readonly health: Health;
  readonly change: Change | undefined;
  readonly scaledBy: string | undefined;
}

interface WatchedKind extends GroupVersionResource {
  readonly kind: string;
}

const text = inLanguages({ noEndpoints: 'No endpoints' }, { noEndpoints: '没有端点' });

const services: WatchedKind = { group: '', version: 'v1', resource: 'services', kind: 'Service' };

const watched: readonly WatchedKind[] = [
  { group: 'apps', version: 'v1', resource: 'deployments', kind: 'Deployment' },
  { group: 'apps', version: 'v1', resource: 'statefulsets', kind: 'StatefulSet' },
  { group: 'apps', version: 'v1', resource: 'daemonsets', kind: 'DaemonSet' },
  { group: 'batch', version: 'v1', resource: 'jobs', kind: 'Job' },
  { group: '', version: 'v1', resource: 'persistentvolumeclaims', kind: 'PersistentVolumeClaim' },
  services,
  { group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap' },
];

const specs = watched.map((kind) =>
  scopedSpec({
    key: `overview ${kind.resource}`,
    kind,
    sourceOf: (objects) =>
      objectSource(objects, {}, (object): OverviewWorkload => {
        const { uid, namespace, name, resourceVersion } = object.metadata;
        return {
          metadata: { uid, namespace, name, resourceVersion } as KubeObject['metadata'],
          health: workloadHealth(kind.kind, object),
          change: lastChange(object.metadata),
          scaledBy: scaledBy(object.metadata),
        };
      }),
  }),
);

const endpointSlices = scopedSpec<Live<EndpointSlice>, OverviewWorkload>({
  key: 'overview endpoint slices',
  kind: { group: 'discovery.k8s.io', version: 'v1', resource: 'endpointslices' },
  sourceOf: (slices) => objectSource(slices, {}, ofService),
});

/** What a slice says of its Service. Endpoints that are not ready show in the health of their pods. */
function ofService(slice: Live<EndpointSlice>): OverviewWorkload {
  const { uid, namespace, labels, resourceVersion } = slice.metadata;
  const name = labels?.['kubernetes.io/service-name'];
  const isEmpty = name !== undefined && (slice.endpoints ?? []).length === 0;
  return {
    metadata: { uid, namespace, name, resourceVersion } as KubeObject['metadata'],
    health: isEmpty
      ? { ...endpointSliceHealth(slice), state: text().noEndpoints }
      : { tone: 'ok', state: '', reason: '' },
    change: undefined,
    scaledBy: undefined,
  };
}

export interface KindOfWorkloads {
  readonly resource: WatchedKind;
  readonly state: LiveState<OverviewWorkload>;
}

/** Returns the same list until something in it changes. */
export function useWorkloads(): readonly KindOfWorkloads[] {
  const states = specs.map((spec) => useLive(spec()));
  const slices = useLive(endpointSlices());
  return useMemo(
    () => [
      ...watched.map((resource, index) => ({ resource, state: states[index]! })),
      { resource: services, state: slices },
    ],
    [...states, slices],
  );
}
