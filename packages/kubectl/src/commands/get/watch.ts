/** `get --watch`: prints what exists, then changes. */
import type { KubeObject } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { toJson } from '../../encoding/json.ts';
import type { CommandContext } from '../../context.ts';
import { throwFailures } from '../../errors.ts';
import { alignTabs } from '../../printers/tab-writer.ts';
import { isTable, tablePrinter } from '../../printers/table.ts';
import { ResourceHelper } from '../../resource/resource-helper.ts';
import { isList, mappingOf } from '../../resource/info.ts';
import { itemsOf, onlyOne } from '../../resource/manifest-info.ts';
import { select, type Selection } from '../../resource/select.ts';
import { readWatchEvents } from '../../watch/events.ts';
import { untilTimeout } from '../../watch/until-timeout.ts';
import { isForPeople, structuredPrinter, tableOptions, type GetFlags } from './output.ts';
import { sortTable, Unsortable } from './sort.ts';
import { isNotFound } from '../../resource/fetch.ts';

type EventPrinter = (object: unknown, type: string) => string;

export async function watchObjects(
  context: CommandContext,
  flags: GetFlags,
  selection: Selection,
): Promise<void> {
  if (flags.sortBy !== '') {
    context.printError(
      flags.watch
        ? 'warning: --watch requested, --sort-by will be ignored for watch events received\n'
        : 'warning: --watch-only requested, --sort-by will be ignored\n',
    );
  }
  const selected = await select(context, { ...selection, flatten: false, singleResourceType: true });
  const { infos, failures } = await selected.collect();
  if (flags.ignoreNotFound && failures.length > 0 && failures.every(isNotFound)) return;
  throwFailures(failures);
  const [info] = infos;
  if (info?.object === undefined) throw new Error(onlyOne);
  const mapping = mappingOf(info);
  const withNamespace = selection.allNamespaces === true && mapping.namespaced;
  const print = isForPeople(flags)
    ? await terminalPrinter(context, flags, withNamespace)
    : eventPrinter(context, flags, withNamespace);
  const isCollection = info.name === '';
  if (!flags.watchOnly) {
    for (const one of infos)
      for (const object of objectsOf(one.object)) context.print(print(sorted(flags, object), 'ADDED'));
  }
  // A collection may have come in several parts.
  if (!isCollection && infos.length > 1) throw new Error(`${onlyOne} - ${infos.length} resources were found`);
  const helper = new ResourceHelper(await context.client(), mapping, selection.request);
  const namespace = selection.allNamespaces ? '' : info.namespace || selection.namespace;
  const body = await helper.watch(
    mapping.namespaced ? namespace : '',
    {
      labelSelector: selection.labelSelector || undefined,
      fieldSelector: isCollection ? selection.fieldSelector || undefined : `metadata.name=${info.name}`,
      resourceVersion: isCollection ? (info.object.metadata?.resourceVersion ?? '') : '0',
    },
    context.signal,
  );
  // The first event of a single object repeats its current state.
  let skip = !isCollection;
  for await (const { type, object } of untilTimeout(context, readWatchEvents<KubeObject>(body))) {
    if (!skip) context.print(print(object, type));
    skip = false;
  }
}

/** The initial objects are printed in the requested order. */
function sorted(flags: GetFlags, object: unknown): unknown {
  if (flags.sortBy === '' || !isTable(object)) return object;
  try {
    return sortTable(object, flags.sortBy);
  } catch (failure) {
    if (failure instanceof Unsortable) throw failure;
    throw new Error(`unable to output the provided object: ${messageOf(failure)}`, {
      cause: failure,
    });
  }
}

const objectsOf = (object: unknown): unknown[] =>
  isList(object) && !isTable(object) ? itemsOf(object) : [object];

/** On request, shows a single table that is updated, or colours. */
async function terminalPrinter(
  context: CommandContext,
  flags: GetFlags,
  withNamespace: boolean,
): Promise<EventPrinter> {
  const { color, live } = context.rich;
  const painter = color ? (await import('../../terminal/state-colors.ts')).tablePainter : undefined;
  if (live && !flags.outputWatchEvents) {
    const { liveTable } = await import('../../terminal/live-table.ts');
    const { rows } = context.io;
    const show = liveTable({
      lines: (table) =>
        alignTabs(tablePrinter({ ...tableOptions(flags), withNamespace }, () => context.clock.now())(table)),
      ...(painter === undefined ? {} : { painter }),
      rows: () => rows ?? defaultRows,
    });
    return show;
  }
  const print = eventPrinter(context, flags, withNamespace);
  if (painter === undefined) return print;
  const paint = painter();
  return (object, type) => paint(print(object, type));
}

/** The default for a terminal of unknown size. */
const defaultRows = 24;

function eventPrinter(context: CommandContext, flags: GetFlags, withNamespace: boolean): EventPrinter {
  if (!isForPeople(flags)) {
    const print = structuredPrinter(context, flags);
    if (flags.outputWatchEvents && flags.output === 'json') {
      return (object, type) => `{"type":${JSON.stringify(type)},"object":${toJson(object)}}\n`;
    }
    if (!flags.outputWatchEvents || flags.output === 'name') return (object) => print(object);
    return (object, type) =>
      flags.output.includes('custom-columns') ? print({ type, object: {} }) : print({ type, object });
  }
  const print = tablePrinter({ ...tableOptions(flags), withNamespace }, () => context.clock.now());
  // Columns keep the width of the first block.
  const remember: number[] = [];
  return (object, type) => alignTabs(print(object, flags.outputWatchEvents ? type : undefined), { remember });
}
