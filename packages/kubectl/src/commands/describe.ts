import { StatusError, type KubeObject } from '@coxswain/apimachinery';
import { bool } from '@coxswain/cobra';
import { command } from '../command.ts';
import { completeTypesAndNames } from '../completion/resources.ts';
import type { CommandContext } from '../context.ts';
import type { DescribeContext, EventQuery } from '../describers/describer.ts';
import type { Event } from '../describers/events.ts';
import { describerFor } from '../describers/registry.ts';
import { asError, Failures } from '../errors.ts';
import { allNamespacesFlag, chunkSizeFlag, filenameFlags, selectorFlag } from '../flags/object-flags.ts';
import { failsAsList } from '../resource/selection.ts';
import { mappingOf, objectOf, type Info } from '../resource/info.ts';
import { pages } from '../resource/pages.ts';
import { select } from '../resource/select.ts';
import { withZeroValues } from '../typed.ts';

export const describe = command({
  use: 'describe (-f FILENAME | TYPE [NAME_PREFIX | -l label] | TYPE/NAME)',
  long: `Show details of objects, including related objects and events.

 If no object has the given name, it is used as a prefix.`,
  example: `  # A node
  kubectl describe nodes node-1

  # All pods whose names begin with web
  kubectl describe pods web

  # By label
  kubectl describe pods -l app=web`,
  disableFlagsInUseLine: true,
  complete: completeTypesAndNames,
  flags: {
    ...allNamespacesFlag,
    ...chunkSizeFlag,
    ...filenameFlags('that name the objects to describe'),
    ...selectorFlag,
    showEvents: bool({ default: true, usage: 'Show events related to the described object.' }),
  },
  async run({ context, flags, args, changed }) {
    if (args.length === 0 && flags.filename.length === 0 && flags.kustomize === '') {
      throw new Error(
        'You must specify the type of resource to describe. Use "kubectl api-resources" for a complete list of supported resources.',
      );
    }
    const { namespace, explicit } = await context.namespace();
    const selection = {
      filenames: flags.filename,
      kustomize: flags.kustomize,
      recursive: flags.recursive,
      namespace,
      requireNamespace: explicit && !flags.allNamespaces,
      allNamespaces: flags.allNamespaces,
      labelSelector: flags.selector,
      chunkSize: flags.chunkSize,
      allowEmptySelector: true,
      continueOnError: true,
      failedLists: 'each' as const,
      latest: true,
    };
    const { infos, failures } = await (await select(context, { ...selection, args })).collect();
    const many = failures.length > 0 || infos.length > 1;
    const showEvents = many && !changed('showEvents') ? false : flags.showEvents;
    const [failure] = failures;
    if (failure instanceof StatusError && failure.reason === 'NotFound' && args.length === 2) {
      const matching = await (await select(context, { ...selection, args: args.slice(0, 1) })).collect();
      return describeMatching(
        context,
        matching.infos,
        args[1] as string,
        flags.chunkSize,
        showEvents,
        failure,
      );
    }
    const errors = [...new Map(failures.map((one) => [one.message, one] as const)).values()];
    let first = true;
    for (const info of infos) {
      try {
        const text = await describeOne(context, info, showEvents, flags.chunkSize);
        context.print(first ? text : `\n\n${text}`);
        first = false;
      } catch (error) {
        if (!errors.some(({ message }) => message === asError(error).message)) errors.push(asError(error));
      }
    }
    if (infos.length === 0 && errors.length === 0) {
      context.printError(
        flags.allNamespaces ? 'No resources found\n' : `No resources found in ${namespace} namespace.\n`,
      );
    }
    if (errors.length > 0) throw new Failures(errors, failsAsList({ ...selection, args }));
  },
});

/** Describes objects whose name starts with the prefix; reports the failure if there are none. */
async function describeMatching(
  context: CommandContext,
  infos: readonly Info[],
  prefix: string,
  chunkSize: number,
  showEvents: boolean,
  failure: Error,
): Promise<void> {
  const matching = infos.filter(({ name }) => name.startsWith(prefix));
  if (matching.length === 0) throw failure;
  for (const info of matching) context.print(`${await describeOne(context, info, showEvents, chunkSize)}\n`);
}

async function describeOne(
  context: CommandContext,
  info: Info,
  showEvents: boolean,
  chunkSize: number,
): Promise<string> {
  const { group, kind } = mappingOf(info);
  const describer = await describerFor(group, kind);
  return describer(objectOf(info), describeContext(context, showEvents, chunkSize));
}

interface List<T> {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: { readonly continue?: string };
  readonly items?: T[];
}

function describeContext(context: CommandContext, showEvents: boolean, chunkSize: number): DescribeContext {
  const list = async <T extends KubeObject>(
    path: string,
    query: Readonly<Record<string, string>> = {},
  ): Promise<T[]> => {
    const client = await context.client();
    const items: T[] = [];
    const limit = chunkSize > 0 ? String(chunkSize) : undefined;
    const read = (token: string | undefined) =>
      client.request<List<T>>({ method: 'GET', path, query: { ...query, limit, continue: token } });
    for await (const page of pages(read)) {
      for (const item of page.items ?? [])
        items.push(
          await withZeroValues({
            ...item,
            apiVersion: page.apiVersion,
            kind: page.kind?.replace(/List$/, ''),
          }),
        );
    }
    return items;
  };
  return {
    nowMs: context.clock.now(),
    showEvents,
    list,
    get: async <T extends KubeObject>(path: string) =>
      withZeroValues(await (await context.client()).request<T>({ method: 'GET', path })),
    events: async (object, query = {}) =>
      showEvents
        ? list<Event>(eventsPath(object), { fieldSelector: eventSelector(object, query) })
        : undefined,
  };
}

const eventsPath = ({ metadata }: KubeObject): string =>
  metadata.namespace ? `/api/v1/namespaces/${metadata.namespace}/events` : '/api/v1/events';

function eventSelector({ kind, metadata }: KubeObject, { anyKind, uid }: EventQuery): string {
  const parts = [
    `involvedObject.name=${metadata.name}`,
    ...(metadata.namespace ? [`involvedObject.namespace=${metadata.namespace}`] : []),
    ...(anyKind ? [] : [`involvedObject.kind=${kind}`]),
    `involvedObject.uid=${uid ?? metadata.uid}`,
  ];
  return parts.join(',');
}
