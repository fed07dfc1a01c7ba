/** `coxswain restore`: recreates the objects of a backup in a cluster. */
import { commandFor, exactArgs, string } from '@coxswain/cobra';
import { systemClock } from '@coxswain/apimachinery';
import { checkBackup, objectsIn } from '../backup/backup-file.ts';
import { Restorer } from '../backup/restore-objects.ts';
import type { ProgramIo } from '../program/program-io.ts';
import { contextFlag, withAnyCluster } from './any-cluster.ts';

const command = commandFor<ProgramIo>();

export const restore = command({
  use: 'restore FILE',
  short: 'Create the objects of a backup in a cluster',
  long: 'Creates the objects of a file that "coxswain backup" wrote, in any Kubernetes cluster: namespaces and definitions\nfirst, owners before what they own, admission webhooks last. Objects that exist are left as they are. The file is\nverified before anything is created. Fails if an object is refused, after trying all others.',
  example: '  coxswain restore monday.jsonl\n  coxswain restore --context=staging monday.jsonl',
  args: exactArgs(1),
  flags: { kubeconfig: string({ usage: 'The kubeconfig file to use.' }), context: contextFlag },
  async run({ context: io, args, flags }) {
    const [file] = args as [string];
    const { objects, takenAt } = await checkBackup(file);
    const { restored, found, notes, failures } = await withAnyCluster(io, flags, (client) =>
      new Restorer(client, systemClock).restore(objectsIn(file), io.signal),
    );
    for (const note of notes) io.err.write(`${note}\n`);
    for (const failure of failures) io.err.write(`${failure}\n`);
    io.out.write(`Restored ${restored} of ${objects} objects of ${takenAt}; ${found} existed.\n`);
    if (failures.length > 0)
      throw new Error(`${failures.length} ${failures.length === 1 ? 'object was' : 'objects were'} refused`);
  },
});
