/**
 * `npm run differ-patches -- --original URL --token T`: plays random sequences of patches, applies and updates by
 * several managers to a real API server and to ours, and compares every answer with its managed fields.
 *
 * All sequences go on together, step by step. Every step has seconds of its own, so that times can be compared.
 */
import { parseArgs } from 'node:util';
import { seededRandom, type Random } from '@coxswain/apimachinery';
import { HttpTransport } from '@coxswain/client/https/http-transport.ts';
import type { Transport } from '@coxswain/client/transport.ts';
import { describeDifference, differencesOf } from '../../packages/kube-apiserver/test/oracle/differences.ts';
import { recordedServer } from '../../packages/kube-apiserver/test/oracle/replay.ts';
import { baseObjects } from './base-objects.ts';
import { convertedGadgets } from './patches/converted.ts';
import { widgetDefinition, widgets } from './patches/custom.ts';
import type { JsonObject } from './patches/fragment.ts';
import { nextWrite, type Subject, type Write } from './patches/step.ts';
import { viewOf, type Answer } from './patches/view.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    original: { type: 'string', default: 'https://127.0.0.1:6443' },
    token: { type: 'string', default: 'oracle-admin-token' },
    from: { type: 'string' },
    seed: { type: 'string', default: '1' },
    sequences: { type: 'string', default: '200' },
    steps: { type: 'string', default: '12' },
    show: { type: 'string', default: '60' },
    dropped: { type: 'boolean', default: false },
  },
});

const namespace = `patches-${Date.now().toString(36)}`;
const server = await recordedServer();
const original = new HttpTransport({ server: values.original, insecure: true });
const ours = server.inProcess(undefined, { structured: false });
const headers = {
  authorization: `Bearer ${values.token}`,
  accept: 'application/json',
  'user-agent': 'patches/1',
};

interface Sequence {
  readonly subject: Subject;
  readonly random: Random;
  readonly seed: number;
  readonly played: string[];
  live: JsonObject | undefined;
  /** What the object is called on either side. */
  versions: readonly [string, string];
  uids: readonly [string, string];
  addresses: readonly [string, string];
  isOver: boolean;
}

const donorsMax = 8;
const withStatus = new Set([
  'pods',
  'deployments',
  'statefulsets',
  'replicasets',
  'daemonsets',
  'services',
  'jobs',
  'cronjobs',
  'ingresses',
  'persistentvolumeclaims',
  'resourcequotas',
  'poddisruptionbudgets',
  'horizontalpodautoscalers',
  'replicationcontrollers',
]);
const withScale = new Set(['deployments', 'statefulsets', 'replicasets', 'replicationcontrollers']);

const startsMs: number[] = [];
const counts = { asked: 0, done: 0, differing: 0 };
const shown: string[] = [];

await both(
  write('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }),
);
await both(
  write('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', widgetDefinition(namespace)),
);
const gadgets = await convertedGadgets(namespace);
await both(write('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', gadgets.definition));
await new Promise((resolve) => setTimeout(resolve, 3000));
const sequences = await makeSequences();
for (let step = 0; step < Number(values.steps); step++) {
  await nextSecond();
  startsMs.push(Math.floor(Date.now() / 1000) * 1000);
  await inGroups(
    sequences.filter(({ isOver }) => !isOver),
    16,
    playStep,
  );
}
for (const crd of [widgets(namespace).crd, gadgets.crd]) {
  const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${crd}`;
  await both(write('DELETE', path, undefined));
}
await both(write('DELETE', `/api/v1/namespaces/${namespace}`, undefined));
for (const text of shown.slice(0, Number(values.show))) console.log(`${text}\n`);
console.log(
  `${sequences.length} sequences, ${counts.asked} writes, ${counts.done} done, ${counts.differing} differ`,
);
gadgets.hooks.close();
await server.stop();
await original.close();
process.exit(counts.differing === 0 ? 0 : 1);

async function playStep(sequence: Sequence): Promise<void> {
  const { subject, random, played } = sequence;
  const next = nextWrite(subject, sequence.live, random);
  const [theirs, own] = await both(next, sequence);
  if (theirs.status === 0) {
    sequence.isOver = true;
    if (values.dropped) console.log(`dropped: ${next.method} ${next.path} ${JSON.stringify(next.body)}`);
    return;
  }
  counts.asked++;
  played.push(
    `${next.method} ${next.path} ${next.type.split('/')[1]} ${JSON.stringify(next.body)} → ${theirs.status}`,
  );
  const times = { startsMs };
  const differences = differencesOf(viewOf(theirs, times) as never, viewOf(own, times) as never);
  const body = bodyOf(own);
  const versions = [versionOf(theirs), versionOf(own)] as const;
  if (own.status < 300 && theirs.status < 300) {
    counts.done++;
    const changed = versions.map((version, at) => version !== sequence.versions[at]);
    if (changed[0] !== changed[1] && !next.path.includes('/scale'))
      differences.push({
        path: 'resourceVersion',
        expected: changed[0] ? 'changed' : 'kept',
        got: changed[1] ? 'changed' : 'kept',
      } as never);
    if (!next.path.includes('/scale')) sequence.live = body;
    if (!next.path.includes('/scale')) sequence.versions = versions;
    if (!next.path.includes('/scale')) sequence.uids = [uidOf(theirs), uidOf(own)];
    if (!next.path.includes('/scale')) sequence.addresses = [addressOf(theirs), addressOf(own)];
  }
  if (next.path.includes('/scale') && own.status < 300) await refresh(sequence);
  if (differences.length === 0) return;
  counts.differing++;
  sequence.isOver = true;
  // Of a refusal on one side only, all that it says.
  const refusal = [theirs, own].find(({ status }) => status >= 300 && theirs.status !== own.status);
  shown.push(
    `seed ${sequence.seed}, step ${played.length - 1}${refusal ? `: ${refusal.text}` : ''}\n  ${played.slice(-3).join('\n  ')}\n${differences
      .slice(0, 12)
      .map((one) => `    ${describeDifference(one)}`)
      .join('\n')}`,
  );
}

/** After a write to the scale, the object itself is looked at. */
async function refresh(sequence: Sequence): Promise<void> {
  const { subject } = sequence;
  const path = `${Object.values(subject.collections)[0]}/${subject.name}`;
  const [theirs, own] = await both(write('GET', path, undefined));
  const differences = differencesOf(
    viewOf(theirs, { startsMs }) as never,
    viewOf(own, { startsMs }) as never,
  );
  sequence.live = bodyOf(own);
  sequence.versions = [versionOf(theirs), versionOf(own)];
  if (differences.length === 0 || sequence.isOver) return;
  counts.differing++;
  sequence.isOver = true;
  shown.push(
    `seed ${sequence.seed}, after a scale\n  ${sequence.played.slice(-3).join('\n  ')}\n${differences
      .slice(0, 12)
      .map((one) => `    ${describeDifference(one)}`)
      .join('\n')}`,
  );
}

async function makeSequences(): Promise<Sequence[]> {
  const subjects = await subjectsOf();
  const first = Number(values.seed);
  return Array.from({ length: Number(values.sequences) }, (_, index) => {
    const seed = first * 100_000 + index;
    const random = seededRandom(seed);
    const subject = subjects[index % subjects.length]!;
    return {
      subject: { ...subject, name: `${subject.name}-${index}` },
      random,
      seed,
      played: [],
      live: undefined,
      versions: ['', ''],
      uids: ['', ''],
      addresses: ['', ''],
      isOver: false,
    };
  });
}

/** Namespaced kinds of which both servers accept some recorded object. */
async function subjectsOf(): Promise<Subject[]> {
  const byCollection = Map.groupBy(
    baseObjects(values.from).filter(({ collection }) => collection.includes('namespaces/$ns/')),
    ({ collection }) => collection,
  );
  const subjects: Subject[] = [];
  for (const [collection, bases] of byCollection) {
    const resource = collection.split('/').at(-1)!;
    if (positionals.length > 0 && !positionals.includes(resource)) continue;
    // These change what happens to the others.
    if (positionals.length === 0 && ['resourcequotas', 'limitranges'].includes(resource)) continue;
    const donors: JsonObject[] = [];
    for (const { body } of bases) {
      if (donors.length >= donorsMax) break;
      const [theirs, own] = await both(write('POST', `${at(collection)}?dryRun=All`, body));
      const isKnown = !/unknown field|duplicate/.test(theirs.warnings);
      const isFree = !/"(clusterIP|nodePort|clusterIPs)":/.test(JSON.stringify(body));
      if (theirs.status === 201 && own.status === 201 && isKnown && isFree) donors.push(body as JsonObject);
    }
    if (
      donors.length === 0 ||
      bodyOf(await answerOf(ours, write('GET', at(collection), undefined)))?.['kind'] === 'Status'
    )
      continue;
    subjects.push({
      collections: versionsOf(collection, String(donors[0]!['apiVersion'])),
      name: resource.slice(0, 20),
      kind: String(donors[0]!['kind']),
      donors,
      hasStatus: withStatus.has(resource),
      hasScale: withScale.has(resource),
      isCustom: false,
    });
  }
  if (positionals.length === 0 || positionals.includes('widgets')) subjects.push(widgets(namespace).subject);
  if (positionals.length === 0 || positionals.includes('gadgets')) subjects.push(gadgets.subject);
  return subjects;
}

function versionsOf(collection: string, apiVersion: string): Record<string, string> {
  if (!collection.endsWith('/horizontalpodautoscalers')) return { [apiVersion]: at(collection) };
  return Object.fromEntries(
    ['autoscaling/v1', 'autoscaling/v2'].map((version) => [
      version,
      `/apis/${version}/namespaces/${namespace}/horizontalpodautoscalers`,
    ]),
  );
}

function at(collection: string): string {
  return collection.replace('$ns', namespace);
}

function write(method: string, path: string, body: unknown): Write {
  return { method, path, body, type: 'application/json' };
}

/** The writes are made from our object; what the original calls otherwise is translated. */
async function both(next: Write, sequence?: Sequence): Promise<[Answer, Answer]> {
  return Promise.all([answerOf(original, translated(next, sequence)).catch(dropped), answerOf(ours, next)]);
}

function translated(next: Write, sequence: Sequence | undefined): Write {
  if (sequence === undefined || sequence.uids[1] === '' || next.body === undefined) return next;
  const { uids, versions, addresses } = sequence;
  const text = JSON.stringify(next.body)
    .replaceAll(uids[1], uids[0])
    .replaceAll(addresses[1] || '\0', addresses[0])
    .replaceAll(`"${versions[1]}"`, `"${versions[0]}"`);
  return { ...next, body: JSON.parse(text) as unknown };
}

/** What the original's handlers panic at it does not answer. */
function dropped(): Answer {
  return { status: 0, warnings: '', text: '' };
}

async function answerOf(transport: Transport, { method, path, type, body }: Write): Promise<Answer> {
  const response = await transport.send({
    method,
    path,
    headers: { ...headers, ...(body !== undefined && { 'content-type': type }) },
    ...(body !== undefined && { body: Buffer.from(JSON.stringify(body)) }),
  });
  return {
    status: response.status,
    warnings: [response.headers['warning'] ?? []].flat().join(', '),
    text: Buffer.from(await response.bytes()).toString(),
  };
}

function bodyOf({ text }: Answer): JsonObject | undefined {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return undefined;
  }
}

/** Of a service. */
function addressOf(answer: Answer): string {
  return String((bodyOf(answer)?.['spec'] as JsonObject | undefined)?.['clusterIP'] ?? '').replace(
    'None',
    '',
  );
}

function uidOf(answer: Answer): string {
  return String((bodyOf(answer)?.['metadata'] as JsonObject | undefined)?.['uid'] ?? '');
}

function versionOf(answer: Answer): string {
  return String((bodyOf(answer)?.['metadata'] as JsonObject | undefined)?.['resourceVersion'] ?? '');
}

function nextSecond(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1000 - (Date.now() % 1000) + 5));
}

async function inGroups<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const item of queue) await work(item);
    }),
  );
}
