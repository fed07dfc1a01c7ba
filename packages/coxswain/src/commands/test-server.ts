/** `coxswain test-server`: a test cluster for tests in other languages. */

import { aborted, startedUnlessAborted } from '@coxswain/apimachinery';
import { choice, commandFor, noArgs, string, stringSlice } from '@coxswain/cobra';
import { mustBeWritable, writePrivateFile } from '@coxswain/storage/directory/private-files.ts';
import { simulationHelp } from '@coxswain/kubelet/simulated/annotation-table.ts';
import type { ProgramIo } from '../program-io.ts';
import { mustBeFree } from '../up/free-port.ts';
import { address, port, simulatedNodes } from './value-kinds.ts';

const command = commandFor<ProgramIo>();

export const testServer = command({
  use: 'test-server',
  short: 'Start a test cluster that is steered over HTTPS',
  long: `Starts a cluster in memory for tests in any language, until it is interrupted. Beside the API of Kubernetes\nit serves /coxswain/v1/: idle, clock, snapshots, reset, faults, requests, components and nodes.\n\n${simulationHelp()}`,
  example: '  coxswain test-server --kubeconfig=test.kubeconfig --nodes=3\n  coxswain test-server --seed=42',
  args: noArgs,
  flags: {
    kubeconfig: string({
      usage: 'File to write the kubeconfig of the administrator to; else it is printed.',
    }),
    port: port({ default: 0, usage: 'Port for HTTPS; 0 takes a free one.' }),
    bindAddress: address({ default: '127.0.0.1', usage: 'The address to serve at.' }),
    nodes: simulatedNodes({ default: 1, usage: 'How many simulated nodes to run.' }),
    controllers: stringSlice({
      default: ['*'],
      usage: "Controllers to run: '*' for all that are on by default, 'foo' for one, '-foo' for all but one.",
    }),
    clock: choice(['virtual', 'system'])({
      usage: "Whose time: 'virtual', which passes when it is told to, or 'system'.",
    }),
    seed: string({ usage: 'Where all that is random comes from; of chance when absent.' }),
  },
  async run({ context: io, flags }) {
    const seed = flags.seed === '' ? {} : { seed: seedOf(flags.seed) };
    if (flags.kubeconfig !== '') mustBeWritable(flags.kubeconfig);
    const { enabledControllers } = await import('@coxswain/kube-controller-manager');
    enabledControllers(flags.controllers);
    await mustBeFree(flags.bindAddress, flags.port);
    const { createCluster } = await import('../testing/create-cluster.ts');
    const starting = createCluster({
      nodes: flags.nodes,
      controllers: flags.controllers,
      clock: flags.clock,
      port: flags.port,
      bindAddress: flags.bindAddress,
      ...seed,
      log: (line) => void io.err.write(`${line}\n`),
    });
    const cluster = await startedUnlessAborted(io.signal, starting, (started) => started.stop());
    if (cluster === undefined) return;
    try {
      const kubeconfig = await cluster.kubeconfig();
      if (flags.kubeconfig === '') io.out.write(kubeconfig);
      else writePrivateFile(flags.kubeconfig, kubeconfig);
      io.err.write(`Ready. The seed is ${cluster.seed}. Ctrl-C stops it.\n`);
      await aborted(io.signal);
    } finally {
      await cluster.stop();
    }
  },
});

function seedOf(text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new Error(`--seed must be a number, not "${text}"`);
}
