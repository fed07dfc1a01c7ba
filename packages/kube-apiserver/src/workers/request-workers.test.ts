import { setImmediate as nextTurn } from 'node:timers/promises';
import { systemClock } from '@coxswain/apimachinery';
import { atNextSlice, noteServed } from '@coxswain/apimachinery/slices.ts';
import { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { MemoryStorage } from '@coxswain/storage';
import type { ApiRequest } from '@coxswain/apiserver';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { assembleKubeApiServer, type AssembledApiServer } from '../assemble.ts';
import { WebhookDialError, type WebhookCaller, type WebhookRequest } from '../webhooks/webhook-caller.ts';
import { oneStore } from '../server-stores.ts';
import { largeRequestThreads } from './large-requests.ts';
import { MeasuredCosts } from './measured-costs.ts';
import { RequestWorkers, type RequestWorkersOptions } from './request-workers.ts';

const store = new MemoryStorage({ clock: systemClock });
const storage = new MemoryStorage({ clock: systemClock });
const metrics = { alone: new Metrics(), withWorkers: new Metrics() };

/** Records what it serves. */
class ReportedWorkers extends RequestWorkers {
  readonly served: string[] = [];

  override serve(...[request, body]: Parameters<RequestWorkers['serve']>) {
    this.served.push(`${request.method} ${request.info.path}`);
    return super.serve(request, body);
  }
}

const workersOptions: RequestWorkersOptions = {
  count: 1,
  settings: { kind: 'plain', settings: { authorizationModes: ['AlwaysAllow'] } },
  storageFor: oneStore(storage).storageFor,
  storedForm: 'json',
  clock: systemClock,
  log: () => undefined,
  metrics: metrics.withWorkers,
  callsWebhooks: true,
};
/** The webhook calls of the main thread. */
const called: string[] = [];
let reply: (request: WebhookRequest) => Promise<string>;
const webhookCaller: WebhookCaller = {
  async send(request) {
    called.push(`${request.method} ${request.endpoint.origin}${request.path}`);
    const body = await reply(request);
    return { status: 200, header: () => 'application/json', body };
  },
  close: () => undefined,
};
const workers = new ReportedWorkers(workersOptions);
let alone: AssembledApiServer;
let withWorkers: AssembledApiServer;

beforeAll(async () => {
  alone = await assembleKubeApiServer({ storage: store, clock: systemClock, metrics: metrics.alone });
  withWorkers = await assembleKubeApiServer({
    storage,
    clock: systemClock,
    metrics: metrics.withWorkers,
    workers: largeRequestThreads(workers),
    webhookCaller: () => webhookCaller,
  });
  await Promise.all([alone.start(), withWorkers.start()]);
});
afterAll(() => Promise.all([alone.stop(), withWorkers.stop()]));

interface Question {
  readonly method: string;
  readonly path: string;
  readonly type?: string;
  readonly accept?: string;
  readonly body?: string;
}

const tenant = { name: 'tenant', groups: ['system:masters'] };

async function ask(
  server: AssembledApiServer,
  { method, path, type, accept, body }: Question,
  user = tenant,
) {
  const bytes = body === undefined ? undefined : new TextEncoder().encode(body);
  const response = await server.inProcess(user, { structured: false }).send({
    method,
    path,
    headers: {
      ...(type && { 'content-type': type }),
      ...(accept && { accept }),
      ...(bytes && { 'content-length': String(bytes.length) }),
    },
    ...(bytes && { body: bytes }),
  });
  const text = new TextDecoder().decode(await response.bytes());
  return {
    status: response.status,
    type: response.headers['content-type'],
    warning: response.headers['warning'],
    text,
  };
}

/** Removes what differs between servers. */
const comparable = (text: string): string =>
  text
    .replaceAll(/"?(uid|creationTimestamp|time|resourceVersion)"?: ?"[^"]*"/g, '$1')
    .replaceAll(/(uid|creationTimestamp|time): .*/g, '$1');

const configMaps = '/api/v1/namespaces/default/configmaps';
const data = Object.fromEntries(Array.from({ length: 6_000 }, (_, at) => [`key-${at}`, 'the value']));
const large = (name: string, more: object = {}): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data, ...more });
const json = 'application/json';
const yaml = 'application/yaml';

const questions: Readonly<Record<string, Question>> = {
  'a create': { method: 'POST', path: configMaps, type: json, body: large('one') },
  'a create of what is there': { method: 'POST', path: configMaps, type: json, body: large('one') },
  'a dry run': { method: 'POST', path: `${configMaps}?dryRun=All`, type: json, body: large('two') },
  'a warning': {
    method: 'POST',
    path: `${configMaps}?dryRun=All`,
    type: json,
    body: large('two', { unknown: 1 }),
  },
  'a refusal': { method: 'POST', path: configMaps, type: json, body: large('No good name') },
  'a body that ends too early': {
    method: 'POST',
    path: configMaps,
    type: json,
    body: large('two').slice(0, -9),
  },
  'an update': {
    method: 'PUT',
    path: `${configMaps}/one`,
    type: json,
    body: large('one', { immutable: false }),
  },
  'an apply': {
    method: 'PATCH',
    path: `${configMaps}/one?fieldManager=tenant&force=true`,
    type: 'application/apply-patch+yaml',
    body: large('one'),
  },
  'a small patch of a large object': {
    method: 'PATCH',
    path: `${configMaps}/one`,
    type: 'application/merge-patch+json',
    body: '{"data":{"key-1":"changed"}}',
  },
  'a large object as YAML': { method: 'GET', path: `${configMaps}/one`, accept: yaml },
  'a list as YAML': { method: 'GET', path: configMaps, accept: yaml },
  'a namespace that is not there': {
    method: 'POST',
    path: '/api/v1/namespaces/nowhere/configmaps',
    type: json,
    body: large('one'),
  },
  'a delete': { method: 'DELETE', path: `${configMaps}/one` },
};

describe('a large request gets the same response from another thread', () => {
  test.each(Object.entries(questions))('%s', async (_name, question) => {
    const [here, elsewhere] = [await ask(alone, question), await ask(withWorkers, question)];

    expect(elsewhere).toMatchObject({ status: here.status, type: here.type, warning: here.warning });
    expect(comparable(elsewhere.text)).toBe(comparable(here.text));
  });
});

test('writes of another thread are visible to watches and reads of the main one', async () => {
  const { status } = await ask(withWorkers, {
    method: 'POST',
    path: configMaps,
    type: json,
    body: large('seen'),
  });
  const read = await ask(withWorkers, { method: 'GET', path: `${configMaps}/seen` });

  expect([status, read.status]).toEqual([201, 200]);
  expect(JSON.parse(read.text).data).toEqual(data);
});

test('patches of a large object go to another thread, even those that come before any was read', async () => {
  const revisions = '/apis/apps/v1/namespaces/default/controllerrevisions';
  const body = JSON.stringify({ metadata: { name: 'large' }, revision: 1, data });
  await ask(withWorkers, { method: 'POST', path: revisions, type: json, body });
  const before = workers.served.length;
  const patches = Array.from({ length: 3 }, (_, at) => ({
    method: 'PATCH',
    path: `${revisions}/large`,
    type: 'application/merge-patch+json',
    body: JSON.stringify({ metadata: { labels: { [`at-${at}`]: 'a' } } }),
  }));
  const answers = await Promise.all(patches.map((patch) => ask(withWorkers, patch)));

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(workers.served.slice(before)).toEqual(patches.map(({ path }) => `PATCH ${path}`));
});

const shortOf = (text: string): Question => ({
  method: 'POST',
  path: `${configMaps}?dryRun=All`,
  type: json,
  body: JSON.stringify({ metadata: { name: 'short' }, data: { text } }),
});
// Not of a privileged group, which has precedence.
const crowdOf = (name: string) => ({ name, groups: ['system:authenticated'] });

/** Asks while the user crowds others out. */
async function askInCrowd(question: Question, user: ReturnType<typeof crowdOf>) {
  let isOver = false;
  const crowd = (): void => {
    if (isOver) return;
    for (const owner of ['other', user.name]) noteServed(systemClock, owner, systemClock.monotonic());
    atNextSlice(systemClock, user.name, crowd);
  };
  for (let piece = 0; piece < 3; piece++) crowd();
  const { status } = await ask(withWorkers, question, user);
  isOver = true;
  return status;
}

test('requests of a few milliseconds go to another thread while their user crowds others out', async () => {
  const [short, user] = [shortOf('x'.repeat(20_000)), crowdOf('crowd')];
  const before = workers.served.length;
  await ask(withWorkers, short, user);
  expect(workers.served.slice(before)).toEqual([]);
  expect(await askInCrowd(short, user)).toBe(201);
  expect(workers.served.slice(before)).toEqual([`POST ${configMaps}`]);
});

test('so do short ones that were measured to cost as much', async () => {
  const [short, user] = [shortOf('x'), crowdOf('costly')];
  const before = workers.served.length;
  const expected = vi.spyOn(MeasuredCosts.prototype, 'expectedMs').mockReturnValue(2);
  onTestFinished(() => expected.mockRestore());
  await ask(withWorkers, short, user);
  expect(workers.served.slice(before)).toEqual([]);
  expect(await askInCrowd(short, user)).toBe(201);
  expect(workers.served.slice(before)).toEqual([`POST ${configMaps}`]);
});

describe('a small request whose rules cost much', () => {
  const widgets = '/apis/costly.example/v1/namespaces/default/widgets';
  /** Up to a tenth of the cost limit of rules per object. */
  const rule = 'self.all(x, self.all(y, x + y >= 0))';
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.costly.example' },
    spec: {
      group: 'costly.example',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                numbers: {
                  type: 'array',
                  maxItems: 300,
                  items: { type: 'integer' },
                  'x-kubernetes-validations': [{ rule }],
                },
              },
            },
          },
        },
      ],
    },
  };
  const widget = (name: string, count: number): string =>
    JSON.stringify({
      apiVersion: 'costly.example/v1',
      kind: 'Widget',
      metadata: { name },
      numbers: Array.from({ length: count }, (_, at) => at),
    });
  const create = (name: string, count: number): Question => ({
    method: 'POST',
    path: widgets,
    type: json,
    body: widget(name, count),
  });

  beforeAll(async () => {
    const body = JSON.stringify(definition);
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    for (const server of [alone, withWorkers]) {
      await ask(server, { method: 'POST', path, type: json, body });
      // A new definition is served a few turns later.
      await vi.waitFor(async () =>
        expect((await ask(server, { method: 'GET', path: widgets })).status).toBe(200),
      );
    }
  });

  test('starts here, and again in another thread', async () => {
    const [here, elsewhere] = [
      await ask(alone, create('one', 250)),
      await ask(withWorkers, create('one', 250)),
    ];

    expect(workers.served.at(-1)).toBe(`POST ${widgets}`);
    expect(here.status).toBe(201);
    expect(elsewhere.status).toBe(201);
    expect(comparable(elsewhere.text)).toBe(comparable(here.text));
  });

  test("the user's next request goes there at once, others' stay here", async () => {
    const before = workers.served.length;
    await ask(withWorkers, create('two', 1));
    expect(workers.served.slice(before)).toEqual([`POST ${widgets}`]);

    await ask(withWorkers, create('three', 1), { name: 'modest', groups: ['system:masters'] });
    expect(workers.served.slice(before)).toEqual([`POST ${widgets}`]);
  });
});

test('admission metrics of another thread are recorded as if it ran here', async () => {
  const refused = (of: Metrics) =>
    of
      .exposition()
      .match(/^apiserver_admission_controller_admission_duration_seconds_count\{.*rejected="true".*$/gm) ??
    [];
  metrics.alone.reset();
  metrics.withWorkers.reset();
  const served = workers.served.length;
  for (const server of [alone, withWorkers]) await ask(server, questions['a namespace that is not there']!);

  expect(workers.served).toHaveLength(served + 1);
  expect(refused(metrics.withWorkers)).toEqual(refused(metrics.alone));
  expect(refused(metrics.alone).join('\n')).toMatch(/name="NamespaceLifecycle",operation="CREATE".* 1$/m);
});

describe('webhooks that only the main thread reaches', () => {
  const configurations = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
  const configuration = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'judge' },
    webhooks: [
      {
        name: 'judge.example.com',
        clientConfig: { service: { namespace: 'default', name: 'judge' } },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
        sideEffects: 'None',
        timeoutSeconds: 1,
        admissionReviewVersions: ['v1'],
      },
    ],
  };
  const review = (body: string | undefined, allowed: boolean): string => {
    const { uid } = (JSON.parse(body ?? '') as { request: { uid: string } }).request;
    const response = { uid, allowed, status: { message: 'not here' } };
    return JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response });
  };
  const createLarge = async () => {
    const { status, text } = await ask(withWorkers, {
      method: 'POST',
      path: `${configMaps}?dryRun=All`,
      type: json,
      body: large('judged'),
    });
    return status === 201 ? 'created' : (JSON.parse(text) as { message: string }).message;
  };

  beforeAll(async () => {
    const body = JSON.stringify(configuration);
    await ask(withWorkers, { method: 'POST', path: configurations, type: json, body });
  });
  afterAll(() => ask(withWorkers, { method: 'DELETE', path: `${configurations}/judge` }));

  /** A thread starts, which takes long on a busy machine. */
  const untilReady = { timeout: 20_000 };

  test('are called by it for a thread, with all that they may answer', async () => {
    reply = async ({ body }) => review(body, true);
    await vi.waitFor(async () => {
      expect(await createLarge()).toBe('created');
      expect(called.at(-1)).toBe('POST https://judge.default.svc:443/?timeout=1s');
    }, untilReady);

    reply = async ({ body }) => review(body, false);
    expect(await createLarge()).toBe('admission webhook "judge.example.com" denied the request: not here');
    reply = () => Promise.reject(new WebhookDialError('nobody is there'));
    expect(await createLarge()).toMatch(/failed calling webhook "judge.*": nobody is there$/);
  });

  test('are no longer called when nobody waits for the answer', async () => {
    let aborted = false;
    reply = ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          aborted = true;
          reject(new Error('aborted'));
        });
      });
    expect(await createLarge()).toContain('context deadline exceeded');
    await vi.waitFor(() => expect(aborted).toBe(true));
  });
});

describe('requests that wait for a thread', () => {
  const MiB = 1024 * 1024;

  /** One thread, which has been given the four requests that it serves at once, and is still starting. */
  function crowded() {
    const own = new RequestWorkers(workersOptions);
    onTestFinished(() => own.stop());
    const left: string[] = [];
    const reform = (
      name: string,
      heldMiB: number,
      json = (): Uint8Array => Buffer.from('{"a":1}'),
    ): Promise<string> => {
      const onElsewhere = () => void left.push(name);
      const request = { signal: new AbortController().signal, user: { name }, isUrgent: false, onElsewhere };
      const bytes = { held: heldMiB * MiB, total: 10 * MiB };
      const answer = own.reform(request as ApiRequest, bytes, json, 'yaml', false);
      return answer.then(
        () => 'served',
        (failure: Error) => failure.message,
      );
    };
    const soon = (answers: readonly Promise<string>[]) =>
      Promise.all(answers.map((answer) => Promise.race([answer, nextTurn('waits')])));
    const running = Array.from({ length: 4 }, () => reform('first', 0));
    return { own, left, reform, soon, running };
  }

  test('hold no seats, however many they are', () => {
    const { left, reform } = crowded();
    for (let index = 0; index < 40; index++) void reform('heavy', 0);

    expect(left).toHaveLength(44);
  });

  test('are refused beyond the memory limit, the latest of the heaviest user first', async () => {
    const { reform, soon } = crowded();
    const heavy = Array.from({ length: 3 }, () => reform('heavy', 80));
    const modest = reform('modest', 20);

    const refused = 'too many large requests are waiting';
    expect(await soon([...heavy, modest])).toEqual(['waits', 'waits', refused, 'waits']);
  });

  test('fail alone if they cannot be made once it is their turn', async () => {
    const { reform, running } = crowded();
    const broken = reform('broken', 0, () => {
      throw new Error('a list that is too long');
    });
    const after = reform('after', 0);

    expect(await broken).toBe('a list that is too long');
    expect(new Set(await Promise.all([...running, after]))).toEqual(new Set(['served']));
  });

  test('are refused when the server stops; those that were begun are not', async () => {
    const { own, reform, soon, running } = crowded();
    const waiting = [reform('one', 1), reform('two', 1)];
    own.refuseWaiting();
    waiting.push(reform('three', 1));

    expect(new Set(await soon(waiting))).toEqual(new Set(['apiserver is shutting down']));
    expect(new Set(await soon(running))).toEqual(new Set(['waits']));
  });
});
