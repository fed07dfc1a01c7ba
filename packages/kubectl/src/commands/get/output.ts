/** The output of `get`: server-side tables, or one of the structured formats. */
import { readFailureText } from '@coxswain/apimachinery/system-message.ts';
import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { FlagValues } from '@coxswain/cobra';
import type { CommandContext } from '../../context.ts';
import { choosePrinter } from '../../printers/choose.ts';
import { customColumnsFilePrinter, customColumnsPrinter } from '../../printers/custom-columns.ts';
import type { Printer } from '../../printers/printer.ts';
import type { TableOptions } from '../../printers/table.ts';
import type { getFlags } from './flags.ts';

export type GetFlags = FlagValues<typeof getFlags>;

/** Whether the output is for people rather than programs. */
export const isForPeople = (flags: GetFlags): boolean =>
  (flags.output === '' && flags.template === '') || flags.output === 'wide';

/** Whether the server creates the table. */
const isServerTable = (flags: GetFlags): boolean =>
  flags.serverPrint &&
  isForPeople(flags) &&
  !flags.output.includes('custom-columns') &&
  flags.output !== 'yaml' &&
  !flags.output.includes('json');

/** Request options that make the server return a table. */
export const tableRequest = (flags: GetFlags) =>
  isServerTable(flags)
    ? {
        headers: {
          accept:
            'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json',
        },
        query: (flags.sortBy === '' ? {} : { includeObject: 'Object' }) as Readonly<Record<string, string>>,
      }
    : {};

export const tableOptions = (flags: GetFlags): TableOptions => ({
  noHeaders: flags.noHeaders,
  wide: flags.output === 'wide',
  showLabels: flags.showLabels,
  columnLabels: flags.labelColumns,
});

const columnFormats = ['custom-columns', 'custom-columns-file', 'wide'];

/** For all formats except the table. */
export function structuredPrinter(context: CommandContext, flags: GetFlags): Printer {
  const { output } = flags;
  const named = /^(custom-columns(?:-file)?)(?:=(.*))?$/s.exec(output);
  if (named === null) {
    return choosePrinter(flags, {
      workingDirectory: context.io.workingDirectory,
      moreFormats: columnFormats,
    });
  }
  const [, format, inline] = named;
  const value = flags.template === '' ? (inline ?? '') : flags.template;
  if (value === '') throw new Error('custom-columns format specified but no custom columns given');
  if (format === 'custom-columns') return customColumnsPrinter(value, flags.noHeaders);
  return customColumnsFilePrinter(readColumns(context, value));
}

function readColumns(context: CommandContext, file: string): string {
  try {
    return readFileSync(isAbsolute(file) ? file : join(context.io.workingDirectory, file), 'utf8');
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'EISDIR') return '';
    throw new Error(`error reading template ${file}, ${readFailureText(file, failure)}\n`, {
      cause: failure,
    });
  }
}
