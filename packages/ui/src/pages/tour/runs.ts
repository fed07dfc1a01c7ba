/** The commands that were run, their output and the objects that they created, while the page is open. */

import { randomHex } from '@coxswain/apimachinery/trace-parent.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { signal } from '@preact/signals';
import { client, clock, facts, random, transport } from '../../cluster/cluster.ts';
import { announce } from '../../controls/announcements.tsx';
import type { ChapterCommand } from './commands.ts';
import { execWords, runExec } from './exec.ts';
import { loadKubectl } from './kubectl.ts';
import { watchedTransport, type MadeObject } from './watched-transport.ts';

export interface Run {
  readonly state: 'running' | 'done' | 'failed' | 'stopped';
  /** Standard output and standard error. */
  readonly printed: string;
  /** The address of its recording, if one was made. */
  readonly recording: string | undefined;
}

/** By the chapter and the index of the command in it. */
export const runs = signal<ReadonlyMap<string, Run>>(new Map());

/** Oldest first. */
export const made = signal<readonly MadeObject[]>([]);

/** Longer output is truncated at the beginning. */
const printedMax = 100_000;

const stops = new Map<string, AbortController>();

export const stop = (key: string): void => stops.get(key)?.abort(new Error('stopped'));

/** Returns whether the command succeeded. */
export async function run(key: string, { line, stdin }: ChapterCommand): Promise<boolean> {
  if (stops.has(key)) return false;
  const stopping = new AbortController();
  stops.set(key, stopping);
  const traceId = randomHex(random, 16);
  const print = (text: string): void =>
    update(key, (now) => ({ printed: (now.printed + text).slice(-printedMax) }));
  update(key, () => ({ state: 'running', printed: '', recording: undefined }));
  try {
    const id = await recordingId();
    const recording = id === undefined ? undefined : `/recording?id=${id}&trace=${traceId}`;
    update(key, () => ({ recording }));
    const watched = watchedTransport(transport, {
      traceParent: `00-${traceId}-${randomHex(random, 8)}-01`,
      onMade: (one) => (made.value = [...made.value, one]),
    });
    const code = await runLine(watched, line, { out: print, err: print, stdin, signal: stopping.signal });
    update(key, () => ({ state: stopping.signal.aborted ? 'stopped' : code === 0 ? 'done' : 'failed' }));
  } catch (failure) {
    print(`${messageOf(failure)}\n`);
    update(key, () => ({ state: 'failed' }));
  } finally {
    stops.delete(key);
  }
  return runs.peek().get(key)?.state === 'done';
}

type Printing = Parameters<Awaited<ReturnType<typeof loadKubectl>>['kubectl']>[2];

async function runLine(
  watched: ReturnType<typeof watchedTransport>,
  line: string,
  options: Printing,
): Promise<number> {
  const { namespace } = facts.peek();
  // kubectl cannot use a browser's connection directly, so the page's own client runs commands in containers.
  const exec = execWords(line);
  if (exec !== undefined) return runExec({ ...exec, namespace }, options.out, options.signal);
  const { kubectl, filesOf } = await loadKubectl();
  const cluster = { transport: watched, clock };
  (await filesOf(cluster)).write('.kube/config', kubeconfigOf(namespace));
  return (await kubectl(cluster, line, options)).code;
}

/** Only the namespace is read, since the connection is the page's. */
const kubeconfigOf = (namespace: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'page',
    clusters: [{ name: 'page', cluster: { server: location.origin } }],
    contexts: [{ name: 'page', context: { cluster: 'page', user: '', namespace } }],
  });

/**
 * Deletes the created objects, newest first, unless they have been replaced. Failures are reported, and the objects
 * stay listed.
 */
export async function cleanUp(): Promise<void> {
  for (const one of made.peek().toReversed()) {
    try {
      await client.rest.request({
        verb: 'DELETE',
        path: one.path,
        body: {
          kind: 'DeleteOptions',
          apiVersion: 'v1',
          preconditions: { uid: one.uid },
          propagationPolicy: 'Background',
        },
      });
    } catch (failure) {
      if (!isGone(failure)) {
        announce('bad', messageOf(failure));
        continue;
      }
    }
    made.value = made.value.filter(({ uid }) => uid !== one.uid);
  }
  if (made.peek().length === 0) runs.value = new Map();
}

/** The object was deleted by others, or replaced by another of the same name. */
const isGone = (failure: unknown): boolean => {
  const { code } = failure as { readonly code?: number };
  return code === 404 || code === 409;
};

const recordings = '/debug/coxswain/recording';

let ongoing: Promise<string | undefined> | undefined;

/**
 * The id of one recording for all commands, each of which has its own trace; the server discards it when it is no
 * longer read.
 */
async function recordingId(): Promise<string | undefined> {
  if (!facts.peek().canRecord) return undefined;
  const id = await ongoing;
  if (id !== undefined && (await isKept(id))) return id;
  ongoing = client.rest.request<{ readonly id: string }>({ verb: 'POST', path: recordings }).then(
    (begun) => begun.id,
    // Without permission to record, the command still runs.
    () => undefined,
  );
  return ongoing;
}

const isKept = (id: string): Promise<boolean> =>
  client.rest.request({ verb: 'GET', path: `${recordings}/${id}`, query: { names: true } }).then(
    () => true,
    () => false,
  );

const none: Run = { state: 'running', printed: '', recording: undefined };

function update(key: string, change: (now: Run) => Partial<Run>): void {
  const now = runs.peek().get(key) ?? none;
  runs.value = new Map(runs.peek()).set(key, { ...now, ...change(now) });
}
