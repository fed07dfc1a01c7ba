/** `coxswain explain pod web-1`: shows how the scheduler rates each node. */
import { readFileSync } from 'node:fs';
import { bool, exactArgs, string } from '@coxswain/cobra';
import { explainPlacement, usableConfiguration } from '@coxswain/kube-scheduler';
import { renderPlacement } from '../../explain/render-placement.ts';
import { accessCommand, connectionFlags, withCluster } from '../access-flags.ts';

export const pod = accessCommand({
  use: 'pod NAME',
  short: 'Explain why a pod was, or was not, assigned to a node',
  long: 'Prints, for every node, which scheduler plugins reject the pod and why, and how the others score it. A pod that\nalready has a node is evaluated as if it had none, against the pods that exist now. Works with any Kubernetes API\nserver and writes nothing. Extenders in the configuration are called too.',
  example: '  coxswain explain pod web-7887448d46-k58pt\n  coxswain explain pod web-1 -n shop --json',
  args: exactArgs(1),
  flags: {
    ...connectionFlags,
    config: string({ usage: 'File with the scheduler configuration, for its profiles and extenders.' }),
    json: bool({ usage: 'Print JSON.' }),
  },
  run: ({ context: io, args: [name = ''], flags }) =>
    withCluster(io, flags, async ({ client, namespace }) => {
      const config =
        flags.config === '' ? {} : { config: await usableConfiguration(readFileSync(flags.config, 'utf8')) };
      const explained = await explainPlacement({ client, namespace, name, ...config });
      io.out.write(flags.json ? `${JSON.stringify(explained, undefined, 2)}\n` : renderPlacement(explained));
    }),
});
