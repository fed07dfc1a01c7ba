/** `coxswain explain pod web-1`: what the scheduler thinks of each node. */
import { readFileSync } from 'node:fs';
import { bool, exactArgs, string } from '@coxswain/cobra';
import { explainPlacement, usableConfiguration } from '@coxswain/kube-scheduler';
import { renderPlacement } from '../../explain/render-placement.ts';
import { accessCommand, connectionFlags, withCluster } from '../access-flags.ts';

export const pod = accessCommand({
  use: 'pod NAME',
  short: 'Print why a pod is on its node, or on none',
  long: 'Prints for every node which plugins of the scheduler refuse the pod, and why, and how the others score it. A pod\nthat has its node already is looked at as if it had none, among the pods that are there now. Any Kubernetes API\nserver can be asked; nothing is written. Extenders of the configuration are asked, too.',
  example: '  coxswain explain pod web-7887448d46-k58pt\n  coxswain explain pod web-1 -n shop --json',
  args: exactArgs(1),
  flags: {
    ...connectionFlags,
    config: string({ usage: 'The configuration of the scheduler, for its profiles and extenders.' }),
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
