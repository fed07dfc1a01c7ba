/** Adds tolerations so that pods stay on an unreachable or unready node for a while, unless they have their own. */
import type { AdmissionPlugin } from '@coxswain/apiserver';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Toleration } from '@coxswain/api/core/v1/taint.ts';
import { isTo, objectOf, on } from '../attributes.ts';
import { resources } from '../../object-reader.ts';

export interface TolerationSeconds {
  readonly notReady: number;
  readonly unreachable: number;
}

const notReadyTaint = 'node.kubernetes.io/not-ready';
const unreachableTaint = 'node.kubernetes.io/unreachable';

export const defaultTolerationSeconds = (seconds: TolerationSeconds): AdmissionPlugin => ({
  name: 'DefaultTolerationSeconds',
  resources: [resources.pods],
  handles: on('CREATE', 'UPDATE'),
  mutate(attributes) {
    if (!isTo(attributes, resources.pods)) return;
    const { spec } = objectOf<Pod>(attributes);
    const tolerations = spec.tolerations ?? [];
    const missing = [
      { key: notReadyTaint, tolerationSeconds: seconds.notReady },
      { key: unreachableTaint, tolerationSeconds: seconds.unreachable },
    ].filter(({ key }) => !tolerations.some((toleration) => concerns(toleration, key)));
    if (missing.length === 0) return;
    spec.tolerations = [
      ...tolerations,
      ...missing.map(({ key, tolerationSeconds }): Toleration => ({
        key,
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds,
      })),
    ];
  },
});

/** An empty key or effect matches all of them. */
const concerns = ({ key, effect }: Toleration, taint: string): boolean =>
  (!key || key === taint) && (!effect || effect === 'NoExecute');
