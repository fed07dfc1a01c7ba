/** The programs that tests start again and again; a separate pack makes them start faster. */

import type { Program } from './program.ts';

export const serverPrograms = {
  'kube-apiserver': {
    summary: 'Serve the Kubernetes API',
    load: async () => (await import('@coxswain/kube-apiserver/command.ts')).runKubeApiServer,
  },
  etcd: {
    summary: 'Serve the etcd v3 API over the embedded engine',
    load: async () => (await import('@coxswain/etcd/command.ts')).runEtcd,
  },
} satisfies Record<string, Program>;
