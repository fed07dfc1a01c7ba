import { bool, commandFor, exactArgs, string } from '@coxswain/cobra';
import { prefixRange, type Entry } from '@coxswain/storage';
import type { ProgramIo } from '../../program/program-io.ts';
import { showSecrets, shownValue } from './shown-value.ts';
import { withStore } from './store-directory.ts';

const command = commandFor<ProgramIo>();

/** The number of entries read at once. */
const pageEntries = 1_000;

export const dump = command({
  use: 'dump DIR',
  short: 'Print all keys, optionally with their values',
  long: 'Prints a line for each key: create revision, mod revision, version, size of the value in bytes, and the key. With\n--values, prints each entry as a line of JSON; values that are not UTF-8 are base64-encoded. The values of\nSecrets are hidden unless --show-secrets is set.',
  example:
    '  coxswain storage dump data --prefix=/registry/pods/\n  coxswain storage dump data --values | gzip > all.jsonl.gz',
  args: exactArgs(1),
  flags: {
    prefix: string({ default: '/', usage: 'Print only keys with this prefix.' }),
    values: bool({ usage: 'Print each entry with its value, as a line of JSON.' }),
    showSecrets,
  },
  async run({ context: io, args, flags }) {
    await withStore(args[0]!, io, async (storage) => {
      const { start, end } = prefixRange(flags.prefix);
      const line = flags.values ? entryLine(flags.showSecrets) : keyLine;
      for (let from = start; ;) {
        const { entries, more } = await storage.list({ start: from, end }, { limit: pageEntries });
        io.out.write(entries.map(line).join(''));
        if (!more || io.signal.aborted) return;
        from = `${entries.at(-1)!.key}\0`;
      }
    });
  },
});

const keyLine = ({ key, createRevision, modRevision, version, value }: Entry): string =>
  `${[createRevision, modRevision, version, value.length].map((number) => String(number).padStart(8)).join(' ')}  ${key}\n`;

const entryLine =
  (showsSecrets: boolean) =>
  (entry: Entry): string => {
    const { key, createRevision, modRevision, version, leaseId } = entry;
    const lease = leaseId === undefined ? {} : { lease: String(leaseId) };
    return `${JSON.stringify({ key, createRevision, modRevision, version, ...lease, ...shownValue(entry, showsSecrets) })}\n`;
  };
