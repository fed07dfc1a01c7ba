import { AsyncLocalStorage } from 'node:async_hooks';
import { ManualClock, runStep, scopeOf, seededRandom } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { createRecorder } from '../recorder.ts';
import type { Step } from '../recording.ts';
import type { CalledFunction } from '../called-function.ts';
import type { AnyIterator, CallListener } from './function-calls.ts';

function recording(options: { name?: string; depthMax?: number } = {}) {
  const { name = 'kubectl get pods', depthMax = 100 } = options;
  let listener: CallListener;
  const clock = new ManualClock();
  const recorder = createRecorder({
    clock,
    random: seededRandom(1),
    places: {
      source: (url, line, column) => ({ file: url.replace(/^.*\//, ''), line, column }),
      definition: () => undefined,
    },
    context: new AsyncLocalStorage<unknown>(),
    calls: { sees: (url) => url.includes('.test.'), listen: (one) => (listener = one), depthMax },
  });
  const scope = scopeOf(recorder.observer, () => ({ kind: 'command', component: 'kubectl', name }));
  const functions = new Map<string, CalledFunction>();
  const functionOf = (name: string, parameters: readonly string[]): CalledFunction => {
    const known = functions.get(name) ?? {
      name,
      file: 'packages/a/src/a.ts',
      line: 3,
      column: 1,
      parameters,
    };
    functions.set(name, known);
    return known;
  };
  return {
    clock,
    step: <T>(body: () => T): T => runStep(scope, 'run', body),
    call: (name: string, args: Record<string, unknown>, body: () => unknown): unknown => {
      const of = functionOf(name, Object.keys(args));
      function hook(): unknown {
        return listener.call(of, Object.values(args), body, hook);
      }
      const called = (): unknown => hook();
      return called();
    },
    iterate: <T extends AnyIterator>(name: string, body: () => T): T => {
      const of = functionOf(name, []);
      const hook = (): T => listener.iterate(of, [], body, hook);
      return hook();
    },
    server: <T>(body: () => T): T =>
      runStep(
        scopeOf(recorder.observer, () => ({ kind: 'request', component: 'server', name: 'GET /' })),
        'handle',
        body,
      ),
    undertakings: () => recorder.recording().undertakings,
    steps: () => recorder.recording().undertakings[0]!.steps,
    tree: () => recorder.recording().undertakings[0]!.steps.map(shortened),
  };
}

interface Short {
  readonly name: string;
  readonly values?: unknown;
  readonly steps?: readonly Short[];
}

const shortened = ({ name, values, steps }: Step): Short => ({
  name,
  ...(values && { values }),
  ...(steps.length > 0 && { steps: steps.map(shortened) }),
});

test('calls nest within their callers, across awaits', async () => {
  const { call, step, clock, tree } = recording();
  const done = step(() =>
    call('outer', { n: 1 }, async () => {
      await clock.sleep(1);
      call('after', {}, () => 2);
      return 'x';
    }),
  );
  await clock.advance(1);
  await done;
  expect(tree()).toEqual([
    {
      name: 'run',
      steps: [
        {
          name: 'outer',
          values: { arguments: { n: 1 }, result: 'x' },
          steps: [{ name: 'after', values: { result: 2 } }],
        },
      ],
    },
  ]);
});

test('a request is recorded though the command calls no function of the packages', () => {
  const { call, server, undertakings } = recording();
  server(() => call('read', {}, () => 1));
  const [, request] = undertakings();
  expect(request!.steps.map(shortened)).toEqual([
    { name: 'handle', steps: [{ name: 'read', values: { result: 1 } }] },
  ]);
});

test('what a generator calls belongs to it', async () => {
  const { call, step, iterate, tree } = recording();
  await step(async () => {
    async function* numbers(): AsyncGenerator<unknown> {
      yield call('inside', {}, () => 1);
    }
    for await (const one of iterate('numbers', () => numbers() as unknown as AnyIterator & AsyncGenerator))
      call('outside', { one }, () => undefined);
  });
  expect(tree()).toEqual([
    {
      name: 'run',
      steps: [
        { name: 'numbers', steps: [{ name: 'inside', values: { result: 1 } }] },
        { name: 'outside', values: { arguments: { one: 1 } } },
      ],
    },
  ]);
});

test('repeated calls are folded, and deep ones omitted', () => {
  const { call, step, tree } = recording({ depthMax: 2 });
  step(() =>
    call('loop', {}, () => {
      for (const n of [7, 8, 9]) call('small', { n }, () => call('too-deep', {}, () => n));
    }),
  );
  expect(tree()).toEqual([
    {
      name: 'run',
      steps: [
        { name: 'loop', steps: [{ name: 'small', values: { arguments: { n: 7 }, result: 7, times: 3 } }] },
      ],
    },
  ]);
});

test('a call has the place of its caller, and that of the function', () => {
  const { call, step, steps } = recording();
  step(() => call('f', {}, () => 1));
  expect(steps()[0]!.steps[0]).toMatchObject({
    file: expect.stringMatching(/^function-calls\.test\.ts\b/),
    definition: { file: 'packages/a/src/a.ts', line: 3 },
  });
});

const secret = {
  kind: 'Secret',
  metadata: { name: 'db', namespace: 'shop' },
  data: { password: btoa('hunter22') },
};

test('nothing of a Secret is recorded', () => {
  for (const name of [
    'reconcile',
    'GET /api/v1/namespaces/shop/secrets/db',
    'kubectl create secret generic db',
  ]) {
    const { call, step, tree } = recording({ name });
    step(() => {
      call('read', { object: secret }, () => secret);
      call('decode', { text: secret.data.password }, () => 'hunter22');
      call('parse', { text: JSON.stringify(secret) }, () => secret.data);
      call('write', { path: '/run/db', content: 'password=hunter22' }, () => ({
        token: 'abcdef',
        text: 'hunter22',
      }));
      call('authenticate', { header: 'Bearer hunter22', password: 'x' }, () => undefined);
    });
    const reported = JSON.stringify(tree());
    expect(reported).toContain('Secret shop/db');
    expect(reported).not.toMatch(/hunter22|aHVudGVyMjI|abcdef/);
  }
});

test('values are summarized', () => {
  const { call, step, tree } = recording();
  step(() =>
    call(
      'f',
      {
        object: { kind: 'Pod', metadata: { name: 'a', namespace: 'b', resourceVersion: '7' } },
        list: [1, 2, 3, 4, 5],
        bytes: new Uint8Array(9),
        map: new Map([[1, 2]]),
        plain: { a: 1, b: { c: 2 }, c: [1], d: '', e: true, f: 1n },
        text: 'x'.repeat(500),
      },
      () => Promise.resolve,
    ),
  );
  expect(tree()[0]!.steps![0]!.values).toEqual({
    arguments: {
      object: 'Pod b/a (7)',
      list: '[5]',
      bytes: '9 bytes',
      map: 'Map(1)',
      plain: { a: 1, b: '{…}', c: '[1]', d: '', e: true, '…': 1 },
      text: `${'x'.repeat(80)}…`,
    },
    result: 'resolve()',
  });
});
