import { bool, string, stringSlice, type FlagValues } from '@coxswain/cobra';
import type { KubeObject } from '@coxswain/apimachinery';
import { command } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { eventInterval, eventLastSeen, type Event } from '../describers/events.ts';
import { printFlags } from '../flags/print.ts';
import { allNamespacesFlag, chunkSizeFlag } from '../flags/shared.ts';
import { alignTabs } from '../printers/tab-writer.ts';
import { readWatchEvents } from '../watch/events.ts';

const flags = {
  ...printFlags,
  ...allNamespacesFlag,
  ...chunkSizeFlag,
  for: string({ usage: 'Only those about this object, as TYPE/NAME.' }),
  noHeaders: bool({ usage: 'Leave the column headings out.' }),
  types: stringSlice({ usage: 'Only these types: Normal, Warning.' }),
  watch: bool({ shorthand: 'w', usage: 'Go on with new ones.' }),
};

type Flags = FlagValues<typeof flags>;

export const events = command({
  use: 'events [(-o|--output=)json|yaml|kyaml|name|go-template|go-template-file|template|templatefile|jsonpath|jsonpath-as-json|jsonpath-file] [--for TYPE/NAME] [--watch] [--types=Normal,Warning]',
  long: 'List events, the latest last. Of a namespace, of all, or those about one object.',
  example: `  # Of the namespace
  kubectl events

  # About a pod, and those to come
  kubectl events --for=pod/web --watch

  # Only warnings
  kubectl events --types=Warning`,
  disableFlagsInUseLine: true,
  flags,
  async run({ context, flags: given }) {
    if (given.types.some((type) => !['normal', 'warning'].includes(type.toLowerCase()))) {
      throw new Error('valid --types are Normal or Warning');
    }
    const client = await context.client();
    const { namespace } = await context.namespace();
    const path = given.allNamespaces ? '/api/v1/events' : `/api/v1/namespaces/${namespace}/events`;
    const fieldSelector = given.for === '' ? undefined : await selectorFor(context, given.for);
    const items: Event[] = [];
    let resourceVersion = '';
    let next: string | undefined;
    do {
      const query = { fieldSelector, limit: String(given.chunkSize), continue: next };
      const list: EventList = await client.request<EventList>({ method: 'GET', path, query });
      items.push(...(list.items ?? []));
      resourceVersion = list.metadata?.resourceVersion ?? '';
      next = list.metadata?.continue || undefined;
    } while (next !== undefined);
    const shown = items.filter(isWanted(given)).sort((a, b) => eventLastSeen(a) - eventLastSeen(b));
    const print = await eventPrinter(context, given);
    if (shown.length === 0 && !given.watch) {
      context.printError(
        given.allNamespaces ? 'No events found.\n' : `No events found in ${namespace} namespace.\n`,
      );
      return;
    }
    context.print(print(shown));
    if (!given.watch) return;
    const query = { fieldSelector, resourceVersion, watch: 'true' };
    const body = await client.stream({
      method: 'GET',
      path,
      query,
      ...(context.signal ? { signal: context.signal } : {}),
    });
    for await (const { type, object } of readWatchEvents<Event>(body)) {
      if (type !== 'DELETED' && isWanted(given)(object)) context.print(print([object]));
    }
  },
});

interface EventList {
  readonly items?: readonly Event[];
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
}

const isWanted =
  ({ types }: Flags) =>
  ({ type = '' }: Event): boolean =>
    types.length === 0 || types.some((wanted) => wanted.toLowerCase() === type.toLowerCase());

async function selectorFor(context: CommandContext, subject: string): Promise<string> {
  const [type = '', name = '', ...more] = subject.split('/');
  if (type === '' || name === '' || more.length > 0) throw new Error('--for must be in resource/name form');
  const { kind } = await (await context.mapper()).forArgument(type);
  return `involvedObject.kind=${kind},involvedObject.name=${name}`;
}

async function eventPrinter(
  context: CommandContext,
  given: Flags,
): Promise<(events: readonly Event[]) => string> {
  if (given.output === 'name') return () => '';
  if (given.output !== '') {
    const print = await context.printer(given, { order: 'declared' });
    return (shown) =>
      print({
        kind: 'EventList',
        apiVersion: 'v1',
        metadata: {},
        items: shown.map((event) => ({ kind: 'Event', apiVersion: 'v1', ...event }) as KubeObject),
      });
  }
  const remember: number[] = [];
  let heading = given.noHeaders
    ? ''
    : `${given.allNamespaces ? 'NAMESPACE\t' : ''}LAST SEEN\tTYPE\tREASON\tOBJECT\tMESSAGE\n`;
  return (shown) => {
    const rows = shown.map((event) => {
      const { type = '', reason = '', message = '', involvedObject, metadata } = event;
      const subject = `${involvedObject?.kind ?? ''}/${involvedObject?.name ?? ''}`;
      const place = given.allNamespaces ? `${metadata.namespace ?? ''}\t` : '';
      return `${place}${eventInterval(event, context.clock.now())}\t${type}\t${reason}\t${subject}\t${message.trim()}\n`;
    });
    const text = alignTabs(heading + rows.join(''), { remember });
    heading = '';
    return text;
  };
}
