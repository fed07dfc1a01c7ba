/** Kinds whose status shows how far they are from the desired state. */

import type { GroupVersionResource, KubeObject } from '@coxswain/apimachinery';
import { useMemo } from 'preact/hooks';
import { lastChange, scaledBy, type Change } from '../../cluster/last-change.ts';
import type { LiveState } from '../../cluster/live-objects.ts';
import { objectSource } from '../../cluster/object-source.ts';
import { scopedSpec } from '../../cluster/scope.ts';
import { useLive } from '../../cluster/use-live.ts';
import type { Health } from '../../health/health.ts';
import { workloadHealth } from '../../health/workload-health.ts';

export interface OverviewWorkload extends KubeObject {
  readonly health: Health;
  readonly change: Change | undefined;
  readonly scaledBy: string | undefined;
}

interface WatchedKind extends GroupVersionResource {
  readonly kind: string;
}

const watched: readonly WatchedKind[] = [
  { group: 'apps', version: 'v1', resource: 'deployments', kind: 'Deployment' },
  { group: 'apps', version: 'v1', resource: 'statefulsets', kind: 'StatefulSet' },
  { group: 'apps', version: 'v1', resource: 'daemonsets', kind: 'DaemonSet' },
  { group: 'batch', version: 'v1', resource: 'jobs', kind: 'Job' },
  { group: '', version: 'v1', resource: 'persistentvolumeclaims', kind: 'PersistentVolumeClaim' },
  { group: '', version: 'v1', resource: 'services', kind: 'Service' },
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

export interface KindOfWorkloads {
  readonly resource: WatchedKind;
  readonly state: LiveState<OverviewWorkload>;
}

/** Returns the same list until something in it changes. */
export function useWorkloads(): readonly KindOfWorkloads[] {
  const states = specs.map((spec) => useLive(spec()));
  return useMemo(() => watched.map((resource, index) => ({ resource, state: states[index]! })), states);
}
