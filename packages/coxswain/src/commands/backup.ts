/** `coxswain backup`: saves the objects of a cluster to a file. */
import { commandFor, exactArgs, string } from '@coxswain/cobra';
import { systemClock } from '@coxswain/apimachinery';
import { encodeBackup } from '../backup/backup-file.ts';
import { gatherObjects, type LeftOut } from '../backup/gather.ts';
import type { ProgramIo } from '../program/program-io.ts';
import { writeWhole } from '../program/write-whole.ts';
import { contextFlag, withAnyCluster } from './any-cluster.ts';

const command = commandFor<ProgramIo>();

export const backup = command({
  use: 'backup FILE',
  short: 'Save the objects of a cluster to a file',
  long: 'Reads the objects of a cluster through its API, which may be any Kubernetes cluster, and writes them as lines of JSON.\n"coxswain restore" creates them in the same cluster or another one. What controllers make again, what is true of this\ncluster only, and what has finished is left out, and counted. The file holds the values of Secrets: only its owner can read it.\nTo copy a whole store with its revisions, use "coxswain storage snapshot save".',
  example: '  coxswain backup monday.jsonl\n  coxswain backup --context=production monday.jsonl',
  args: exactArgs(1),
  flags: { kubeconfig: string({ usage: 'The kubeconfig file to use.' }), context: contextFlag },
  async run({ context: io, args, flags }) {
    const [file] = args as [string];
    const leftOut: LeftOut = new Map();
    let count = 0;
    const bytes = await withAnyCluster(io, flags, async (client) => {
      const { gitVersion } = await client.rest.request<{ gitVersion: string }>({
        verb: 'get',
        path: '/version',
      });
      const counted = async function* () {
        for await (const each of gatherObjects(client, leftOut)) {
          io.signal.throwIfAborted();
          count++;
          yield each;
        }
      };
      const takenAt = new Date(systemClock.now()).toISOString();
      return writeWhole(file, encodeBackup({ kubernetesVersion: gitVersion, takenAt }, counted()));
    });
    io.out.write(`Saved ${count} objects in ${file} (${bytes} bytes).\n`);
    for (const [why, number] of leftOut) io.out.write(`Left out ${number}: ${why}\n`);
  },
});
