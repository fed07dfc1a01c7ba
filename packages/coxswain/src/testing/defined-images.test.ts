/** Programs as functions, as seen by containers, services, probes and outside clients. */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { KubeObject } from '@coxswain/apimachinery';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ImageDefinition, ProgramContainer } from '../../types/testing.d.ts';
import { createCluster } from './create-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

let cluster: TestCluster;
beforeEach(async () => (cluster = await createCluster({ nodes: 2, seed: 1 })));
afterEach(() => cluster.stop());

const container = (image: string, more: object = {}) => ({ name: 'c', image, ...more });

const pod = (name: string, image: string, more: object = {}, spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels: { app: name } },
  spec: { containers: [container(image, more)], terminationGracePeriodSeconds: 5, ...spec },
});

const service = (name: string, spec: object = {}, app = name) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { selector: { app }, ports: [{ port: 80, targetPort: 8080 }], ...spec },
});

const serves = (text: string): ImageDefinition => ({ listen: { 8080: () => new Response(text) } });

const replies = (handler: (request: Request, own: ProgramContainer) => Response | Promise<Response>) => ({
  listen: { 8080: handler },
});

const pods = () => cluster.client.resource<Pod & KubeObject>('v1', 'pods').namespace('default');

const text = async (url: string, init?: RequestInit) => (await cluster.fetch(url, init)).text();

/** The error that a client gets for a request without a response. */
const failure = async (url: string): Promise<string> => {
  const error = await cluster.fetch(url).catch((thrown: Error) => thrown);
  return ((error as Error).cause as { code: string } | undefined)?.code ?? 'answered';
};

test('a function answers requests to a service, with the environment and the files of its container', async () => {
  cluster.images.define('shop:1.2', {
    ...replies(async (request, { env, files, pod: own }) =>
      Response.json({
        path: new URL(request.url).pathname,
        body: await request.text(),
        level: env['LEVEL'],
        motto: files.read('/etc/shop/motto'),
        name: own.name,
      }),
    ),
  });
  await cluster.apply([
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'shop' },
      data: { level: 'high', motto: 'buy' },
    },
    pod(
      'web',
      'shop:1.2',
      {
        env: [{ name: 'LEVEL', valueFrom: { configMapKeyRef: { name: 'shop', key: 'level' } } }],
        volumeMounts: [{ name: 'own', mountPath: '/etc/shop' }],
      },
      { volumes: [{ name: 'own', configMap: { name: 'shop' } }] },
    ),
    service('web'),
  ]);
  await cluster.idle();
  const answer = await cluster.fetch('http://web.default/orders?x=1', { method: 'POST', body: 'two' });
  expect(await answer.json()).toEqual({
    path: '/orders',
    body: 'two',
    level: 'high',
    motto: 'buy',
    name: 'web',
  });
  expect(await failure('http://web.default:81')).toBe('ECONNREFUSED');
  expect(await failure('http://nobody.default')).toBe('ENOTFOUND');
});

test('programs call each other by name, and each waits in the time of the cluster', async () => {
  cluster.images.define(
    'api',
    replies(async (_request, { clock }) => {
      await clock.sleep(30_000);
      return new Response('late');
    }),
  );
  cluster.images.define(
    'front',
    replies(async (request, own) => {
      const limit = Number(new URL(request.url).searchParams.get('limit'));
      return own
        .fetch('http://api/', { signal: own.clock.timeout(limit) })
        .catch((error: Error) => new Response(error.name, { status: 504 }));
    }),
  );
  await cluster.apply([pod('api', 'api'), service('api'), pod('front', 'front'), service('front')]);
  await cluster.idle();
  const beganMs = cluster.clock.now();
  expect(await text('http://front.default/?limit=60000')).toBe('late');
  expect(cluster.clock.now() - beganMs).toBe(30_000);
  expect(await text('http://front.default/?limit=1000')).toBe('TimeoutError');
  expect(cluster.clock.now() - beganMs).toBe(31_000);
});

test('wget, curl, nc and port-forward reach the same function', async () => {
  cluster.images.define(
    'web',
    replies((request) =>
      new URL(request.url).pathname === '/' ? new Response('hi') : new Response('no', { status: 404 }),
    ),
  );
  const script = [
    'wget -qO- web && echo',
    'wget -qO- web/missing',
    'curl -s -w " %{http_code}\\n" web/missing',
    'curl -sf web/missing || echo failed with $?',
    `printf 'GET / HTTP/1.0\\r\\n\\r\\n' | nc web 80`,
  ].join('\n');
  await cluster.apply([pod('web', 'web'), service('web')]);
  await cluster.idle();
  await cluster.apply(
    pod('client', 'busybox', { command: ['sh', '-c', script] }, { restartPolicy: 'Never' }),
  );
  await cluster.idle();
  expect((await cluster.logs('pod/client')).replaceAll('\r', '')).toBe(`hi
wget: server returned error: HTTP/1.1 404 Not Found
no 404
failed with 22
HTTP/1.1 200 OK
content-type: text/plain;charset=UTF-8
Content-Length: 2
Connection: close

hi
`);
});

test('the API server hands requests on to pods and services', async () => {
  cluster.images.define(
    'web',
    replies(async (request) => new Response(`${request.method} ${request.url}`)),
  );
  await cluster.apply([pod('web', 'web'), service('web')]);
  await cluster.idle();
  const send = async (path: string) => {
    const { status, bytes } = await cluster.transport.send({ method: 'GET', path, headers: {} });
    return `${status} ${new TextDecoder().decode(await bytes())}`;
  };
  const prefix = '/api/v1/namespaces/default';
  expect(await send(`${prefix}/pods/web:8080/proxy/a?b=c`)).toMatch(
    /^200 GET http:\/\/10\.244\..*:8080\/a\?b=c$/,
  );
  expect(await send(`${prefix}/services/web/proxy/`)).toMatch(/^200 GET /);
  expect(await send(`${prefix}/pods/web:81/proxy/`)).toMatch(/^503 .*connect: connection refused/);
});

test('a failing function has the effects of a failing container', async () => {
  cluster.images.define(
    'web',
    replies((request): Response | Promise<Response> => {
      switch (new URL(request.url).pathname) {
        case '/throws':
          throw new Error('out of stock');
        case '/huge':
          return new Response(new Uint8Array(17 * 1024 * 1024));
        case '/reset':
          return Response.error();
        case '/never':
          return new Promise(() => {});
        default:
          return undefined as unknown as Response;
      }
    }),
  );
  await cluster.apply([pod('web', 'web'), service('web')]);
  await cluster.idle();
  expect((await cluster.fetch('http://web.default/throws')).status).toBe(500);
  expect(await cluster.logs('pod/web')).toMatch(/^Error: out of stock\n/);
  expect((await cluster.fetch('http://web.default/nothing')).status).toBe(500);
  expect(await failure('http://web.default/huge')).toBe('ECONNRESET');
  expect(await failure('http://web.default/reset')).toBe('ECONNRESET');
  await expect(cluster.fetch('http://web.default/never')).rejects.toThrow('no answer within ten minutes');
  expect((await pods().get('web')).status?.phase).toBe('Running');
});

test('probes use the result of the function', async () => {
  let isHealthy = true;
  const health = replies(() => new Response('', { status: isHealthy ? 200 : 503 }));
  cluster.images.define('web', health);
  const httpGet = { path: '/health', port: 8080 };
  await cluster.apply([
    pod('web', 'web', {
      readinessProbe: { httpGet, periodSeconds: 5, failureThreshold: 1 },
      livenessProbe: { httpGet, periodSeconds: 10, failureThreshold: 3 },
    }),
    service('web'),
  ]);
  await cluster.idle();
  expect((await cluster.fetch('http://web.default')).status).toBe(200);
  isHealthy = false;
  await cluster.clock.advance('6s');
  expect(await failure('http://web.default')).toBe('ECONNREFUSED');
  await cluster.clock.advance('40s');
  const [status] = (await pods().get('web')).status?.containerStatuses ?? [];
  expect(status).toMatchObject({ ready: false, restartCount: 1 });
  const events = await cluster.client.resource<KubeObject & { message: string }>('v1', 'events').list();
  const messages = events.items.map(({ message }) => message);
  expect(messages).toContain('Readiness probe failed: HTTP probe failed with statuscode: 503');
});

test('a probe gives up on a function that does not answer in time', async () => {
  cluster.images.define(
    'slow',
    replies(async (_request, { clock }) => {
      await clock.sleep(5_000);
      return new Response('');
    }),
  );
  await cluster.apply(
    pod('slow', 'slow', { readinessProbe: { httpGet: { port: 8080 }, timeoutSeconds: 2 } }),
  );
  await cluster.clock.advance('20s');
  const events = await cluster.client.resource<KubeObject & { message: string }>('v1', 'events').list();
  expect(events.items.map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/^Readiness probe failed: Get "http:.*": context deadline exceeded/),
  );
});

test('commands of an image run in exec probes, hooks, shells and as the program of a container', async () => {
  const seen: string[] = [];
  cluster.images.define('tool', {
    listen: { 8080: () => new Response('') },
    files: { '/srv/greeting': 'hello' },
    commands: {
      check: (_command, { state }) => (state['broken'] ? 3 : 0),
      greet({ args, out }, { files }) {
        out(`${files.read('/srv/greeting')} ${args.join(' ')}\n`);
      },
      note({ args }) {
        seen.push(args.join(' '));
      },
      fail() {
        throw new Error('no such thing');
      },
    },
  });
  await cluster.apply([
    pod('tool', 'tool', {
      readinessProbe: { exec: { command: ['check'] } },
      lifecycle: {
        postStart: { exec: { command: ['note', 'started'] } },
        preStop: { exec: { command: ['note', 'stopping'] } },
      },
    }),
    pod('job', 'tool', { command: ['sh', '-c', 'greet you | cat; fail'] }, { restartPolicy: 'Never' }),
    pod('wrong', 'tool', { command: ['missing'] }, { restartPolicy: 'Never' }),
  ]);
  await cluster.idle();
  expect((await pods().get('tool')).status?.containerStatuses?.[0]?.ready).toBe(true);
  expect(await cluster.logs('pod/job')).toBe('hello you\nfail: no such thing\n');
  expect((await pods().get('job')).status?.phase).toBe('Failed');
  const { state } = (await pods().get('wrong')).status!.containerStatuses![0]!;
  expect(state?.terminated?.message).toContain('exec: "missing": executable file not found in $PATH');
  await pods().delete('tool');
  await cluster.idle();
  expect(seen).toEqual(['started', 'stopping']);
});

test('the main program ends its container, or is asked to stop', async () => {
  cluster.images.define('work', {
    async run({ args, clock, log, signal }) {
      if (args[0] === 'fail') throw new Error('nothing to do');
      if (args[0] === 'code') return 7;
      if (args[0] !== 'serve') return;
      await clock.sleep(600_000, signal).catch(() => undefined);
      await clock.sleep(2_000);
      log('done');
    },
  });
  const once = { restartPolicy: 'Never' };
  await cluster.apply([
    pod('succeeds', 'work', {}, once),
    pod('fails', 'work', { args: ['fail'] }, once),
    pod('seven', 'work', { args: ['code'] }, once),
    pod('serves', 'work', { args: ['serve'] }, once),
  ]);
  await cluster.idle();
  const codeOf = async (name: string) =>
    (await pods().get(name)).status?.containerStatuses?.[0]?.state?.terminated?.exitCode;
  expect(await Promise.all(['succeeds', 'fails', 'seven', 'serves'].map(codeOf))).toEqual([
    0,
    1,
    7,
    undefined,
  ]);
  await pods().delete('serves');
  await cluster.clock.advance('1s');
  expect((await pods().get('serves')).metadata.deletionTimestamp).toBeDefined();
  await cluster.clock.advance('2s');
  await expect(pods().get('serves')).rejects.toThrow('not found');
});

test('network policies and traffic policies decide over requests of programs', async () => {
  cluster.images.define('api', serves('secret'));
  cluster.images.define(
    'front',
    replies(async (_request, own) => own.fetch('http://api/')),
  );
  await cluster.apply([
    pod('api', 'api'),
    service('api'),
    pod('front', 'front'),
    service('front'),
    pod('other', 'front'),
    service('other'),
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'api' },
      spec: {
        podSelector: { matchLabels: { app: 'api' } },
        ingress: [{ from: [{ podSelector: { matchLabels: { app: 'front' } } }] }],
      },
    },
  ]);
  await cluster.idle();
  expect(await text('http://front.default')).toBe('secret');
  expect((await cluster.fetch('http://other.default')).status).toBe(500);
  expect(await cluster.logs('pod/other')).toContain('fetch failed');
  expect(await failure('http://api.default')).toBe('ETIMEDOUT');
});

test('node ports, sessions and local traffic go where kube-proxy sends them', async () => {
  cluster.images.define(
    'who',
    replies((_request, { pod: own }) => new Response(`${own.name} on ${own.nodeName}`)),
  );
  const on = (name: string, nodeName: string) => ({
    ...pod(name, 'who', {}, { nodeName }),
    metadata: { name, labels: { app: 'who' } },
  });
  await cluster.apply([
    on('a', 'node-0'),
    on('b', 'node-1'),
    on('c', 'node-1'),
    service('any', {}, 'who'),
    service('sticky', { sessionAffinity: 'ClientIP' }, 'who'),
    service(
      'local',
      {
        type: 'NodePort',
        externalTrafficPolicy: 'Local',
        ports: [{ port: 80, targetPort: 8080, nodePort: 30080 }],
      },
      'who',
    ),
  ]);
  await cluster.idle();
  const many = async (url: string) => {
    const answers = new Set<string>();
    for (let round = 0; round < 20; round++) answers.add(await text(url));
    return [...answers].sort();
  };
  expect(await many('http://any.default')).toEqual(['a on node-0', 'b on node-1', 'c on node-1']);
  expect(await many('http://sticky.default')).toHaveLength(1);
  expect(await many('http://node-0:30080')).toEqual(['a on node-0']);
  expect(await many('http://node-1:30080')).toEqual(['b on node-1', 'c on node-1']);
});

test('an Ingress leads to services by host and path', async () => {
  cluster.images.define('shop', serves('shop'));
  cluster.images.define('cart', serves('cart'));
  const backend = (name: string) => ({ service: { name, port: { number: 80 } } });
  await cluster.apply([
    pod('shop', 'shop'),
    service('shop'),
    pod('cart', 'cart'),
    service('cart'),
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'shop' },
      spec: {
        rules: [
          {
            host: 'shop.example.com',
            http: {
              paths: [
                { path: '/', pathType: 'Prefix', backend: backend('shop') },
                { path: '/cart', pathType: 'Prefix', backend: backend('cart') },
                { path: '/gone', pathType: 'Exact', backend: backend('gone') },
              ],
            },
          },
        ],
      },
    },
  ]);
  await cluster.idle();
  expect(await text('http://shop.example.com/')).toBe('shop');
  expect(await text('http://shop.example.com/cart/2')).toBe('cart');
  expect(await text('http://shop.example.com/carts')).toBe('shop');
  expect((await cluster.fetch('http://shop.example.com/gone')).status).toBe(500);
  await cluster.remove({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'cart' } });
  await cluster.idle();
  expect((await cluster.fetch('http://shop.example.com/cart')).status).toBe(503);
});

test('the same seed gives the same history, whatever programs do', async () => {
  const history = async () => {
    await using own = await createCluster({ nodes: 2, seed: 7 });
    own.images.define(
      'api',
      replies(async (_request, { clock, random }) => {
        await clock.sleep(random() * 1_000);
        return new Response('', { status: random() < 0.5 ? 200 : 500 });
      }),
    );
    await own.apply([
      pod('api', 'api', {
        livenessProbe: { httpGet: { port: 8080 }, periodSeconds: 1, failureThreshold: 2 },
      }),
    ]);
    await own.clock.advance('2m');
    return own.history.digest();
  };
  expect(await history()).toBe(await history());
});

test('an image is defined for the containers that start, and resets and forks have it', async () => {
  cluster.images.define('registry.example.com/web', serves('one'));
  expect(cluster.images.names).toEqual(['registry.example.com/web:latest']);
  await cluster.reset();
  await using fork = await cluster.fork();
  await fork.apply([pod('web', 'registry.example.com/web:latest'), service('web')]);
  await fork.idle();
  fork.images.define('registry.example.com/web', serves('two'));
  expect(await (await fork.fetch('http://web')).text()).toBe('one');
  expect(() => cluster.images.define('web', { listens: {} } as never)).toThrow('unknown part "listens"');
  expect(() => cluster.images.define('web', { listen: { 0: () => new Response('') } })).toThrow(
    'from 1 to 65535',
  );
});
