/** `coxswain docs`: the documentation of this version, available offline. */

import { aborted } from '@coxswain/apimachinery';
import { commandFor, noArgs } from '@coxswain/cobra';
import { documents } from '../docs/docs-archive.ts';
import { serveDocs } from '../docs/docs-server.ts';
import type { ProgramIo } from '../program/program-io.ts';
import { port } from '../program/value-kinds.ts';

const command = commandFor<ProgramIo>();

export const docs = command({
  use: 'docs',
  short: 'Serve the documentation of this version',
  long: 'Serves the documentation of this version on this machine, search included, until interrupted. No network is needed.',
  example: '  coxswain docs\n  coxswain docs --port=8000',
  args: noArgs,
  flags: { port: port({ default: 0, usage: 'The HTTP port. 0 picks a free port.' }) },
  async run({ context: io, flags }) {
    const server = await serveDocs(documents(), flags.port);
    try {
      io.out.write(`Open ${server.link}\nCtrl-C ends it.\n`);
      await aborted(io.signal);
    } finally {
      await server.close();
    }
  },
});
