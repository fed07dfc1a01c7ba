/** The name server of a cluster, which simulated pods reach like any other pod. */

import type { Pod } from '@coxswain/api/core/v1/pod.ts';

/** Its address, as in clusters made by kubeadm. */
export const nameServerAddress = '10.96.0.10';
export const nameServerPort = 53;

/** The labels of upstream's DNS pods, which policies that allow DNS select. */
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
