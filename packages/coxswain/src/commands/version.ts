import { command } from '@coxswain/cobra';
import { coxswainVersion, kubernetesVersion } from '../version.ts';

export const version = command({
  use: 'version',
  short: 'Print the version',
  run: ({ io }) => void io.out.write(`coxswain ${coxswainVersion} (Kubernetes ${kubernetesVersion}, Node ${process.versions.node})\n`),
});
