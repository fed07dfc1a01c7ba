import { createReadStream, readFileSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { commandFor, exactArgs, int, knownCommand, string } from '@coxswain/cobra';
import { restoreSnapshot } from '@coxswain/storage/engine/lmdb/restore-snapshot.ts';
import type { ProgramIo } from '../../program/program-io.ts';
import { writeWhole } from '../../program/write-whole.ts';
import { withStore } from './store-directory.ts';

const command = commandFor<ProgramIo>();

const save = command({
  use: 'save DIR|URL FILE',
  short: 'Save a data directory, or an etcd, with its history to a file',
  long: 'Writes a snapshot with all entries, their history and leases, protected by a checksum. The format is independent of\nthe layout of the data directory.\nOf an etcd, given by its URL, saves the snapshot that it makes of itself while it runs: restore that with\n"etcdutl snapshot restore".',
  example:
    '  coxswain storage snapshot save data monday.snapshot\n  coxswain storage snapshot save https://192.0.2.1:2379 monday.db --etcd-cafile=ca.crt --etcd-certfile=c.crt --etcd-keyfile=c.key',
  args: exactArgs(2),
  flags: {
    etcdCafile: string({ usage: 'File with the certificate authority of the etcd.' }),
    etcdCertfile: string({ usage: 'File with the certificate that is shown to the etcd.' }),
    etcdKeyfile: string({ usage: 'File with the key of that certificate.' }),
  },
  async run({ context: io, args, flags }) {
    const [directory, file] = args as [string, string];
    if (/^https?:\/\//.test(directory)) {
      const bytes = await saveEtcd(directory, file, flags);
      return void io.out.write(`Saved the etcd at ${directory} in ${file} (${bytes} bytes).\n`);
    }
    await withStore(directory, io, async ({ engine }) => {
      const bytes = await writeWhole(file, engine.snapshot());
      io.out.write(`Saved revision ${engine.revision} in ${file} (${bytes} bytes).\n`);
    });
  },
});

const restore = command({
  use: 'restore FILE DIR',
  short: 'Create a data directory from a snapshot',
  long: 'Creates a data directory, which must not contain a store. If writes made after the snapshot are lost, set --bump-revision\nto more than their number: clients that saw them then list again instead of mistaking later writes for them.',
  example: '  coxswain storage snapshot restore monday.snapshot data --bump-revision=1000000',
  args: exactArgs(2),
  flags: {
    bumpRevision: int({ usage: 'The number to add to the revision. If set, the history is not restored.' }),
  },
  async run({ context: io, args, flags }) {
    const [file, directory] = args as [string, string];
    if (flags.bumpRevision < 0) throw new Error('--bump-revision must not be negative');
    await access(file, constants.R_OK);
    const { revision, entries } = await restoreSnapshot(chunksOf(file), directory, flags);
    io.out.write(`Restored ${entries} entries at revision ${revision} in ${directory}.\n`);
  },
});

export const snapshot = command({
  use: 'snapshot',
  short: 'Save a data directory to a file, or restore it',
  args: knownCommand,
  commands: [save, restore],
});

interface EtcdFiles {
  readonly etcdCafile: string;
  readonly etcdCertfile: string;
  readonly etcdKeyfile: string;
}

/** Resolves with the size of the snapshot in bytes. */
async function saveEtcd(url: string, file: string, flags: EtcdFiles): Promise<number> {
  const { EtcdStorage } = await import('@coxswain/storage/etcd/etcd-storage.ts');
  const { etcdCafile: ca, etcdCertfile: cert, etcdKeyfile: key } = flags;
  const given = Object.entries({ ca, cert, key }).filter(([, name]) => name !== '');
  const tls = Object.fromEntries(given.map(([what, name]) => [what, readFileSync(name, 'utf8')]));
  const etcd = new EtcdStorage({ endpoints: [url], ...(given.length > 0 && { tls }) });
  try {
    await etcd.check(etcdMsMax);
    return await writeWhole(file, etcd.snapshot());
  } finally {
    await etcd.close();
  }
}

/** How long an etcd may take to answer. */
const etcdMsMax = 5_000;

/** Opened only when it is read, so that no file stays open otherwise. */
async function* chunksOf(file: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(file) as AsyncIterable<Uint8Array>;
}
