import { bool, commandFor, exactArgs, int } from '@coxswain/cobra';
import type { ProgramIo } from '../../program/program-io.ts';
import { showSecrets, shownValue, type ShownValue } from './shown-value.ts';
import { withStore } from './store-directory.ts';

const command = commandFor<ProgramIo>();

export const get = command({
  use: 'get DIR KEY',
  short: 'Print the value of a key',
  long: 'Prints the value stored under a key: UTF-8 text as is, anything else base64-encoded. With --revision, prints the value at\nthat revision, if it has not been compacted. The values of Secrets are hidden unless --show-secrets is set.',
  example:
    '  coxswain storage get data /registry/pods/default/web\n  coxswain storage get data /registry/pods/default/web --meta',
  args: exactArgs(2),
  flags: {
    revision: int({ usage: 'Print the value at this revision. 0 means the current one.' }),
    showSecrets,
    meta: bool({ usage: 'Print revisions, version and lease instead of the value.' }),
  },
  async run({ context: io, args, flags }) {
    const [directory, key] = args as [string, string];
    await withStore(directory, io, async (storage) => {
      const entry = await storage.get(key, flags.revision === 0 ? {} : { revision: flags.revision });
      if (entry === undefined) throw new Error(`key ${key} not found`);
      const { createRevision, modRevision, version, leaseId, value } = entry;
      const meta = {
        key,
        createRevision,
        modRevision,
        version,
        lease: String(leaseId ?? 0n),
        bytes: value.length,
      };
      if (flags.meta) io.out.write(`${JSON.stringify(meta, undefined, 2)}\n`);
      else io.out.write(textOf(shownValue(entry, flags.showSecrets)));
    });
  },
});

const textOf = (shown: ShownValue): string => ('value' in shown ? shown.value : `${shown.base64}\n`);
