/**
 * `npm run differ-jsonpath -- --kubectl PROGRAM --kubeconfig FILE --original URL [--expressions N] [--seed S]`:
 * JSONPath at random over objects at random, as -o jsonpath, custom columns, --sort-by and wait of the original's kubectl
 * and ours, and as printer columns of a definition on both servers. `--export DIR` writes what the original said.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { seededRandom } from '@coxswain/apimachinery';
import { compileJsonPath } from '@coxswain/apimachinery/jsonpath/evaluate.ts';
import { HttpTransport } from '@coxswain/client/https/http-transport.ts';
import type { AnswerView } from '../../packages/kube-apiserver/test/oracle/case.ts';
import { recordedServer } from '../../packages/kube-apiserver/test/oracle/replay.ts';
import { printDifference, TwoKubectls } from './commands/two-kubectls.ts';
import { RandomExpressions } from './jsonpath/random-expression.ts';
import { Pair } from './pair.ts';

const { values } = parseArgs({
  options: {
    kubectl: { type: 'string', default: 'kubectl' },
    kubeconfig: { type: 'string', default: '' },
    original: { type: 'string', default: 'https://127.0.0.1:6443' },
    token: { type: 'string', default: 'oracle-admin-token' },
    expressions: { type: 'string', default: '300' },
    objects: { type: 'string', default: '8' },
    seed: { type: 'string', default: '1' },
    export: { type: 'string' },
  },
});

/** A new one for each run: what is left of the last one does not count. */
const group = `jsonpath-${Date.now().toString(36)}.example.com`;
const resource = `samples.${group}`;
const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const columnsAtOnce = 20;
const columnTypes = ['string', 'integer', 'number', 'boolean', 'date', 'string'];
const servedMsMax = 15_000;

const random = new RandomExpressions(seededRandom(Number(values.seed)));
const specs = Array.from({ length: Number(values.objects) }, () => random.spec());
const nameOf = (index: number) => `sample-${index}`;
const server = await recordedServer();
const original = new HttpTransport({ server: values.original, insecure: true });
const inProcess = server.inProcess(undefined, { structured: false });
const pair = new Pair(original, inProcess, values.token);
const tables = new Pair(original, inProcess, values.token, {
  accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
});
const kubectls = new TwoKubectls(values.kubectl, values.kubeconfig);
const recorded: { templates: unknown[]; columns: unknown[] } = { templates: [], columns: [] };
let asked = 0;
let differing = 0;
let batch = 0;

await define([]);
for (const [index, spec] of specs.entries()) {
  const body = { apiVersion: `${group}/v1`, kind: 'Sample', metadata: { name: nameOf(index) }, spec };
  await pair.ask({ method: 'POST', path: `/apis/${group}/v1/samples`, body }, 'default');
}
for (let at = 0; at < Number(values.expressions); at++) await askKubectls(at);
const paths = Array.from({ length: Number(values.expressions) }, () => random.path());
const readable = paths.filter(isReadable);
for (let at = 0; at < readable.length; at += columnsAtOnce)
  await askColumns(readable.slice(at, at + columnsAtOnce));
for (const unreadable of paths.filter((one) => !isReadable(one)).slice(0, 10)) {
  await askColumns(['.spec.size', unreadable, '.spec.text']);
}
await pair.ask({ method: 'DELETE', path: `${definitionsPath}/${resource}` }, 'default');
if (values.export !== undefined) {
  const { templates, columns } = recorded;
  writeFileSync(`${values.export}/templates.json`, `${JSON.stringify({ specs, templates })}\n`);
  writeFileSync(`${values.export}/columns.json`, `${JSON.stringify({ specs, columns })}\n`);
}
kubectls.removeHomes();
await server.stop();
await original.close();
console.log(`${asked} questions, ${differing} differ`);
process.exit(differing === 0 ? 0 : 1);

function isReadable(expression: string): boolean {
  try {
    compileJsonPath(`{${expression}}`);
    return true;
  } catch {
    return false;
  }
}

async function askKubectls(at: number): Promise<void> {
  const index = at % specs.length;
  const object = ['get', resource, nameOf(index)];
  const template = random.template();
  if (template !== '') await compare([...object, '-o', `jsonpath=${template}`]);
  await record(template, index);
  const expression = random.path();
  if (at % 3 === 0)
    await compare([...object, '-o', `custom-columns=A:.kind,B:${expression.replaceAll(',', '')}`]);
  if (at % 3 === 1) await compare(['get', resource, '-o', 'name', `--sort-by=${expression}`]);
  if (at % 3 === 2)
    await compare([
      'wait',
      `${resource}/${nameOf(index)}`,
      '--timeout=0',
      `--for=jsonpath={${expression}}${at % 2 === 0 ? '' : '=1'}`,
    ]);
  if (at % 9 === 0) await compare([...object, '-o', `jsonpath-as-json=${template}`]);
  if (at % 9 === 3)
    await compare([...object, '--allow-missing-template-keys=false', '-o', `jsonpath=${template}`]);
}

async function compare(args: readonly string[]): Promise<void> {
  asked++;
  const [left, right] = await kubectls.ask(args);
  // The original walks maps at random.
  const isUnordered = /\.\.|\.\*/.test(args.at(-1)!);
  if (left === right || (isUnordered && inOrder(left) === inOrder(right))) return;
  differing++;
  printDifference(`kubectl ${args.join(' ')}`, left, right, 6);
}

function inOrder(text: string): string {
  return [...text].toSorted().join('');
}

/** Templates that print an order of their own are left out. */
async function record(template: string, index: number): Promise<void> {
  if (values.export === undefined || template === '' || /\.\.|\.\*/.test(template)) return;
  const args = ['get', resource, nameOf(index), '-o', `jsonpath=${template}`];
  const { out, err } = await kubectls.original('original', args);
  const reading = /^error: error parsing jsonpath .*?, ([^,]*)\n$/s.exec(err)?.[1];
  const failure = reading ?? /Error executing template: (.*?)\. Printing more/s.exec(err)?.[1];
  if ((failure === undefined && err !== '') || /uid|example\.com/.test(out + failure)) return;
  recorded.templates.push([index, template, ...(failure === undefined ? [out] : [null, failure])]);
}

async function askColumns(expressions: readonly string[]): Promise<void> {
  batch++;
  const columns = expressions.map((jsonPath, index) => ({
    name: `${batch} ${index}`,
    type: columnTypes[(index + expressions[0]!.length) % columnTypes.length],
    jsonPath,
  }));
  await define(columns);
  const { original: theirs, ours } = await tables.ask(
    { method: 'GET', path: `/apis/${group}/v1/samples` },
    'default',
  );
  const [left, right] = [cellsOf(theirs.body), cellsOf(ours.body)];
  for (const [index, { type, jsonPath }] of columns.entries()) {
    asked++;
    const [before, after] = [left, right].map((rows) => rows.map((cells) => cells[index + 1]));
    // The original walks maps at random.
    if (/\.\.|\.\*/.test(jsonPath)) continue;
    if (expressions.slice(0, index).every(isReadable)) recorded.columns.push([type, jsonPath, before]);
    if (JSON.stringify(before) === JSON.stringify(after)) continue;
    differing++;
    printDifference(`${type} column ${jsonPath}`, JSON.stringify(before), JSON.stringify(after));
  }
}

function cellsOf(table: unknown): readonly (readonly unknown[])[] {
  return (table as { readonly rows: readonly { readonly cells: readonly unknown[] }[] }).rows.map(
    ({ cells }) => cells,
  );
}

/** Made, or given other columns; resolves when both serve it so. */
async function define(columns: readonly object[]): Promise<void> {
  const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: schema },
    additionalPrinterColumns: columns,
  };
  const body = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: resource },
    spec: { group, scope: 'Cluster', names: { plural: 'samples', kind: 'Sample' }, versions: [version] },
  };
  const patch = {
    method: 'PATCH',
    path: `${definitionsPath}/${resource}`,
    body,
    type: 'application/merge-patch+json',
  };
  if (columns.length > 0) await pair.ask(patch, 'default');
  else await pair.ask({ method: 'POST', path: definitionsPath, body }, 'default');
  await untilServed(columns);
}

/** The columns of other batches have other names. */
async function untilServed(columns: readonly object[]): Promise<void> {
  const end = Date.now() + servedMsMax;
  while (Date.now() < end) {
    const path = `/apis/${group}/v1/samples`;
    const { original: theirs, ours } = await tables.ask({ method: 'GET', path }, 'default');
    const isServed = ({ body }: AnswerView) => {
      const names = ((body as Shown).columnDefinitions ?? []).map(({ name }) => name);
      return names[columns.length === 0 ? 0 : 1]?.startsWith(columns.length === 0 ? 'Name' : `${batch} `);
    };
    if (isServed(theirs) && isServed(ours)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the definition is not served by both');
}

interface Shown {
  readonly columnDefinitions?: readonly { readonly name: string }[];
}
