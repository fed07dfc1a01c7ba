/**
 * `npm run differ-kubelet -- --kubelet PROGRAM [pod…]`: runs the original's kubelet and ours beside each other, each
 * with a containerd behind a recorder, gives both the same pods, and prints where calls of the CRI, statuses, events,
 * nodes, pages and metrics differ. See README.md. Needs root, containerd, runc, the CNI plugins and busybox-static.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { KubeObject } from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { whyNoContainers } from '../nodes/containerd.ts';
import { differences } from './kubelet/difference.ts';
import { pageDifferences } from './kubelet/pages.ts';
import { podStory, standing, type StoryEvent } from './kubelet/pod-story.ts';
import { podCases, type PodCase } from './kubelet/pods.ts';
import { startSides, type Side } from './kubelet/sides.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kubelet: { type: 'string', default: '' },
    /** More of the KubeletConfiguration, as JSON, for both. */
    settings: { type: 'string', default: '{}' },
    /** Where all that was recorded is written. */
    out: { type: 'string', default: '' },
    /** Requests that only ask are compared, too. */
    questions: { type: 'boolean', default: false },
    'no-pages': { type: 'boolean', default: false },
  },
});
const why = values.kubelet === '' ? '--kubelet names the original’s program' : whyNoContainers();
if (why !== undefined) {
  console.error(why);
  process.exit(2);
}

const casesAtOnce = 2;
const waitMsMax = 60_000;
const lookEveryMs = 100;
/** What follows a state, such as an event, has come by then. */
const settleMs = 1_500;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
let found = 0;

const sides = await startSides(values.kubelet, JSON.parse(values.settings) as object);
try {
  for (const side of sides.all) await prepare(side);
  const cases = podCases.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  for (let at = 0; at < cases.length; at += casesAtOnce) {
    const some = cases.slice(at, at + casesAtOnce);
    const lines = await Promise.all(some.map(comparePod));
    for (const [index, each] of some.entries()) report(`pod ${each.name}`, lines[index]!);
  }
  if (!values['no-pages']) {
    report('node', await compareNodes());
    for (const [page, lines] of await pageDifferences(sides)) report(page, lines);
  }
} finally {
  await sides.stop();
}
console.log(`\n${found} differences`);
process.exit(found === 0 ? 0 : 1);

function report(what: string, lines: readonly string[]): void {
  found += lines.length;
  console.log(`${what}: ${lines.length === 0 ? 'equal' : ''}`);
  for (const line of lines) console.log(`  ${line}`);
}

async function prepare({ nodeName }: Side): Promise<void> {
  const { client } = sides;
  const create = (kind: string, more: object, namespace?: string) => {
    const resource = client.resource<KubeObject>('v1', kind);
    return (namespace === undefined ? resource : resource.namespace(namespace)).create(more as KubeObject);
  };
  await create('namespaces', { metadata: { name: nodeName } });
  await create(
    'configmaps',
    { metadata: { name: 'settings' }, data: { key: 'value', other: 'more' } },
    nodeName,
  );
  await create('secrets', { metadata: { name: 'hidden' }, stringData: { secret: 'word' } }, nodeName);
  const accounts = client.resource<KubeObject>('v1', 'serviceaccounts').namespace(nodeName);
  for (let looks = 0; looks < 100; looks++) {
    if (await accounts.get('default').catch(() => undefined)) return;
    await pause(lookEveryMs);
  }
}

async function comparePod(podCase: PodCase): Promise<readonly string[]> {
  const stories = await Promise.all(sides.all.map((side) => storyOf(side, podCase)));
  const [original, ours] = stories as [(typeof stories)[0], (typeof stories)[0]];
  if (values.out !== '') {
    mkdirSync(values.out, { recursive: true });
    writeFileSync(path.join(values.out, `${podCase.name}.json`), JSON.stringify({ original, ours }, null, 1));
  }
  return [
    ...differences(original.acts, ours.acts, 'cri'),
    ...original.undescribed.map((each) => `cri field that we don't know: ${each}`),
    ...(values.questions ? setDifferences('asked', original.questions, ours.questions) : []),
    ...differences(original.status, ours.status, 'status'),
    ...differences(original.lastStatus, ours.lastStatus, 'status when it was deleted'),
    ...setDifferences('event', original.events, ours.events),
  ];
}

/** From the pod's beginning to its end. */
async function storyOf(side: Side, { name, spec, metadata, until, resize }: PodCase) {
  const { client } = sides;
  const { nodeName } = side;
  const pods = client.resource<Pod & KubeObject>('v1', 'pods').namespace(nodeName);
  await pods.create({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, ...metadata },
    spec: { nodeName, terminationGracePeriodSeconds: 2, automountServiceAccountToken: false, ...spec },
  } as unknown as Pod & KubeObject);
  await waitFor(async () => isAsWanted(await pods.get(name), until));
  await untilQuiet(async () => JSON.stringify((await pods.get(name)).status));
  if (resize !== undefined) {
    await pods.patch(name, resize, { type: 'strategic', subresource: 'resize' });
    await untilQuiet(async () => JSON.stringify((await pods.get(name)).status));
  }
  const pod = await pods.get(name);
  const status = podStory(side, pod, []).status;
  const lastStatus = lastSeen(side, pod);
  await pods.delete(name);
  const last = await lastStatus;
  await pause(settleMs);
  const { items } = await client
    .resource<StoryEvent>('v1', 'events')
    .namespace(nodeName)
    .list({ fieldSelector: `involvedObject.name=${name}` });
  // The group may be gone when the original reads it for the last time.
  const { resources: _, ...lastSaid } = last?.status ?? {};
  const story = podStory(side, { ...(last ?? pod), status: lastSaid as NonNullable<Pod['status']> }, items);
  return { ...story, status, lastStatus: story.status };
}

/** The pod as it was when it went. */
async function lastSeen({ nodeName }: Side, pod: Pod): Promise<Pod | undefined> {
  const pods = sides.client.resource<Pod & KubeObject>('v1', 'pods').namespace(nodeName);
  const watch = {
    fieldSelector: `metadata.name=${pod.metadata?.name}`,
    resourceVersion: pod.metadata?.resourceVersion ?? '',
    signal: AbortSignal.timeout(waitMsMax),
  };
  let before: Pod | undefined;
  for await (const { type, object } of pods.watch(watch)) {
    if (type === 'DELETED') return before;
    before = object;
  }
  return undefined;
}

async function waitFor(isDone: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + waitMsMax;
  while (performance.now() < endMs && !(await isDone())) await pause(lookEveryMs);
}

/** Until what is looked at has not changed for a while. */
async function untilQuiet(look: () => Promise<string>): Promise<void> {
  let quietSinceMs = performance.now();
  let before = '';
  await waitFor(async () => {
    const now = await look();
    if (now !== before) quietSinceMs = performance.now();
    before = now;
    return performance.now() - quietSinceMs > settleMs;
  });
}

function isAsWanted({ status }: Pod, until: PodCase['until']): boolean {
  const statuses = [...(status?.containerStatuses ?? [])];
  if (until === 'nothing') return statuses.length > 0;
  if (until === 'waiting')
    return statuses.some(
      ({ state }) => state?.waiting && !/Creating|Initializing/.test(state.waiting.reason ?? ''),
    );
  if (until === 'restarted')
    return statuses.some(({ restartCount, state }) => (restartCount ?? 0) >= 1 && state?.waiting);
  if (until === 'Ready')
    return status?.conditions?.some((each) => each.type === 'Ready' && each.status === 'True') ?? false;
  return status?.phase === until && (until !== 'Running' || statuses.every(({ state }) => state?.running));
}

async function compareNodes(): Promise<readonly string[]> {
  const nodes = sides.client.resource<Node & KubeObject>('v1', 'nodes');
  const [original, ours] = await Promise.all(
    sides.all.map(async (side) => {
      const { metadata, spec, status } = await nodes.get(side.nodeName);
      const { labels, annotations } = metadata;
      return JSON.parse(
        standing(JSON.stringify({ labels, annotations, spec, status }), side.places),
      ) as unknown;
    }),
  );
  return differences(original, ours);
}

function setDifferences(
  what: string,
  original: readonly string[],
  ours: readonly string[],
): readonly string[] {
  return [
    ...original.filter((each) => !ours.includes(each)).map((each) => `${what} only of the original: ${each}`),
    ...ours.filter((each) => !original.includes(each)).map((each) => `${what} only of ours: ${each}`),
  ];
}
