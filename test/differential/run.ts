/**
 * `npm run differ -- --original URL --token T [resource…]`: asks a real API server and ours the same
 * thousands of questions and prints where the answers differ. See README.md.
 */
import { parseArgs } from 'node:util';
import { groupVersionDirectories, kindsOf } from '@coxswain/api';
import { seededRandom } from '@coxswain/apimachinery';
import { HttpTransport } from '@coxswain/client/https/http-transport.ts';
import type { Kind } from '@coxswain/schema';
import { describeDifference } from '../../packages/kube-apiserver/test/oracle/differences.ts';
import { recordedServer } from '../../packages/kube-apiserver/test/oracle/replay.ts';
import { baseObjects, mostDiverse, type BaseObject } from './base-objects.ts';
import { mutationsOf, type Mutation } from './mutations.ts';
import { Pair, type Compared, type Question } from './pair.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    original: { type: 'string', default: 'https://127.0.0.1:6443' },
    token: { type: 'string', default: 'oracle-admin-token' },
    mode: { type: 'string', default: 'create' },
    table: { type: 'boolean', default: false },
    from: { type: 'string' },
    field: { type: 'string', multiple: true, default: [] },
    at: { type: 'string' },
    bases: { type: 'string', default: '3' },
    most: { type: 'string', default: '2000' },
    show: { type: 'string', default: '20' },
    mistakes: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    ordered: { type: 'boolean', default: false },
    'runtime-config': { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help || !['create', 'update', 'status'].includes(values.mode)) {
  console.log(`npm run differ -- [options] [resource…]     a resource: pods, apps/v1/deployments
  --original URL        a real kube-apiserver (https://127.0.0.1:6443)
  --token T             an administrator's token that both servers know
  --mode create|update|status    POST of a changed object, PUT over the unchanged one, PUT to /status
  --table               what is printed of the objects instead of the objects
  --from DIR            recorded areas to take objects from; those of this repository without it
  --bases N             how many objects of each resource to start from (3)
  --field NAME          change this member of the object only (metadata, spec, …); may be repeated
  --at TEXT             only changes whose place has this text
  --most N              questions per object, evenly out of all (2000)
  --mistakes N          so many changes at once, at random, instead of one (1)
  --seed N              of those (1)
  --ordered             the order of several causes counts, and the message that tells them all
  --show N              kinds of difference to print per resource (20)
  --runtime-config S    for our server`);
  process.exit(values.help ? 0 : 1);
}

const namespace = `differ-${Date.now().toString(36)}`;
const server = await recordedServer(
  values['runtime-config'] === undefined ? {} : { runtimeConfig: runtimeConfigOf(values['runtime-config']) },
);
const original = new HttpTransport({ server: values.original, insecure: true });
const json = server.inProcess(undefined, { structured: false });
const tables = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const order = values.ordered ? 'exact' : 'free';
const plain = new Pair(original, json, values.token, { order });
const pair = values.table ? new Pair(original, json, values.token, { accept: tables, order }) : plain;
const kinds = new Map<string, Kind>(
  groupVersionDirectories
    .flatMap(kindsOf)
    .map((kind): [string, Kind] => [`${kind.apiVersion}/${kind.kind}`, kind]),
);
const atOnce = 8;
let asked = 0;
let differing = 0;

await pair.ask(
  {
    method: 'POST',
    path: '/api/v1/namespaces',
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
  },
  namespace,
);
for (const [collection, bases] of chosenBases()) await judge(collection, bases);
await pair.ask({ method: 'DELETE', path: `/api/v1/namespaces/${namespace}` }, namespace);
console.log(`${asked} asked, ${differing} differ`);
await server.stop();
await original.close();
process.exit(differing === 0 ? 0 : 1);

function chosenBases(): Map<string, BaseObject[]> {
  const chosen = Map.groupBy(baseObjects(values.from), ({ collection }) => collection);
  for (const collection of chosen.keys()) {
    if (
      positionals.length > 0 &&
      !positionals.some((name) => `/${collection}`.endsWith(`/${name}`) || nameOf(collection) === name)
    )
      chosen.delete(collection);
  }
  return chosen;
}

/** `apps/v1/deployments` */
function nameOf(collection: string): string {
  return collection.replace(/^\/apis?\//, '').replace('namespaces/$ns/', '');
}

async function judge(collection: string, bases: readonly BaseObject[]): Promise<void> {
  const accepted: BaseObject[] = [];
  for (const base of mostDiverse(bases)) {
    if (accepted.length >= Number(values.bases)) break;
    const { original: answer } = await pair.ask(dryCreate(base), namespace);
    if (answer.status === 201) accepted.push(base);
  }
  const shown = new Map<string, string[]>();
  const before = { asked, differing };
  for (const base of accepted) await judgeBase(base, shown);
  console.log(
    `\n${nameOf(collection)} (${accepted.length} objects): ${asked - before.asked} asked, ${differing - before.differing} differ`,
  );
  for (const alike of [...shown.values()].slice(0, Number(values.show))) {
    console.log(alike[0]);
    if (alike.length > 1) console.log(`      … and ${alike.length - 1} like it`);
  }
}

async function judgeBase(base: BaseObject, shown: Map<string, string[]>): Promise<void> {
  const { apiVersion, kind: kindName } = base.body as { apiVersion: string; kind: string };
  const kind = kinds.get(`${apiVersion}/${kindName}`);
  if (kind === undefined) return;
  if (values.mode !== 'create' && !(await isStored(base))) return;
  const top = values.field.length > 0 ? values.field : values.mode === 'status' ? ['status'] : [];
  const body = inNamespace(base.body);
  const queue = chosenMutations(kind, body, top).values();
  const work = async () => {
    for (const { label, object } of queue) {
      // A question at which the original gives up has no answer to compare with.
      const compared = await pair.ask(questionOf(base, object as object), namespace).catch(() => undefined);
      asked++;
      if (compared === undefined) continue;
      if (compared.differences.length === 0) continue;
      differing++;
      const likeness = likenessOf(label, compared);
      shown.set(likeness, [...(shown.get(likeness) ?? []), described(base, label, compared)]);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  if (values.mode !== 'create')
    await pair.ask({ method: 'DELETE', path: `${objectPath(base)}?gracePeriodSeconds=0` }, namespace);
}

function chosenMutations({ type }: Kind, body: object, top: readonly string[]): Mutation[] {
  const mutationsAt = (object: object) =>
    [...mutationsOf(type, object, top)].filter(
      ({ label }) => values.at === undefined || label.includes(values.at),
    );
  const [most, mistakes] = [Number(values.most), Number(values.mistakes)];
  const mutations = mutationsAt(body);
  const stride = Math.max(1, Math.ceil(mutations.length / most));
  if (mistakes === 1) return mutations.filter((_, i) => i % stride === 0);
  const random = seededRandom(Number(values.seed));
  const oneOf = (all: readonly Mutation[]) => all[Math.floor(random.next() * all.length)]!;
  return Array.from({ length: Math.min(most, mutations.length) }, () => {
    let made = oneOf(mutations);
    for (let more = 1; more < mistakes; more++) {
      const next = oneOf(mutationsAt(made.object as object));
      made = { label: `${made.label}, ${next.label}`, object: next.object };
    }
    return made;
  });
}

async function isStored(base: BaseObject): Promise<boolean> {
  // Reviews have no name, and are never kept.
  if (base.body['metadata'] === undefined) return false;
  const path = base.collection.replace('$ns', namespace);
  const { original: answer, ours } = await plain.ask(
    { method: 'POST', path, body: inNamespace(base.body) },
    namespace,
  );
  if (answer.status === 201 && ours.status === 201) return true;
  if (answer.status !== ours.status)
    console.log(`${path}: create answers ${answer.status} and ${ours.status}`);
  return false;
}

function dryCreate(base: BaseObject): Question {
  return questionOf(base, inNamespace(base.body), 'create');
}

function questionOf(base: BaseObject, body: object, mode: string = values.mode): Question {
  if (mode === 'create')
    return { method: 'POST', path: `${base.collection.replace('$ns', namespace)}?dryRun=All`, body };
  const subresource = mode === 'status' ? '/status' : '';
  return { method: 'PUT', path: `${objectPath(base)}${subresource}?dryRun=All`, body };
}

function objectPath({ collection, body }: BaseObject): string {
  const { name } = body.metadata as { name?: string };
  return `${collection.replace('$ns', namespace)}/${name}`;
}

function inNamespace(body: object): object {
  return JSON.parse(JSON.stringify(body).replaceAll('$ns', namespace)) as object;
}

/** What tells one mistake from another: the place and what differs first. */
function likenessOf(label: string, { original: answer, ours, differences }: Compared): string {
  const place = label.split(' ')[0]!.replace(/\[.*?\]/g, '[]');
  return [place, answer.status, ours.status, differences[0]!.path].join(' ');
}

function described(base: BaseObject, label: string, { original: answer, ours, differences }: Compared) {
  return [
    `  ${label}   [${base.source}]   ${answer.status} ${ours.status}`,
    ...differences.slice(0, 3).map((difference) => `    ${describeDifference(difference, 400)}`),
  ].join('\n');
}

function runtimeConfigOf(text: string): Record<string, boolean> {
  return Object.fromEntries(
    text.split(',').map((entry) => [entry.split('=')[0]!, !entry.endsWith('=false')]),
  );
}
