import { AsyncLocalStorage } from 'node:async_hooks';
import {
  ManualClock,
  PendingCauses,
  here,
  runStep,
  runStepInTurn,
  scopeOf,
  seededRandom,
  type StepObserver,
} from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import type { Step } from './recording.ts';
import { createRecorder, type Recorder, type RecorderOptions } from './recorder.ts';

const atSite = {
  source: (url: string, line: number, column: number) => ({ file: url.replace(/^.*\//, ''), line, column }),
  definition: () => ({ file: 'elsewhere.ts', line: 7 }),
};

const recorderWith = (options: Partial<RecorderOptions> = {}): Recorder =>
  createRecorder({
    clock: new ManualClock(),
    random: seededRandom(1),
    places: atSite,
    context: new AsyncLocalStorage<unknown>(),
    ...options,
  });

const request = (observer: StepObserver, name = 'GET /api'): StepObserver | undefined =>
  scopeOf(observer, () => ({ kind: 'request', component: 'kube-apiserver', name }));

test('steps nest as they were called, including concurrent ones', async () => {
  const clock = new ManualClock();
  const recorder = recorderWith({ clock });
  const scope = request(recorder.observer);

  const done = runStep(scope, 'create', () =>
    Promise.all(
      ['first', 'second'].map((name) =>
        runStep(scope, name, async () => {
          await clock.sleep(2);
          runStep(scope, `in ${name}`, () => undefined, { bytes: 3 });
        }),
      ),
    ),
  );
  await clock.advance(5);
  await done;

  expect(recorder.recording().undertakings).toMatchObject([
    {
      kind: 'request',
      durationNs: 2_000_000,
      steps: [
        {
          name: 'create',
          steps: [
            { name: 'first', durationNs: 2_000_000, steps: [{ name: 'in first', values: { bytes: 3 } }] },
            { name: 'second', steps: [{ name: 'in second' }] },
          ],
        },
      ],
    },
  ]);
});

test('steps taken one at a time also nest, with concurrent steps in one of them', async () => {
  const recorder = recorderWith();
  const scope = request(recorder.observer);
  const pause = async () => void (await Promise.resolve());
  const filter = (name: string, next: () => Promise<unknown>) => runStepInTurn(scope, name, next);

  await filter('outer', () =>
    filter('passes on', () =>
      filter('handler', async () => {
        await pause();
        const asked = ['one', 'other'].map((name) =>
          runStep(scope, name, async () => {
            await pause();
            await filter(`in ${name}`, pause);
          }),
        );
        await Promise.all(asked);
        runStepInTurn(scope, 'encode', () => scope?.note?.({ bytes: 3 }));
        await filter('store', pause);
      }),
    ),
  );

  const outline = ({ name, steps }: Step): unknown =>
    steps.length === 0 ? name : { [name]: steps.map(outline) };
  const { undertakings } = recorder.recording();
  expect(undertakings.map(({ steps }) => steps.map(outline))).toEqual([
    [
      {
        outer: [
          { 'passes on': [{ handler: [{ one: ['in one'] }, { other: ['in other'] }, 'encode', 'store'] }] },
        ],
      },
    ],
  ]);
  expect(undertakings[0]?.steps[0]).toMatchObject({
    steps: [{ steps: [{ steps: [{}, {}, { values: { bytes: 3 } }, {}] }] }],
  });
  expect(JSON.stringify(undertakings).match(/durationNs/g)).toHaveLength(10);
});

test('a step that outlives the one around it stays within it', async () => {
  const recorder = recorderWith();
  const scope = request(recorder.observer);
  const written = Promise.withResolvers<void>();
  let handled: Promise<void> | undefined;

  runStepInTurn(scope, 'timeout', () => {
    handled = runStepInTurn(scope, 'handler', async () => {
      await runStepInTurn(scope, 'store', () => written.promise);
      runStepInTurn(scope, 'respond', () => undefined);
    });
  });
  written.resolve();
  await handled;

  expect(recorder.recording().undertakings[0]?.steps).toMatchObject([
    { name: 'timeout', steps: [{ name: 'handler', steps: [{ name: 'store' }, { name: 'respond' }] }] },
  ]);
});

test('a known place is not looked up again', () => {
  const recorder = recorderWith();
  const scope = request(recorder.observer);
  const encode = () => runStep(scope, here`encode`, () => undefined);

  for (let time = 0; time < 2; time++) encode();
  runStep(scope, here`encode`, () => undefined);

  const lines = recorder.recording().undertakings[0]!.steps.map(({ line }) => line);
  expect(lines[1]).toBe(lines[0]);
  expect(lines[2]).not.toBe(lines[0]);
});

test('a step is placed where it is taken; one run by a loop, where its function is defined', () => {
  const recorder = recorderWith();
  const scope = request(recorder.observer);
  const loop = { handle: () => undefined };

  runStep(scope, 'named', function decode() {});
  runStep(scope, 'registered', () => loop.handle(), undefined, loop.handle);

  const [named, registered] = recorder.recording().undertakings[0]!.steps;
  expect(named).toMatchObject({ file: expect.stringMatching(/^recorder\.test\.ts\b/), function: 'decode' });
  expect(registered).toMatchObject({ file: 'elsewhere.ts', line: 7, function: 'handle' });
});

test('values are added to the current step from any function', async () => {
  const recorder = recorderWith();
  const scope = request(recorder.observer);

  await runStep(scope, 'authenticate', async () => {
    await Promise.resolve();
    recorder.observer.note?.({ user: 'jane' });
  });

  expect(recorder.recording().undertakings[0]?.steps).toMatchObject([{ values: { user: 'jane' } }]);
});

test('a write leads through event and queue to a reconcile, and its requests lead back', () => {
  const recorder = recorderWith();
  const { observer } = recorder;
  const pending = new PendingCauses(observer);
  const event = { by: 'revision', revision: 12, key: 'deployments/default/web' } as const;
  const write = request(observer, 'POST /deployments');

  runStep(write, 'storage', () => write?.wrote?.(12, '/registry/deployments/default/web'));
  observer.because?.(
    () => event,
    () => pending.note('default/web'),
  );
  const reconcile = scopeOf(observer, () => ({
    kind: 'reconcile',
    component: 'deployment-controller',
    name: 'default/web',
    causes: pending.take('default/web'),
  }));
  const traceParent = runStep(reconcile, 'reconcile', () => observer.traceParent?.()) ?? '';
  scopeOf(observer, () => ({
    kind: 'request',
    component: 'kube-apiserver',
    name: 'POST /replicasets',
    causes: [{ by: 'call', traceParent }],
  }));

  const [first, second, third] = recorder.recording().undertakings;
  expect(second?.links).toEqual([{ from: first?.id, ...event }]);
  expect(third?.links).toEqual([{ from: second?.id, by: 'call' }]);
  expect(new Set([first, second, third].map((one) => one?.traceId)).size).toBe(1);
});

test('a step that throws records why and ends', () => {
  const recorder = recorderWith();
  const scope = request(recorder.observer);

  expect(() =>
    runStep(scope, 'decode', () => {
      throw new Error('invalid character');
    }),
  ).toThrow('invalid character');

  expect(recorder.recording().undertakings).toMatchObject([
    { failure: 'invalid character', steps: [{ failure: 'invalid character', durationNs: 0 }] },
  ]);
});

test('a full recording counts the steps that it drops', () => {
  const recorder = recorderWith({ stepsMax: 3 });
  const scope = request(recorder.observer);

  for (let step = 0; step < 5; step++) runStep(scope, 'step', () => undefined);

  const { undertakings, droppedSteps } = recorder.recording();
  expect(undertakings[0]?.steps).toHaveLength(2);
  expect(droppedSteps).toBe(3);
});

test('without an observer a step is a plain call', () => {
  expect(runStep(undefined, 'anything', () => 42)).toBe(42);
});
