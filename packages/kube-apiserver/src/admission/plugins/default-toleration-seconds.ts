/** Pods stay for a while on a node that can't be reached, unless they say how long. */
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

/** An empty key or effect stands for all of them. */
const concerns = ({ key, effect }: Toleration, taint: string): boolean =>
  (!key || key === taint) && (!effect || effect === 'NoExecute');
