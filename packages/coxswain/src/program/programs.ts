/** The programs contained in this one, by their upstream names. */

import type { Program } from './program.ts';
import { serverPrograms } from './server-programs.ts';

export const programs: Readonly<Record<string, Program>> = {
  kubectl: {
    summary: 'Control a cluster from the command line',
    load: async () => {
      const [{ runKubectl }, { processIo }] = await Promise.all([
        import('@coxswain/kubectl'),
        import('@coxswain/kubectl/process-io.ts'),
      ]);
      return (args) => runKubectl(args, processIo());
    },
  },
  ...serverPrograms,
  'kube-controller-manager': {
    summary: 'Run the controllers that reconcile the cluster',
    load: async () => (await import('@coxswain/kube-controller-manager')).runControllerManager,
  },
  'kube-scheduler': {
    summary: 'Assign pods to nodes',
    load: async () => (await import('@coxswain/kube-scheduler')).runKubeScheduler,
  },
  kubelet: {
    summary: 'Run the pods of a node',
    load: async () => {
      const [{ runKubelet }, { runSimulatedNodes }] = await Promise.all([
        import('@coxswain/kubelet/command.ts'),
        import('@coxswain/simulated-nodes/run-simulated-nodes.ts'),
      ]);
      return (args, io) => runKubelet(args, io, runSimulatedNodes);
    },
  },
  'kube-proxy': {
    summary: 'Route the traffic of services to pods',
    load: async () => (await import('@coxswain/kube-proxy')).runKubeProxy,
  },
};
