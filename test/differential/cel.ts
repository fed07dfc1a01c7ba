/**
 * `npm run differ-cel -- --original URL --token T`: random expressions, compiled and evaluated by a policy on a real
 * API server and on ours; what one says otherwise is printed.
 */
import { parseArgs } from 'node:util';
import { seededRandom } from '@coxswain/apimachinery';
import { HttpTransport } from '@coxswain/client/https/http-transport.ts';
import { recordedServer } from '../../packages/kube-apiserver/test/oracle/replay.ts';
import {
  asker,
  bindingOf,
  policyOf,
  probeOf,
  resources,
  validationOf,
  waysToShow,
  type Ask,
  type Asked,
} from './cel/ask.ts';
import { generate } from './cel/generate.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    original: { type: 'string', default: 'https://127.0.0.1:6443' },
    token: { type: 'string', default: 'oracle-admin-token' },
    seed: { type: 'string', default: '1' },
    expressions: { type: 'string', default: '500' },
    show: { type: 'string', default: '60' },
  },
});

/** So many warnings fit into one answer uncut, mostly. */
const groupSize = 10;
/** So many policies are made at once: the original takes a second to notice them. */
const groupsAtOnce = 30;
const patienceMs = 30_000;

const run = `cel-${Date.now().toString(36)}`;
const server = await recordedServer();
const original = new HttpTransport({ server: values.original, insecure: true });
const servers = [
  asker(original, values.token, true),
  asker(server.inProcess(undefined, { structured: false }), values.token, false),
] as const;
const random = seededRandom(Number(values.seed));
const differences: string[] = [];
const counts = { compiled: 0, refused: 0, evaluated: 0 };

await both('POST', '/api/v1/namespaces', { metadata: { name: run } });
const expressions =
  positionals.length > 0
    ? positionals
    : Array.from({ length: Number(values.expressions) }, () => generate(random));
const good = await compiled([...new Set(expressions)]);
const groups = Array.from({ length: Math.ceil(good.length / groupSize) }, (_, at) =>
  good.slice(at * groupSize, (at + 1) * groupSize),
);
for (let at = 0; at < groups.length; at += groupsAtOnce) {
  await evaluate(groups.slice(at, at + groupsAtOnce), at);
}
await both('DELETE', `/api/v1/namespaces/${run}`);
for (const text of differences.slice(0, Number(values.show))) console.log(text);
const { compiled: asked, refused, evaluated } = counts;
console.log(`${asked} compiled, ${refused} refused, ${evaluated} evaluated, ${differences.length} differ`);
await server.stop();
await original.close();
process.exit(differences.length === 0 ? 0 : 1);

interface Shown {
  readonly expression: string;
  readonly shown: string;
}

/** Those that the original compiles, with a way to show them that it compiles too. */
async function compiled(candidates: readonly string[]): Promise<readonly Shown[]> {
  const result: Shown[] = [];
  let left = candidates;
  for (const [way, show] of waysToShow.entries()) {
    const next: string[] = [];
    const waiting = Array.from({ length: Math.ceil(left.length / 40) }, (_, at) =>
      left.slice(at * 40, (at + 1) * 40),
    );
    for (let group = waiting.pop(); group !== undefined; group = waiting.pop()) {
      const validations = group.map((one, index) => validationOf(one, index, show(one)));
      const policy = policyOf(`${run}-try`, run, validations);
      const [theirs, own] = await both('POST', `${resources.policies}?dryRun=All`, policy);
      if (theirs.status === 0) {
        const half = Math.ceil(group.length / 2);
        if (group.length === 1) console.log(`breaks the original: ${group[0]}`);
        else waiting.push(group.slice(0, half), group.slice(half));
        continue;
      }
      const [wanted, actual] = [causesOf(theirs), causesOf(own)];
      for (const [index, expression] of group.entries()) {
        const key = `spec.validations[${index}]`;
        const isRefused = wanted.has(`${key}.expression`);
        if (way === 0) counts[isRefused ? 'refused' : 'compiled']++;
        for (const field of ['expression', 'messageExpression']) {
          const [text, ownText] = [wanted.get(`${key}.${field}`), actual.get(`${key}.${field}`)];
          if (text !== ownText) differ(expression, text ?? 'compiles', ownText ?? 'compiles');
        }
        if (isRefused) continue;
        if (wanted.has(`${key}.messageExpression`)) next.push(expression);
        else result.push({ expression, shown: show(expression) });
      }
    }
    left = next;
  }
  return result;
}

function causesOf({ status, body }: Asked): ReadonlyMap<string, string> {
  if (status === 201) return new Map();
  const { details, message } = body as {
    details?: { causes?: { field: string; message: string }[] };
    message?: string;
  };
  if (details?.causes === undefined) throw new Error(`${status} ${message}`);
  return new Map(details.causes.map(({ field, message: text }) => [field, text]));
}

async function evaluate(some: readonly (readonly Shown[])[], first: number): Promise<void> {
  const names = some.map((_, at) => `${run}-${first + at}`);
  for (const [at, group] of some.entries()) {
    const name = names[at]!;
    const validations = group.map(({ expression, shown }, index) => validationOf(expression, index, shown));
    const sentinel = { expression: 'false', message: 'in force' };
    await both('POST', resources.policies, policyOf(name, name, [...validations, sentinel]));
    await both('POST', resources.bindings, bindingOf(name, run));
  }
  for (const [at, group] of some.entries()) {
    const [theirs, own] = await Promise.all(servers.map((ask) => inForce(ask, names[at]!)));
    compare(group, names[at]!, theirs!, own!);
  }
  for (const name of names) {
    await both('DELETE', `${resources.bindings}/${name}`);
    await both('DELETE', `${resources.policies}/${name}`);
  }
}

async function inForce(ask: Ask, label: string): Promise<Asked> {
  const until = Date.now() + patienceMs;
  for (;;) {
    const path = `/api/v1/namespaces/${run}/configmaps?dryRun=All`;
    const answer = await ask('POST', path, probeOf(label)).catch(noAnswer);
    if (answer.status === 0) return answer;
    if (answer.warnings.length > 0 || Date.now() > until) return answer;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** A stream that broke off. */
function noAnswer(failure: unknown): Asked {
  return { status: 0, body: String(failure), warnings: [] };
}

function compare(group: readonly Shown[], name: string, theirs: Asked, own: Asked): void {
  const prefix = `299 - "Validation failed for ValidatingAdmissionPolicy '${name}' with binding '${name}': `;
  const [wanted, actual] = [theirs, own].map(({ warnings }) =>
    warnings.map((text) => text.replace(prefix, '').slice(0, -1)),
  );
  counts.evaluated += group.length;
  const missing = wanted!.filter((text) => !actual!.includes(text));
  const extra = actual!.filter((text) => !wanted!.includes(text));
  if (theirs.status !== own.status) {
    const texts = group.map(({ expression }) => expression).join('\n');
    return differ(texts, `${theirs.status} ${JSON.stringify(theirs.body)}`, String(own.status));
  }
  for (let at = 0; at < Math.max(missing.length, extra.length); at++) {
    const text = missing[at] ?? extra[at]!;
    const index = /^(\d+): /.exec(text)?.[1];
    const expression = index === undefined ? '' : (group[Number(index)]?.expression ?? '');
    differ(expression, missing[at] ?? '(nothing)', extra[at] ?? '(nothing)');
  }
}

function differ(expression: string, original: string, actual: string): void {
  differences.push(`${expression}\n  original ${original}\n  ours     ${actual}\n`);
}

async function both(method: string, path: string, body?: object): Promise<readonly [Asked, Asked]> {
  const [theirs, own] = await Promise.all(servers.map((ask) => ask(method, path, body).catch(noAnswer)));
  return [theirs!, own!];
}
