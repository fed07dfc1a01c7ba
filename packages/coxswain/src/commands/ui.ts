/** `coxswain ui`: serves a cluster's web page. */

import { commandFor, rangeArgs, string } from '@coxswain/cobra';
import { aborted } from '@coxswain/apimachinery';
import type { ProgramIo } from '../program/program-io.ts';
import { port } from '../program/value-kinds.ts';
import { savedRecording } from '../trace/saved-recording.ts';
import { uiOfKubeconfig } from '../ui/ui-of-kubeconfig.ts';
import { uiPortDefault } from '../ui/ui-port.ts';

const command = commandFor<ProgramIo>();

export const ui = command({
  use: 'ui [FILE]',
  short: 'Show a cluster, or a recording, in the browser',
  long: `Serves a page that shows the cluster of a kubeconfig, and acts on it with the rights of its user, until interrupted.\nWorks with any Kubernetes API server. The page is served on this machine only, and opens with the link that is printed;\na link works once. With FILE, the page shows that recording.`,
  example:
    '  coxswain ui\n  coxswain ui --kubeconfig=prod.kubeconfig --context=prod\n  coxswain ui recording.json',
  args: rangeArgs(0, 1),
  flags: {
    kubeconfig: string({ usage: 'The kubeconfig file to use.' }),
    context: string({ usage: 'The name of the kubeconfig context to use.' }),
    port: port({ default: uiPortDefault, usage: 'The HTTP port. 0 picks a free port.' }),
  },
  async run({ context: io, args: [file], flags, changed }) {
    const choice = { env: io.env, file: flags.kubeconfig, context: flags.context };
    const recording = file === undefined ? undefined : await savedRecording(file);
    const place = { port: flags.port, orAnother: !changed('port') };
    const server = await uiOfKubeconfig(choice, place, recording);
    try {
      io.out.write(`Open ${server.link()}\nThe link works once. Ctrl-C ends the page.\n`);
      await aborted(io.signal);
    } finally {
      await server.close();
    }
  },
});
