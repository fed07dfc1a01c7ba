import { bool, string, stringSlice, type FlagValues } from '@coxswain/cobra';
import type { KubeObject } from '@coxswain/apimachinery';
import type { ApiClient } from '../api-client.ts';
import { command } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { goSort } from '@coxswain/apimachinery/go-sort.ts';
import { eventInterval, eventLastSeen, type Event } from '../describers/events.ts';
import { printFlags } from '../flags/print.ts';
import { allNamespacesFlag, chunkSizeFlag } from '../flags/object-flags.ts';
import { alignTabs } from '../printers/tab-writer.ts';
import { escapeTerminal } from '../printers/table.ts';
import { groupVersionOf, resourcePath } from '../mapping.ts';
import { pages } from '../resource/pages.ts';
import { readWatchEvents } from '../watch/events.ts';
import { untilTimeout } from '../watch/until-timeout.ts';

const flags = {
  ...printFlags,
  ...allNamespacesFlag,
  ...chunkSizeFlag,
  for: string({ usage: 'Filter events to those about this object, as TYPE/NAME.' }),
  noHeaders: bool({ usage: "Don't print column headings." }),
  types: stringSlice({ usage: 'Show only events of these types: Normal, Warning.' }),
  watch: bool({ shorthand: 'w', usage: 'List the events, then watch for new ones.' }),
};

type Flags = FlagValues<typeof flags>;

export const events = command({
  use: 'events [(-o|--output=)json|yaml|kyaml|name|go-template|go-template-file|template|templatefile|jsonpath|jsonpath-as-json|jsonpath-file] [--for TYPE/NAME] [--watch] [--types=Normal,Warning]',
  long: 'List events, newest last, in a namespace, in all namespaces, or about a single object.',
  example: `  # Of the namespace
  kubectl events

  # About a pod, and those to come
  kubectl events --for=pod/web --watch

  # Only warnings
  kubectl events --types=Warning`,
  disableFlagsInUseLine: true,
  flags,
  async run({ context, flags: given }) {
    const client = await context.client();
    const { namespace } = await context.namespace();
    const path = resourcePath(
      { group: '', version: 'v1', resource: 'events', namespaced: true },
      given.allNamespaces ? '' : namespace,
    );
    const fieldSelector = given.for === '' ? undefined : await selectorFor(context, given.for);
    const source = { path, fieldSelector };
    const print = await eventPrinter(context, given);
    if (given.types.some((type) => !['normal', 'warning'].includes(type.toLowerCase()))) {
      throw new Error('valid --types are Normal or Warning');
    }
    if (given.watch) return follow(context, client, source, given, print);
    const items = await listAll(client, source, given.chunkSize);
    const shown = goSort(items.filter(isWanted(given)), (a, b) => eventLastSeen(a) < eventLastSeen(b));
    if (shown.length > 0) return context.print(print(shown));
    context.printError(
      given.allNamespaces ? 'No events found.\n' : `No events found in ${namespace} namespace.\n`,
    );
  },
});

interface EventSource {
  readonly path: string;
  readonly fieldSelector: string | undefined;
}

async function listAll(
  client: ApiClient,
  { path, fieldSelector }: EventSource,
  chunkSize: number,
): Promise<Event[]> {
  const items: Event[] = [];
  const query = { fieldSelector, limit: String(chunkSize) };
  const read = (token: string | undefined) =>
    client.request<EventList>({ method: 'GET', path, query: { ...query, continue: token } });
  for await (const list of pages(read)) items.push(...(list.items ?? []));
  return items;
}

/** Prints existing events in the server's order, then new ones, each on its own line. */
async function follow(
  context: CommandContext,
  client: ApiClient,
  { path, fieldSelector }: EventSource,
  given: Flags,
  print: EventPrinter,
): Promise<void> {
  const query = { fieldSelector, limit: String(given.chunkSize), watch: 'true' };
  const { signal } = context;
  const body = await client.stream({ method: 'GET', path, query, ...(signal ? { signal } : {}) });
  for await (const { type, object } of untilTimeout(context, readWatchEvents<Event>(body))) {
    if (type !== 'DELETED' && isWanted(given)(object)) context.print(print([object], true));
  }
}

interface EventList {
  readonly items?: readonly Event[];
  readonly metadata?: { readonly continue?: string };
}

const isWanted =
  ({ types }: Flags) =>
  ({ type = '' }: Event): boolean =>
    types.length === 0 || types.some((wanted) => wanted.toLowerCase() === type.toLowerCase());

async function selectorFor(context: CommandContext, subject: string): Promise<string> {
  const [type = '', name, ...more] = subject.split('/');
  if (name === undefined) throw new Error('--for must be in resource/name form');
  if (more.length > 0) throw new Error('arguments in resource/name form may not have more than one slash');
  if (type === '') throw new Error('a resource must be present, got: /, Resource=');
  const mapping = await (await context.mapper()).forResource(type);
  return Object.entries({ kind: mapping.kind, apiVersion: groupVersionOf(mapping), name })
    .map(([field, value]) => `involvedObject.${field}=${value}`)
    .join(',');
}

/** Prints a list of events, or a single event of a watch. */
type EventPrinter = (events: readonly Event[], isSingle?: boolean) => string;

async function eventPrinter(context: CommandContext, given: Flags): Promise<EventPrinter> {
  if (given.output !== '') {
    const print = await context.printer(given, { order: 'declared' });
    return (shown, isSingle = false) => {
      const items = shown.map((event) => ({ kind: 'Event', apiVersion: 'v1', ...event }) as KubeObject);
      if (isSingle) return items.map(print).join('');
      return given.output === 'name'
        ? ''
        : print({ kind: 'EventList', apiVersion: 'v1', metadata: {}, items });
    };
  }
  const remember: number[] = [];
  let heading = given.noHeaders
    ? ''
    : `${given.allNamespaces ? 'NAMESPACE\t' : ''}LAST SEEN\tTYPE\tREASON\tOBJECT\tMESSAGE\n`;
  return (shown) => {
    const rows = shown.map((event) => {
      const { type = '', reason = '', message = '', involvedObject, metadata } = event;
      const subject = `${involvedObject?.kind ?? ''}/${involvedObject?.name ?? ''}`;
      const reported = [type, reason, subject, message.trim()].map(escapeTerminal).join('\t');
      const place = given.allNamespaces ? `${metadata.namespace ?? ''}\t` : '';
      return `${place}${eventInterval(event, context.clock.now())}\t${reported}\n`;
    });
    const text = alignTabs(heading + rows.join(''), { remember });
    heading = '';
    return text;
  };
}
