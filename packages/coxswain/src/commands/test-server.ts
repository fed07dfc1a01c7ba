/** `coxswain test-server`: a test cluster for tests in other languages. */

import { writeFile } from 'node:fs/promises';
import { aborted } from '@coxswain/apimachinery';
import { commandFor, int, noArgs, string, stringSlice } from '@coxswain/cobra';
import type { ProgramIo } from '../program-io.ts';

const command = commandFor<ProgramIo>();

export const testServer = command({
  use: 'test-server',
  short: 'Start a test cluster that is steered over HTTPS',
  long: 'Starts a cluster in memory for tests in any language, until it is interrupted. Beside the API of Kubernetes\nit serves /coxswain/v1/: idle, clock, snapshots, reset, faults, requests, components and nodes.',
  example: '  coxswain test-server --kubeconfig=test.kubeconfig --nodes=3\n  coxswain test-server --seed=42',
  args: noArgs,
  flags: {
    kubeconfig: string({
      usage: 'File to write the kubeconfig of the administrator to; else it is printed.',
    }),
    nodes: int({ default: 1, usage: 'How many simulated nodes to run.' }),
    controllers: stringSlice({
      default: ['*'],
      usage: "Controllers to run: '*' for all that are on by default, 'foo' for one, '-foo' for all but one.",
    }),
    clock: string({
      default: 'virtual',
      usage: "Whose time: 'virtual', which passes when it is told to, or 'system'.",
    }),
    seed: string({ usage: 'Where all that is random comes from; of chance when absent.' }),
  },
  async run({ context: io, flags }) {
    const { createCluster } = await import('../testing/create-cluster.ts');
    const cluster = await createCluster({
      nodes: flags.nodes,
      controllers: flags.controllers,
      clock: clockOf(flags.clock),
      ...(flags.seed !== '' && { seed: seedOf(flags.seed) }),
      log: (line) => void io.err.write(`${line}\n`),
    });
    try {
      const kubeconfig = await cluster.kubeconfig();
      if (flags.kubeconfig === '') io.out.write(kubeconfig);
      else await writeFile(flags.kubeconfig, kubeconfig, { mode: 0o600 });
      io.err.write(`Ready. The seed is ${cluster.seed}. Ctrl-C stops it.\n`);
      await aborted(io.signal);
    } finally {
      await cluster.stop();
    }
  },
});

function clockOf(text: string): 'virtual' | 'system' {
  if (text === 'virtual' || text === 'system') return text;
  throw new Error(`--clock must be "virtual" or "system", not "${text}"`);
}

function seedOf(text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new Error(`--seed must be a number, not "${text}"`);
}
