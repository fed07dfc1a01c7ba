/**
 * `npm run differ-kubectl -- --kubectl PROGRAM --original KUBECONFIG --ours KUBECONFIG [resource…]`: a real
 * kubectl does everything with an object of every kind on a real API server and on ours; prints where it says
 * something else. See README.md.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { baseObjects, mostDiverse, type BaseObject } from './base-objects.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kubectl: { type: 'string', default: 'kubectl' },
    original: { type: 'string', default: '' },
    ours: { type: 'string', default: '' },
    from: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
});

interface Said {
  readonly exit: number | null;
  readonly out: string;
  readonly err: string;
}

const home = await mkdtemp(path.join(os.tmpdir(), 'differ-kubectl-'));
const namespace = `differ-${Date.now().toString(36)}`;
const commandMsMax = 30_000;
let asked = 0;
let differing = 0;

await both(`create namespace ${namespace}`);
for (const [collection, bases] of Map.groupBy(baseObjects(values.from), ({ collection: of }) => of)) {
  const resource = resourceOf(collection);
  if (resource !== undefined && isWanted(resource)) await live(resource, bases);
}
await both(`delete namespace ${namespace} --wait=false`);
await rm(home, { recursive: true, force: true });
console.log(`${asked} commands, ${differing} differ`);
process.exit(differing === 0 ? 0 : 1);

/** `deployments.v1.apps`; undefined for what is no collection of stored objects. */
function resourceOf(collection: string): string | undefined {
  const match = /^\/(?:api\/(v1)|apis\/([^/]+)\/([^/]+))(?:\/namespaces\/\$ns)?\/([a-z]+)$/.exec(collection);
  if (match === null) return undefined;
  const [, coreVersion, group, version, plural] = match;
  return coreVersion === undefined ? `${plural}.${version}.${group}` : `${plural}.${coreVersion}.`;
}

function isWanted(resource: string): boolean {
  return positionals.length === 0 || positionals.some((name) => resource.startsWith(`${name}.`));
}

/** The life of one object: the first of the most telling ones that the original accepts. */
async function live(resource: string, bases: readonly BaseObject[]): Promise<void> {
  const file = path.join(home, 'object.json');
  for (const base of mostDiverse(bases)) {
    const body = JSON.parse(JSON.stringify(base.body).replaceAll('$ns', namespace)) as typeof base.body;
    const { name } = (body.metadata ?? {}) as { name?: string };
    if (name === undefined) continue;
    await writeFile(file, JSON.stringify(body));
    const tried = await run(values.original, `create -n ${namespace} -f ${file} --dry-run=server`);
    if (tried.exit !== 0) continue;
    for (const command of commandsFor(resource, `${resource}/${name}`, file))
      await compare(`-n ${namespace} ${command}`);
    return;
  }
  if (values.verbose) console.log(`${resource}: no object`);
}

function commandsFor(resource: string, object: string, file: string): string[] {
  return [
    `create -f ${file}`,
    `create -f ${file}`,
    `get ${object}`,
    `get ${object} -o wide`,
    `get ${object} -o json`,
    `get ${object} -o yaml --show-managed-fields`,
    `get ${object} -o name`,
    `get ${object} -o jsonpath={.metadata.name}`,
    `get ${object} --show-labels`,
    `describe ${object}`,
    `apply -f ${file}`,
    `apply -f ${file}`,
    `apply -f ${file} --server-side`,
    `apply -f ${file} --server-side --force-conflicts`,
    `diff -f ${file}`,
    `label ${object} team=a`,
    `annotate ${object} note=b`,
    `edit ${object}`,
    `patch ${object} --type=merge -p {"metadata":{"labels":{"team":null}}}`,
    `replace -f ${file}`,
    `get ${object} -o yaml`,
    `delete ${object} --wait=false`,
    `get ${object}`,
  ];
}

async function compare(command: string): Promise<void> {
  const [original, ours] = await both(command);
  asked++;
  const [expected, got] = [comparable(original), comparable(ours)];
  if (expected === got) return;
  differing++;
  console.log(`\nkubectl ${command.replace(home, '.')}`);
  const [left, right] = [expected.split('\n'), got.split('\n')];
  const shown = Array.from({ length: Math.max(left.length, right.length) }, (_, i) => i)
    .filter((i) => left[i] !== right[i])
    .slice(0, 6);
  for (const i of shown) console.log(`  - ${left[i] ?? '(no line)'}\n  + ${right[i] ?? '(no line)'}`);
}

async function both(command: string): Promise<[Said, Said]> {
  return Promise.all([run(values.original, command), run(values.ours, command)]);
}

function run(kubeconfig: string, command: string): Promise<Said> {
  const child = spawn(values.kubectl, command.split(' '), {
    // Discovery is kept per server; the editor changes one label.
    env: { ...process.env, KUBECONFIG: kubeconfig, HOME: home, KUBE_EDITOR: 'sed -i s/team:.a/team:\\ c/' },
    timeout: commandMsMax,
    killSignal: 'SIGKILL',
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (text: Buffer) => (out += text.toString()));
  child.stderr.on('data', (text: Buffer) => (err += text.toString()));
  return new Promise((resolve) => child.on('close', (exit) => resolve({ exit, out, err })));
}

/** Without what differs from run to run. */
function comparable({ exit, out, err }: Said): string {
  return `exit ${exit}\n${out}\n${err}`
    .replace(/127\.0\.0\.1:\d+/g, '<server>')
    .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<uid>')
    .replace(/(resource ?version:? *"?:? ?"?)\d+/gi, '$1<rv>')
    .replace(/\d{4}-\d\d-\d\d [\d:.]+ [+-]\d{4}/g, '<time>')
    .replace(/\b\d{4}-\d\d-\d\dT[\d:]{8}(\.\d+)?Z/g, '<time>')
    .replace(/\b[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} [\d:]{8} [+-]\d{4}/g, '<time>')
    .replace(/\b(\d+[ydhms]){1,2}\b/g, '<age>')
    .replace(/\/tmp\/(LIVE|MERGED)-\d+/g, '/tmp/$1')
    .replace(/(healthCheckNodePort: |HealthCheck NodePort: +|"healthCheckNodePort": )\d+/g, '$1<port>')
    .replace(/\b10\.0\.0\.\d+\b/g, '<ip>')
    .replace(/ +/g, ' ');
}
