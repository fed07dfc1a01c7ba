/** The name server of a cluster, which simulated pods reach as they reach other pods. */

import type { Pod } from '@coxswain/api/core/v1/pod.ts';

/** Where it is, as kubeadm and our clusters have it. */
export const nameServerAddress = '10.96.0.10';
export const nameServerPort = 53;

/** As the original's is labelled, since policies that let names be asked for select it so. */
export const nameServerPod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'coredns', namespace: 'kube-system', labels: { 'k8s-app': 'kube-dns' } },
  spec: {
    containers: [
      {
        name: 'coredns',
        ports: [
          { name: 'dns', containerPort: nameServerPort, protocol: 'UDP' },
          { name: 'dns-tcp', containerPort: nameServerPort, protocol: 'TCP' },
        ],
      },
    ],
  },
  status: { phase: 'Running', podIP: nameServerAddress },
} as unknown as Pod;
