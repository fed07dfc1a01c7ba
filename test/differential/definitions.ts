/**
 * `npm run differ-definitions -- --original URL --token T FILE…`: the definitions in these files (YAML, as projects
 * publish them) are created on a real API server and on ours, then objects of each of their versions at random as
 * dry runs; what one answers otherwise is printed. The first that both take is created, and all others are asked for
 * as updates, patches and applies of it. `--random N` makes N definitions at random. The definitions are taken away
 * again.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { seededRandom } from '@coxswain/apimachinery';
import { splitYamlDocuments } from '@coxswain/apimachinery/yaml/documents.ts';
import { readYaml } from '@coxswain/apimachinery/yaml/read.ts';
import type { CustomResourceDefinition } from '@coxswain/api/apiextensions/v1/index.ts';
import { HttpTransport } from '@coxswain/client/https/http-transport.ts';
import { describeDifference } from '../../packages/kube-apiserver/test/oracle/differences.ts';
import { recordedServer } from '../../packages/kube-apiserver/test/oracle/replay.ts';
import { RandomObjects, type JsonSchema } from './definitions/random-object.ts';
import { RandomSchemas } from './definitions/random-schema.ts';
import { isSameRefusal } from './definitions/refusal-of-apply.ts';
import { Pair, type Compared, type Question } from './pair.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    original: { type: 'string', default: 'https://127.0.0.1:6443' },
    token: { type: 'string', default: 'oracle-admin-token' },
    objects: { type: 'string', default: '10' },
    random: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    show: { type: 'string', default: '40' },
  },
});

/** How long both have to serve a new definition. */
const servedMsMax = 15_000;
/** Characters of an object that is answered otherwise. */
const bodyTextMax = 2000;
/** Of one answer. */
const differencesMax = 8;
const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const server = await recordedServer();
const original = new HttpTransport({ server: values.original, insecure: true });
const pair = new Pair(original, server.inProcess(undefined, { structured: false }), values.token);
const random = seededRandom(Number(values.seed));
const objects = new RandomObjects(random);
const schemas = new RandomSchemas(random);
let asked = 0;
let differing = 0;

const definitions = [
  ...positionals.flatMap(definitionsIn),
  ...Array.from({ length: Number(values.random) }, (_, index) => randomDefinition(index)),
];
for (const definition of definitions) await play(definition);
console.log(`${definitions.length} definitions, ${asked} questions, ${differing} differ`);
await server.stop();
await original.close();
process.exit(differing === 0 ? 0 : 1);

function definitionsIn(file: string): readonly CustomResourceDefinition[] {
  return splitYamlDocuments(readFileSync(file, 'utf8'))
    .map((document) => readYaml(document) as CustomResourceDefinition | null)
    .filter((one) => one?.kind === 'CustomResourceDefinition') as readonly CustomResourceDefinition[];
}

/** With a status of its own, or not. */
function randomDefinition(index: number): CustomResourceDefinition {
  const name = `r${values.seed}x${index}`;
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: schemas.root() },
    ...(index % 2 === 0 && { subresources: { status: {} } }),
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${name}s.random.example.com` },
    spec: {
      group: 'random.example.com',
      scope: 'Namespaced',
      names: {
        plural: `${name}s`,
        singular: name,
        kind: name.toUpperCase(),
        listKind: `${name.toUpperCase()}List`,
      },
      versions: [version],
    },
  } as unknown as CustomResourceDefinition;
}

async function play(definition: CustomResourceDefinition): Promise<void> {
  const name = definition.metadata.name!;
  // Nobody is there who would convert.
  const body = { ...definition, spec: { ...definition.spec, conversion: undefined } };
  const created = await ask(`${name}: definition`, { method: 'POST', path: definitionsPath, body });
  if (created.original.status !== 201) return;
  const { group, names, scope, versions } = definition.spec;
  for (const { name: version, served, schema } of versions) {
    if (!served) continue;
    const parent = scope === 'Namespaced' ? '/namespaces/default' : '';
    const path = `/apis/${group}/${version}${parent}/${names.plural}`;
    await untilServed(path);
    let kept: string | undefined;
    for (let at = 0; at < Number(values.objects); at++) {
      const random = objects.value({ ...(schema?.openAPIV3Schema as JsonSchema), type: 'object' });
      const named = (name: string) => ({
        ...(random as object),
        apiVersion: `${group}/${version}`,
        kind: names.kind,
        metadata: { name },
      });
      const what = `${name} ${version} ${at}`;
      const body = named(`random-${at}`);
      const taken = await ask(what, { method: 'POST', path: `${path}?dryRun=All`, body });
      if (kept !== undefined) await change(what, `${path}/${kept}`, named(kept));
      else if (taken.original.status === 201 && taken.ours.status === 201) {
        kept = `random-${at}`;
        await ask(what, { method: 'POST', path, body });
      }
    }
  }
  await pair.ask({ method: 'DELETE', path: `${definitionsPath}/${name}` }, 'default');
}

/** Each in the words of an update, a merge patch and an apply. */
async function change(what: string, path: string, body: object): Promise<void> {
  await ask(`${what} update`, { method: 'PUT', path: `${path}?dryRun=All`, body });
  const type = 'application/merge-patch+json';
  await ask(`${what} patch`, { method: 'PATCH', path: `${path}?dryRun=All`, body, type });
  await ask(`${what} apply`, {
    method: 'PATCH',
    path: `${path}?dryRun=All&fieldManager=differ&force=true`,
    body,
    type: 'application/apply-patch+yaml',
  });
}

async function untilServed(path: string): Promise<void> {
  const end = Date.now() + servedMsMax;
  while (Date.now() < end) {
    const { original: theirs, ours } = await pair.ask({ method: 'GET', path }, 'default');
    if (theirs.status === 200 && ours.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  console.log(`${path} is not served by both`);
}

async function ask(what: string, question: Question): Promise<Compared> {
  asked++;
  const compared = await pair.ask(question, 'default');
  // Ours is asked in this process, where nothing is compressed.
  const differences = compared.differences.filter(
    ({ path, expected, got }) => !/content-encoding|vary/.test(path) && !isSameRefusal(expected, got),
  );
  if (differences.length > 0 && ++differing <= Number(values.show)) {
    console.log(what, question.path, JSON.stringify(question.body).slice(0, bodyTextMax));
    for (const difference of differences.slice(0, differencesMax))
      console.log(describeDifference(difference));
  }
  return compared;
}
