/**
 * What definitions cost: installs `--count` CustomResourceDefinitions on a running server, then creates custom resources
 * with 20 rules. `node bench/definitions.ts --server https://… --token T --pids 12,34 [--count 1000]`.
 *
 * Told are CPU-seconds and resident memory of the server's processes (`--pids`, from /proc: the API server and, where it
 * has one, its etcd), the wall time until the last definition is served, and how long after a write discovery and
 * OpenAPI tell of it. Ask the original and ours in turns: absolute figures of different runs can't be compared.
 */
import { readFileSync } from 'node:fs';
import { connect } from 'node:http2';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: {
    server: { type: 'string', default: 'https://127.0.0.1:6443' },
    token: { type: 'string', default: 'oracle-admin-token' },
    pids: { type: 'string', default: '' },
    count: { type: 'string', default: '1000' },
    objects: { type: 'string', default: '2000' },
  },
});

const atOnce = 10;
const pollMs = 2;
const waitMsMax = 60_000;
const group = 'bench.example.com';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const pids = options.pids.split(',').filter(Boolean);
const session = connect(options.server, { rejectUnauthorized: false });

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly tag: string;
  /** When the headers arrived: the documents of a thousand definitions have tens of megabytes. */
  readonly headMs: number;
}

interface Asked {
  readonly accept?: string;
  readonly knownTag?: string;
}

function send(method: string, path: string, body?: object, asked: Asked = {}): Promise<Answer> {
  const { accept = 'application/json', knownTag = '' } = asked;
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ':method': method,
      ':path': path,
      authorization: `Bearer ${options.token}`,
      accept,
      ...(knownTag !== '' && { 'if-none-match': knownTag }),
      ...(body && { 'content-type': 'application/json' }),
    });
    let status = 0;
    let text = '';
    let tag = '';
    let headMs = 0;
    stream.setEncoding('utf8');
    stream.on('response', (headers) => {
      status = Number(headers[':status']);
      tag = headers.etag ?? '';
      headMs = performance.now();
    });
    stream.on('data', (more: string) => (text += more));
    stream.on('end', () => resolve({ status, text, tag, headMs }));
    stream.on('error', reject);
    stream.end(body && JSON.stringify(body));
  });
}

/** User and system time of all threads. */
const cpuSeconds = (): number =>
  pids.reduce((sum, pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return sum + (Number(fields[11]) + Number(fields[12])) / 100;
  }, 0);

const residentMb = (): number =>
  pids.reduce((sum, pid) => {
    const [, kb] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return sum + Number(kb) / 1024;
  }, 0);

/** As large as the definitions of operators: two dozen fields, three levels. */
function definition(index: number, rules: readonly object[] = []): object {
  const plural = `things${index}`;
  const text = {
    type: 'string',
    maxLength: 64,
    description: 'What it says, in a sentence that is neither short nor long.',
  };
  const leaves = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`field${at}`, text]));
  const spec = {
    type: 'object',
    properties: {
      ...leaves,
      size: { type: 'integer', minimum: 0, maximum: 1000 },
      template: { type: 'object', properties: leaves },
      items: { type: 'array', maxItems: 20, items: { type: 'object', properties: leaves } },
    },
    ...(rules.length > 0 && { 'x-kubernetes-validations': rules }),
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, singular: `thing${index}`, kind: `Thing${index}`, listKind: `Thing${index}List` },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        },
      ],
    },
  };
}

async function inTurns(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < count) await work(next++);
    }),
  );
}

/** @throws Error if the condition does not become true */
async function until(isTrue: () => Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + waitMsMax;
  while (performance.now() < end) {
    if (await isTrue()) return;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  throw new Error(`${what} did not come within ${waitMsMax} ms`);
}

async function created(path: string, body: object): Promise<void> {
  const { status, text } = await send('POST', path, body);
  if (status !== 201) throw new Error(`${path}: ${status} ${text}`);
}

const isServed = async (index: number): Promise<boolean> =>
  (await send('GET', `/apis/${group}/v1/namespaces/default/things${index}`)).status === 200;

async function measured<T>(what: string, count: number, work: () => Promise<T>): Promise<void> {
  const [cpu, memory, start] = [cpuSeconds(), residentMb(), performance.now()];
  await work();
  const seconds = (performance.now() - start) / 1000;
  const used = cpuSeconds() - cpu;
  console.log(
    `${what}: ${seconds.toFixed(2)} s, ${used.toFixed(2)} CPU-s (${((used / count) * 1000).toFixed(2)} ms each), ` +
      `${residentMb().toFixed(0)} MB (+${(((residentMb() - memory) / count) * 1024).toFixed(0)} KB each)`,
  );
}

/**
 * The time from the response to a write until the beginning of a response that reflects it. The client knows the state
 * before.
 */
async function delayMs(index: number, path: string, accept?: string): Promise<number> {
  const asked = accept === undefined ? {} : { accept };
  const { tag: knownTag } = await send('GET', path, undefined, asked);
  await created(definitions, definition(index));
  const start = performance.now();
  let reported = start;
  const isReported = async () => {
    const { status, text, headMs } = await send('GET', path, undefined, { ...asked, knownTag });
    reported = headMs;
    return status === 200 && text.includes(`hing${index}`);
  };
  await until(isReported, path);
  return reported - start;
}

const count = Number(options.count);
const objects = Number(options.objects);
await measured(`${count} definitions`, count, async () => {
  await inTurns(count, (index) => created(definitions, definition(index)));
  await inTurns(count, (index) => until(() => isServed(index), `things${index}`));
});
const places = [
  ['discovery of the group', `/apis/${group}/v1`],
  ['aggregated discovery', '/apis', 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'],
  ['OpenAPI v3', `/openapi/v3/apis/${group}/v1`],
  ['OpenAPI v2', '/openapi/v2'],
] as const;
for (const [at, [what, path, accept]] of places.entries()) {
  console.log(`${what} after ${(await delayMs(count + at, path, accept)).toFixed(0)} ms`);
}
const rules = Array.from({ length: 20 }, (_, at) => ({
  rule: `!has(self.field${at % 8}) || self.field${at % 8}.size() < ${60 + at} && self.size <= ${1000 + at}`,
}));
const ruled = count + places.length;
await created(definitions, definition(ruled, rules));
await until(() => isServed(ruled), 'the one with rules');
const resource = `/apis/${group}/v1/namespaces/default/things${ruled}`;
const spec = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`field${at}`, `text ${at}`]));
const thing = (name: string): object => ({
  apiVersion: `${group}/v1`,
  kind: `Thing${ruled}`,
  metadata: { name },
  spec: { ...spec, size: 3 },
});
await inTurns(objects / 4, (index) => created(resource, thing(`warm-${index}`)));
await measured('objects with 20 rules', objects, () =>
  inTurns(objects, (index) => created(resource, thing(`thing-${index}`))),
);
session.close();
