/**
 * `npm run differ-webhooks -- --original URL --token T [name…]`: a scripted webhook server is called by a real API
 * server and by ours; compared are what each webhook was asked, byte for byte, and what the client got. See README.md.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { HttpTransport } from '@coxswain/client/https/http-transport.ts';
import type { Transport } from '@coxswain/client/transport.ts';
import { recordedServer } from '../../packages/kube-apiserver/test/oracle/replay.ts';
import { mutatingAnswers, validatingAnswers } from './webhooks/answers.ts';
import {
  conversionAnswers,
  conversionQuestions,
  definitions,
  definitionsPath,
} from './webhooks/conversions.ts';
import { configurations, questions, type Question } from './webhooks/cases.ts';
import { hookCertificate } from './certificate.ts';
import { openHooks, type HookServer, type Received } from './webhooks/hook-server.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    original: { type: 'string', default: 'https://127.0.0.1:6443' },
    token: { type: 'string', default: 'oracle-admin-token' },
    http2: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
});

const namespace = `hooks-${Date.now().toString(36)}`;
const tls = hookCertificate();
const hooks = await openHooks(
  tls,
  new Map([
    ...Object.entries(validatingAnswers),
    ...Object.entries(mutatingAnswers),
    ...Object.entries(conversionAnswers),
  ]),
  values.http2,
);
const server = await recordedServer();
const sides: Readonly<Record<string, Transport>> = {
  original: new HttpTransport({ server: values.original, insecure: true }),
  ours: server.inProcess(undefined, { structured: false }),
};

const comparedHeaders = ['accept', 'accept-encoding', 'content-type', 'user-agent'];
let differing = 0;
try {
  await prepare();
  const asked = [...questions(namespace), ...conversionQuestions(namespace)].filter(({ name }) =>
    positionals.every((wanted) => name.includes(wanted)),
  );
  for (const question of asked) await compare(question);
  console.log(`${asked.length} questions, ${differing} differ`);
} finally {
  await cleanUp();
  hooks.close();
}
process.exit(differing === 0 ? 0 : 1);

/** Namespace, roles and configurations; then a moment until the original knows them. */
async function prepare(): Promise<void> {
  for (const [side, transport] of Object.entries(sides)) {
    await send(transport, 'POST', '/api/v1/namespaces', { metadata: { name: namespace } });
    const context = { namespace, url: `${hooks.url}/${side}`, ca: Buffer.from(tls.cert).toString('base64') };
    for (const { path: collection, body } of configurations(context)) {
      const { status, text } = await send(transport, 'POST', collection, body);
      if (status !== 201) throw new Error(`${side}: ${collection}: ${text}`);
    }
    for (const definition of definitions(context.url, context.ca)) {
      const { status, text } = await send(transport, 'POST', definitionsPath, definition);
      if (status !== 201) throw new Error(`${side}: ${text}`);
    }
  }
  await sleep(6000);
}

async function cleanUp(): Promise<void> {
  const { original } = sides;
  for (const { path: collection, body } of configurations({ namespace, url: hooks.url, ca: '' })) {
    await send(original!, 'DELETE', `${collection}/${body.metadata.name}`);
  }
  for (const { metadata } of definitions(hooks.url, '')) {
    // Objects that can't be converted could not be deleted either.
    const end = { spec: { conversion: { strategy: 'None', webhook: null } } };
    const where = `${definitionsPath}/${metadata.name}`;
    await send(original!, 'PATCH', where, end, 'application/merge-patch+json');
    await send(original!, 'DELETE', where);
  }
  await send(original!, 'DELETE', `/api/v1/namespaces/${namespace}`);
  // No controller is there to end it.
  const ended = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace },
    spec: { finalizers: [] },
  };
  await send(original!, 'PUT', `/api/v1/namespaces/${namespace}/finalize`, ended);
}

interface Reported {
  readonly answer: string;
  readonly hooks: readonly string[];
}

async function compare(question: Question): Promise<void> {
  const [original, ours] = await Promise.all(
    Object.entries(sides).map(([side, transport]) => reported(side, transport, question, hooks)),
  );
  const differences = [
    ...(original!.answer === ours!.answer || isSameFailure(original!.answer, ours!.answer)
      ? []
      : [['answer', original!.answer, ours!.answer]]),
    ...Array.from({ length: Math.max(original!.hooks.length, ours!.hooks.length) }, (_, at) => [
      `call ${at + 1}`,
      original!.hooks[at] ?? '(none)',
      ours!.hooks[at] ?? '(none)',
    ]).filter(([, before, after]) => before !== after),
  ];
  if (values.verbose)
    console.log(`${question.name}\n  ${original!.answer}\n  ${original!.hooks.join('\n  ')}`);
  if (differences.length === 0) return;
  differing++;
  console.log(`DIFFERS ${question.name}`);
  for (const [what, before, after] of differences) {
    console.log(
      `  ${what}\n    original ${around(before!, after!)}\n    ours     ${around(after!, before!)}`,
    );
  }
}

/** From a little before the first difference on. */
function around(text: string, other: string): string {
  let at = 0;
  while (at < text.length && text[at] === other[at]) at++;
  return text.length < 300 ? text : `…${text.slice(Math.max(0, at - 60), at + 200)}…`;
}

async function reported(
  side: string,
  transport: Transport,
  { method, path: where, body, type }: Question,
  from: HookServer,
): Promise<Reported> {
  from.take(side);
  const { status, headers, text } = await send(transport, method, where, body, type);
  // Bytes beyond ASCII come as characters of their own over the network.
  const sent = [headers['warning'] ?? []].flat().join(', ');
  const warnings = side === 'ours' ? sent : Buffer.from(sent, 'latin1').toString();
  const answer = plain(side, `${status} ${text} ${warnings && `warning: ${warnings}`}`);
  const calls = from.take(side);
  // How often a conversion is asked for is the server's own affair: the original's caches ask too.
  if (where.startsWith('/apis/c-')) return { answer: sortedMistakes(answer), hooks: [] };
  return { answer, hooks: calls.map((received) => plain(side, callText(received))) };
}

/** Of several mistakes in metadata the original tells in the order of a map at random. */
function sortedMistakes(answer: string): string {
  return answer.replace(/(?<=returned invalid metadata: \[).*?(?=\]")/, (mistakes) =>
    mistakes
      .split(/, (?=metadata\.)/)
      .toSorted()
      .join(', '),
  );
}

/**
 * A list that can't be converted: 429 while the original's cache, which fails for the same reason, is waited for, and
 * 500 afterwards. Which of them it is depends on the moment.
 */
function isSameFailure(original: string, ours: string): boolean {
  const waits = original.startsWith('429 ') && original.includes('storage is (re)initializing');
  return waits && ours.startsWith('500 ');
}

function callText({ line, headers, body }: Received): string {
  return `${line} ${comparedHeaders.map((name) => `${name}: ${headers[name]}`).join('; ')} ${body}`;
}

/** Without what differs from run to run. */
function plain(side: string, text: string): string {
  return text
    .replaceAll(`/${side}/`, '/')
    .replaceAll(namespace, 'NS')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>')
    .replace(/"resourceVersion": ?"\d+"/g, '"resourceVersion":"<rv>"')
    .replace(/"token":"[^"]+"/g, '"token":"<token>"')
    .replace(/"continue":"[^"]+"/g, '"continue":"<token>"')
    .replace(/stream ID \d+/g, 'stream ID <n>')
    .replace(/127\.0\.0\.1:\d{4,5}/g, '<address>')
    .replace(/-[bcdfghjklmnpqrstvwxz2456789]{5}"/g, '-<rand>"')
    .trim();
}

async function send(
  transport: Transport,
  method: string,
  where: string,
  body?: unknown,
  type = 'application/json',
) {
  const response = await transport.send({
    method,
    path: where,
    headers: {
      authorization: `Bearer ${values.token}`,
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'hooks',
      ...(body !== undefined && { 'content-type': type }),
    },
    ...(body !== undefined && { body: Buffer.from(JSON.stringify(body)) }),
  });
  return {
    status: response.status,
    headers: response.headers,
    text: Buffer.from(await response.bytes()).toString(),
  };
}
