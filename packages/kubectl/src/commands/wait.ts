import { runStep, StatusError, type KubeObject } from '@coxswain/apimachinery';
import { bool, duration, stringArray } from '@coxswain/cobra';
import { command } from '../command.ts';
import { completeTypesAndNames } from '../completion/resources.ts';
import type { CommandContext } from '../context.ts';
import { asError, throwFailures } from '../errors.ts';
import { printFlags } from '../flags/print.ts';
import { allNamespacesFlag, fieldSelectorFlag, filenameFlags, selectorFlag } from '../flags/object-flags.ts';
import { mappingOf, type Info } from '../resource/info.ts';
import { localNames, select, type Selected } from '../resource/select.ts';
import { readCondition, type WaitCondition } from '../watch/conditions.ts';
import { WaitTimeout, waitUntil } from '../watch/until.ts';

const { kustomize: _kustomize, ...files } = filenameFlags('that name the objects');

/** The meaning of a negative --timeout. */
const weekMs = 7 * 24 * 60 * 60 * 1000;
/** The polling interval for an object that doesn't exist yet. */
const retryMs = 500;

export const wait = command({
  use: "wait ([-f FILENAME] | resource.group/resource.name | resource.group [(-l label | --all)]) [--for=create|--for=delete|--for condition=available|--for=jsonpath='{}'[=value]]",
  long: 'Wait until objects exist, are gone, have a condition, or have a field with a given value.',
  example: `  # Ready
  kubectl wait --for=condition=Ready pod/web

  # Not ready any more
  kubectl wait --for=condition=Ready=false pod/web

  # A value
  kubectl wait --for=jsonpath='{.status.phase}'=Running pod/web

  # Gone, for a minute at most
  kubectl wait --for=delete pod/web --timeout=60s`,
  disableFlagsInUseLine: true,
  complete: completeTypesAndNames,
  flags: {
    ...printFlags,
    ...files,
    recursive: bool({
      shorthand: 'R',
      default: true,
      usage: 'Process the directories given with -f, --filename recursively.',
    }),
    ...selectorFlag,
    ...fieldSelectorFlag,
    ...allNamespacesFlag,
    all: bool({ usage: 'Select all objects of the given types in the namespace.' }),
    local: bool({ usage: 'Run locally on the objects in files, without contacting a server.' }),
    for: stringArray({
      usage: "The condition to wait for: create, delete, condition=NAME[=VALUE], jsonpath='{PATH}'[=VALUE].",
    }),
    timeout: duration({
      default: 30_000,
      usage: 'How long to wait before giving up. 0 checks once, a negative value waits for a week.',
    }),
  },
  async run({ context, flags, args }) {
    const print = await context.printer(flags, { operation: 'condition met' });
    if (flags.for.length === 0) throw new Error('unrecognized condition: []');
    const conditions = flags.for.map((text) => ({ ...readCondition(text), text }));
    if (flags.local && args.length > 0) throw new Error(localNames);
    const { namespace, explicit } = await context.namespace();
    const endMs = context.clock.monotonic() + (flags.timeout < 0 ? weekMs : flags.timeout);
    const isDeletion = conditions.some(({ kind }) => kind === 'delete');
    const find = () =>
      select(context, {
        args,
        filenames: flags.filename,
        recursive: flags.recursive,
        namespace,
        requireNamespace: explicit,
        labelSelector: flags.selector,
        fieldSelector: flags.fieldSelector,
        allNamespaces: flags.allNamespaces,
        allowEmptySelector: flags.all,
        latest: true,
        local: flags.local,
        continueOnError: true,
        ...(isDeletion
          ? { ignore: (failure: Error) => failure instanceof StatusError && failure.reason === 'NotFound' }
          : {}),
      });
    const selected = conditions.some(({ kind }) => kind === 'create')
      ? await untilCreated(context, find, endMs, flags.filename.length > 0)
      : await find();
    let count = 0;
    await selected.each(async (info) => {
      count++;
      for (const condition of conditions)
        context.print(print(await waitFor(context, info, condition, endMs, flags.timeout === 0)));
    });
    if (count === 0 && !isDeletion) throw new Error('no matching resources found');
  },
});

/** Polls until the object exists. Like upstream, it doesn't wait for what files name, nor for several at once. */
async function untilCreated(
  context: CommandContext,
  find: () => Promise<Selected>,
  endMs: number,
  isFromFiles: boolean,
): Promise<Selected> {
  for (;;) {
    const selected = await find();
    const { infos, failures } = await selected.collect();
    const missing = failures.filter(
      (failure) => failure instanceof StatusError && failure.reason === 'NotFound',
    );
    if (failures.length > missing.length || failures.length > (isFromFiles ? 0 : 1)) throwFailures(failures);
    if (missing.length === 0 && infos.length > 0) return selected;
    if (context.clock.monotonic() >= endMs) throw new WaitTimeout();
    await context.clock.sleep(
      Math.min(retryMs, Math.max(1, endMs - context.clock.monotonic())),
      context.signal,
    );
  }
}

/** What is waited for, and how it is now. */
function waitingText(subject: string, { text }: NamedCondition, object: KubeObject | undefined): string {
  return `waiting for ${subject} to be ${text}: ${object === undefined ? 'it is not there' : stateOf(object)}`;
}

/** Includes the text of the command line. */
type NamedCondition = WaitCondition & { readonly text: string };

interface WithState extends KubeObject {
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason?: string;
    }[];
  };
}

function stateOf({ status, metadata }: WithState): string {
  const reported = (status?.conditions ?? []).map(
    ({ type, status, reason }) => `${type}=${status}${reason ? ` (${reason})` : ''}`,
  );
  const parts = [
    ...(metadata.deletionTimestamp ? ['being deleted'] : []),
    ...(status?.phase ? [`phase ${status.phase}`] : []),
    ...reported,
  ];
  return parts.length === 0 ? 'it has no conditions yet' : `now ${parts.join(', ')}`;
}

async function waitFor(
  context: CommandContext,
  info: Info,
  condition: NamedCondition,
  endMs: number,
  once: boolean,
): Promise<KubeObject> {
  const mapping = mappingOf(info);
  const subject = `${mapping.resource}/${info.name}`;
  let latest = info.object as KubeObject;
  const isMet = (object: KubeObject | undefined): boolean => {
    latest = object ?? latest;
    context.status(waitingText(subject, condition, object));
    if (object === undefined && condition.kind !== 'delete') throw new Error(`${subject} was deleted`);
    const { observer } = context.io;
    const check = () => {
      const met = condition.isMet(object);
      observer?.note?.({ met, state: object === undefined ? 'missing' : stateOf(object) });
      return met;
    };
    return runStep(observer, 'check-condition', check, { condition: condition.text }, condition.isMet);
  };
  if (once) {
    if (isMet(latest)) return latest;
    throw new Error(`condition not met for ${subject}`);
  }
  try {
    // The timer of the last object may have fired a fraction of a millisecond early: the time is up for all.
    const left = Math.floor(endMs - context.clock.monotonic());
    if (left <= 0) throw new WaitTimeout();
    await waitUntil(
      context,
      { mapping, namespace: info.namespace, name: info.name },
      left,
      (object) => isMet(object) || undefined,
    );
    return latest;
  } catch (failure) {
    if (failure instanceof WaitTimeout)
      throw new Error(`${failure.message} on ${subject}`, { cause: failure });
    throw asError(failure);
  }
}
