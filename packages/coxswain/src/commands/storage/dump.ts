import { bool, commandFor, exactArgs, string } from '@coxswain/cobra';
import { prefixRange, type Entry } from '@coxswain/storage';
import type { ProgramIo } from '../../program-io.ts';
import { showSecrets, shownValue } from './shown-value.ts';
import { withStore } from './store-directory.ts';

const command = commandFor<ProgramIo>();

/** Entries read at once. */
const pageEntries = 1_000;

export const dump = command({
  use: 'dump DIR',
  short: 'Print the keys, or all of it',
  long: 'Prints a line for each key: its revisions (create, mod), its version, the bytes of its value, and the key. With\n--values, a line of JSON for each entry; values that are not UTF-8 are in base64. The values of\nSecrets are hidden, unless --show-secrets is given.',
  example:
    '  coxswain storage dump data --prefix=/registry/pods/\n  coxswain storage dump data --values | gzip > all.jsonl.gz',
  args: exactArgs(1),
  flags: {
    prefix: string({ default: '/', usage: 'Only keys that begin so.' }),
    values: bool({ usage: 'Print the entries with their values, as lines of JSON.' }),
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
