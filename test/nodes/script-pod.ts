/** Pods of tests: one container with a shell script, and how far it has come. */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { busyboxImage } from './busybox-image.ts';

/** A pod of one container `c` that runs a script. */
export const scriptPod = (
  name: string,
  script: string,
  spec: object = {},
  container: object = {},
): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: {
    terminationGracePeriodSeconds: 1,
    ...spec,
    containers: [
      {
        name: 'c',
        image: busyboxImage,
        imagePullPolicy: 'IfNotPresent',
        command: ['sh', '-c', script],
        ...container,
      },
    ],
  },
});

export const isRunning = ({ status }: Pod): boolean =>
  status?.phase === 'Running' && (status.containerStatuses ?? []).every(({ state }) => state?.running);

export const isReady = ({ status }: Pod): boolean =>
  status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false;
