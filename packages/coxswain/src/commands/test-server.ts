/** `coxswain test-server`: runs a test cluster for tests in other languages. */

import type { Readable } from 'node:stream';
import { aborted, startedUnlessAborted } from '@coxswain/apimachinery';
import { bool, choice, commandFor, noArgs, string, stringSlice } from '@coxswain/cobra';
import { mustBeWritable, writePrivateFile } from '@coxswain/storage/directory/private-files.ts';
import { simulationHelp } from '@coxswain/simulated-nodes/behaviour/annotation-table.ts';
import type { ProgramIo } from '../program/program-io.ts';
import { mustBeFree } from '../up/free-port.ts';
import { address, kubernetesVersion, port, simulatedNodes } from '../program/value-kinds.ts';

const command = commandFor<ProgramIo>();

export const testServer = command({
  use: 'test-server',
  short: 'Start a test cluster that is controlled over HTTPS',
  long: `Starts an in-memory cluster for tests in any language and runs until interrupted. In addition to the Kubernetes API\nit serves /coxswain/v1/: idle, clock, snapshots, reset, faults, requests, components and nodes.\n\n${simulationHelp()}`,
  example: '  coxswain test-server --kubeconfig=test.kubeconfig --nodes=3\n  coxswain test-server --seed=42',
  args: noArgs,
  flags: {
    kubeconfig: string({
      usage: 'File to write the administrator kubeconfig to. Defaults to standard output.',
    }),
    port: port({ default: 0, usage: 'The HTTPS port. 0 picks a free port.' }),
    bindAddress: address({ default: '127.0.0.1', usage: 'The IP address to listen on.' }),
    nodes: simulatedNodes({ default: 1, usage: 'The number of simulated nodes.' }),
    controllers: stringSlice({
      default: ['*'],
      usage:
        "Controllers to run. '*' enables all that are on by default, 'foo' enables the controller named foo, '-foo' disables it.",
    }),
    kubernetesVersion: kubernetesVersion({
      usage: 'The version of Kubernetes to behave as, such as 1.34. Defaults to the newest.',
    }),
    clock: choice(['virtual', 'system'])({
      usage: "The clock of the cluster: 'virtual' advances only on request, 'system' is real time.",
    }),
    stopWithInput: bool({
      usage:
        'Also stop when standard input is closed, as happens when the process that started the server ends.',
    }),
    ui: bool({ usage: 'Serve a page that shows the cluster in the browser, and print its link.' }),
    seed: string({ usage: 'Seed for everything that is random in the cluster. Random if unset.' }),
  },
  async run({ context: io, flags }) {
    const seed = flags.seed === '' ? {} : { seed: seedOf(flags.seed) };
    if (flags.kubeconfig !== '') mustBeWritable(flags.kubeconfig);
    const { enabledControllers } = await import('@coxswain/kube-controller-manager');
    enabledControllers(flags.controllers);
    await mustBeFree(flags.bindAddress, flags.port, io.env);
    const { createCluster } = await import('../testing/create-cluster.ts');
    const starting = createCluster({
      nodes: flags.nodes,
      controllers: flags.controllers,
      clock: flags.clock,
      port: flags.port,
      bindAddress: flags.bindAddress,
      ...seed,
      ...(flags.kubernetesVersion !== '' && { version: flags.kubernetesVersion }),
      log: (line) => void io.err.write(`${line}\n`),
    });
    const cluster = await startedUnlessAborted(io.signal, starting, (started) => started.stop());
    if (cluster === undefined) return;
    try {
      const kubeconfig = await cluster.kubeconfig();
      if (flags.kubeconfig === '') io.out.write(kubeconfig);
      else writePrivateFile(flags.kubeconfig, kubeconfig);
      if (flags.ui) io.err.write(`UI  ${await cluster.ui()}\n`);
      io.err.write(`Ready. The seed is ${cluster.seed}. Ctrl-C stops it.\n`);
      await (flags.stopWithInput ? Promise.race([aborted(io.signal), closed(io.input)]) : aborted(io.signal));
    } finally {
      await cluster.stop();
    }
  },
});

function closed(input: Readable): Promise<void> {
  return new Promise((resolve) => {
    input
      .once('close', resolve)
      .once('end', resolve)
      .once('error', () => resolve());
    input.resume();
  });
}

function seedOf(text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new Error(`invalid --seed "${text}": must be a number of at most 10 digits`);
}
