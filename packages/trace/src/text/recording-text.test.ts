import { expect, test } from 'vitest';
import { sample, step } from '../recording.fixture.ts';
import type { Recording, Step, Undertaking } from '../recording.ts';
import { recordingText } from './recording-text.ts';

const wide = { columns: 140, colours: false };
const text = (recording: Recording, more = {}) => recordingText(recording, { ...wide, ...more });

test('a tree of causes and effects, with filters on one line', () => {
  expect(text(sample)).toMatchInlineSnapshot(`
    "since start    total     self  id     what                                                                                             where
        +0.0 ms  11.0 ms           0001   kubectl create -f pod.yaml
        +1.0 ms   9.0 ms                  ├ run                                                       packages/kubectl/src/commands/create.ts:22
        +3.0 ms   6.0 ms           0002   └ POST /api/v1/namespaces/default/pods  code=201 revision=7
        +3.0 ms   1.0 ms                    ├ 2 filters  none decided                           packages/apiserver/src/filters/authenticate.ts:9
        +4.0 ms   5.0 ms   2.0 ms           ├ handler/post                                          packages/apiserver/src/handlers/create.ts:22
        +4.0 ms   1.0 ms                    │ ├ decode                                              packages/apiserver/src/handlers/create.ts:22
        +5.0 ms    10 µs                    │ ├ encode                                              packages/apiserver/src/handlers/create.ts:22
        +5.0 ms    10 µs                    │ ├ encrypt                                             packages/apiserver/src/handlers/create.ts:22
        +6.0 ms   2.0 ms                    │ └ storage.transact  key=/registry/pods/default/web             storage/engine/engine-storage.ts:89
                                            │     spec.replicas: 1 → 3
       +12.0 ms        …           0003     └ replicaset-controller default/web  ← revision 7       packages/apiserver/src/handlers/create.ts:22

    3 undertakings, 9 steps
    "
  `);
});

test('a request that is sent again with the same result has one line', () => {
  const [command, request] = sample.undertakings;
  const again = { ...request!, id: `${'1'.padEnd(15, '0')}9`, startNs: request!.startNs + 500_000 };
  const polled = { ...sample, undertakings: [command!, request!, again] };
  expect(text(polled).match(/POST .*pods/g)).toHaveLength(2);
  expect(text(polled).match(/handler\/post/g)).toHaveLength(1);
  expect(text(polled, { everything: true }).match(/handler\/post/g)).toHaveLength(2);
});

test('all of one undertaking, between its causes and its effects', () => {
  expect(text(sample, { only: '0002' })).toMatchInlineSnapshot(`
    "since start    total     self  id     what                                                                                             where
        -3.0 ms  11.0 ms           0001   ← kubectl create -f pod.yaml                                packages/kubectl/src/commands/create.ts:22
        +0.0 ms   6.0 ms           0002   POST /api/v1/namespaces/default/pods  code=201 revision=7
        +0.0 ms   500 µs                  ├ authenticate                                        packages/apiserver/src/filters/authenticate.ts:9
        +0.5 ms   500 µs                  ├ authorize                                              packages/apiserver/src/filters/authorize.ts:9
        +1.0 ms   5.0 ms   2.0 ms         └ handler/post                                            packages/apiserver/src/handlers/create.ts:22
        +1.0 ms   1.0 ms                    ├ decode                                                packages/apiserver/src/handlers/create.ts:22
        +2.0 ms    10 µs                    ├ encode                                                packages/apiserver/src/handlers/create.ts:22
        +2.0 ms    10 µs                    ├ encrypt                                               packages/apiserver/src/handlers/create.ts:22
        +3.0 ms   2.0 ms                    └ storage.transact  key=/registry/pods/default/web  packages/storage/src/engine/engine-storage.ts:89
                                                spec.replicas: 1 → 3
        +9.0 ms        …           0003   → replicaset-controller default/web  ← revision 7

    3 undertakings, 9 steps
    "
  `);
});

test('the values of a single undertaking are shown in full', () => {
  const [, request] = sample.undertakings;
  const stored = { text: 'z'.repeat(500), list: Array.from({ length: 100 }, (_, index) => index) };
  const steps = [step('encode', 4, 1, { values: { stored } })];
  const reported = text({ ...sample, undertakings: [{ ...request!, steps }] }, { only: '0002' });
  expect(reported.match(/z/g)).toHaveLength(500);
  expect(reported).toMatch(/\b99$/m);
});

test('shows only what is asked for by name, with its undertaking', () => {
  expect(text(sample, { show: ['storage.transact', 'authorize'] })).toMatchInlineSnapshot(`
    "since start    total     self  id     what                                                                                             where
        +3.0 ms   6.0 ms           0002   POST /api/v1/namespaces/default/pods  code=201 revision=7
        +3.5 ms   500 µs                  ├ authorize                                              packages/apiserver/src/filters/authorize.ts:9
        +6.0 ms   2.0 ms                  └ storage.transact  key=/registry/pods/default/web    packages/storage/src/engine/engine-storage.ts:89
                                              spec.replicas: 1 → 3

    3 undertakings, 9 steps
    "
  `);
  expect(text(sample, { show: ['replicaset-controller'] })).toContain('replicaset-controller default/web');
  expect(text(sample, { show: ['storage'] })).not.toContain('storage.transact');
});

test('an unknown or ambiguous id is refused', () => {
  expect(() => text(sample, { only: 'ff' })).toThrow('the recording has no undertaking ff');
  expect(() => text(sample, { only: '' })).toThrow('the recording has 3 undertakings whose ids end with');
});

test('what calls the first server is a filter, wherever its file is', () => {
  const [, request] = sample.undertakings;
  const more = (steps: readonly Step[]): readonly Step[] =>
    steps.map((one) =>
      one.name === 'authorize'
        ? { ...one, steps: [step('record', 3.6, 5.4, { steps: [step('server/aggregator', 3.7, 5)] })] }
        : { ...one, steps: more(one.steps) },
    );
  expect(text({ ...sample, undertakings: [{ ...request!, steps: more(request!.steps) }] })).toContain(
    '3 filters  none decided',
  );
});

test('an effect shows who refused it, even though it did not fail', () => {
  const [command, request, reconcile] = sample.undertakings;
  const refused = step('refused-by/Any', 12, 0.01, { values: { verdict: 'refused' } });
  const steps = [step('schedule', 12, 1, { steps: [refused] })];
  expect(text({ ...sample, undertakings: [command!, request!, { ...reconcile!, steps }] })).toContain(
    'refused-by/Any',
  );
});

test.each([
  [
    [
      {
        path: 'status.conditions[PodScheduled]',
        after: { type: 'PodScheduled', status: 'False', reason: 'Unschedulable' },
      },
    ],
    'status.conditions[PodScheduled]: False Unschedulable',
  ],
  [
    [
      {
        path: 'status.allocation',
        after: { devices: { results: [{ device: 'gpu-0', driver: 'gpu.example.test' }] } },
      },
    ],
    'status.allocation: {"devices":{"results":[{"device":"gpu-0…',
  ],
  [
    [
      { path: 'spec.long', after: 'z'.repeat(50) },
      { path: 'spec.replicas', before: 1, after: 3 },
    ],
    'spec.replicas: 1 → 3, 1 more',
  ],
])('a write says what it changed, also what it added: %#', (diff, expected) => {
  const [command, request, reconcile] = sample.undertakings;
  const write = {
    ...reconcile!,
    kind: 'request',
    name: 'PATCH /api/v1/namespaces/default/pods/web/status',
    steps: [step('handler/patch', 12, 1, { steps: [step('patch', 12, 1, { values: { diff } })] })],
  } satisfies Undertaking;
  expect(text({ ...sample, undertakings: [command!, request!, write] }, { columns: 250 })).toContain(
    expected,
  );
});

test('an event says its message', () => {
  const [command, request, reconcile] = sample.undertakings;
  const object = { kind: 'Event', reason: 'FailedScheduling', message: '0/1 nodes are available' };
  const event = {
    ...reconcile!,
    kind: 'request',
    name: 'POST /api/v1/namespaces/default/events',
    steps: [step('handler/post', 12, 1, { steps: [step('decode', 12, 1, { values: { object } })] })],
  } satisfies Undertaking;
  expect(text({ ...sample, undertakings: [command!, request!, event] }, { columns: 250 })).toContain(
    'FailedScheduling: 0/1 nodes are available',
  );
});

test('of a message with advice in further lines, the first is shown', () => {
  const [command] = sample.undertakings;
  const steps = [step('run', 1, 1, { failure: 'conflict with "other": .data.a\nPlease review the fields' })];
  const shown = text({ ...sample, undertakings: [{ ...command!, steps }] });
  expect(shown).toContain('✗ conflict with "other": .data.a');
  expect(shown).not.toContain('Please review');
});

test('a filter that refused has a line of its own', () => {
  const [, request] = sample.undertakings;
  const authorize = step('authorize', 3.5, 1, {
    definition: { file: 'packages/apiserver/src/filters/authorize.ts', line: 9 },
    failure: 'forbidden',
  });
  const steps = [{ ...request!.steps[0]!, steps: [authorize] }];
  const lines = text({ ...sample, undertakings: [{ ...request!, steps }] }).split('\n');

  expect(lines.find((line) => line.includes('✗'))).toMatch(
    /authorize ✗ forbidden .*filters\/authorize.ts:9$/,
  );
  expect(lines.find((line) => line.includes('1 filter'))).toContain('none decided');
});

test('a filter that answered the request itself has a line of its own', () => {
  const [, request] = sample.undertakings;
  const filter = (name: string, steps: readonly Step[], values = {}) =>
    step(name, 3.5, 1, { file: `packages/apiserver/src/filters/${name}.ts`, steps, values });
  const refused = filter('authenticate', [], { refused: 'unknown token' });
  const lines = text({
    ...sample,
    undertakings: [{ ...request!, steps: [filter('audit', [filter('cors', [refused])])] }],
  });
  expect(lines).toContain('2 filters  none decided');
  expect(lines).toContain('authenticate  answered=true refused="unknown token"');
});

test('a failure is shown where it began, and marked where it passed', () => {
  const [, request] = sample.undertakings;
  const failure = `denied: ${'a long reason '.repeat(12)}END`;
  const steps = [step('handler/post', 4, 5, { failure, steps: [step('validate', 4, 1, { failure })] })];
  const lines = text({ ...sample, undertakings: [{ ...request!, steps }] }).split('\n');
  expect(lines.find((line) => line.includes('handler/post'))).toMatch(/handler\/post ✗ {2,}/);
  expect(lines.filter((line) => line.includes('END'))).toHaveLength(1);
});

test('functions are named where they say more than their step', () => {
  const [, , reconcile] = sample.undertakings;
  const steps = [
    step('reconcile', 12, 1, { function: 'syncReplicaSet' }),
    step('parse-flags', 13, 1, { function: 'parseFlags' }),
  ];
  const shown = text({ ...sample, undertakings: [{ ...reconcile!, causes: [], steps }] });
  expect(shown).toContain('reconcile syncReplicaSet()');
  expect(shown).not.toContain('parseFlags()');
});

test('a narrow terminal truncates values for the sake of the place', () => {
  const [, request] = sample.undertakings;
  const values = { kind: 'ConfigMap', apiVersion: 'v1', stored: 'in JSON' };
  const shown = text(
    { ...sample, undertakings: [{ ...request!, steps: [step('decode', 4, 5, { values })] }] },
    { columns: 80 },
  );
  expect(shown).toMatch(/decode  kind=Conf.*…  \S+\.ts:\d+$/m);
  expect(Math.max(...shown.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
});

test('some of many similar steps are shown, with the number of the others', () => {
  const [command] = sample.undertakings;
  const lists = Array.from({ length: 8 }, (_, index) => step('informer/list', index, 1));
  const recording = { ...sample, undertakings: [{ ...command!, steps: lists }] };
  const shown = text(recording, { only: command!.id });
  expect(shown.match(/├ informer\/list/g)).toHaveLength(3);
  expect(shown).toContain('5 more informer/list');
});

test('a single further one, and a request of another kind, have lines of their own', () => {
  const [command] = sample.undertakings;
  const asked = (verb: string, index: number) => step('client/request', index, 1, { values: { verb } });
  const steps = ['GET', 'GET', 'GET', 'GET', 'PATCH'].map(asked);
  const shown = text({ ...sample, undertakings: [{ ...command!, steps }] });
  expect(shown.match(/verb=\w+/g)).toEqual(['verb=GET', 'verb=GET', 'verb=GET', 'verb=GET', 'verb=PATCH']);
});

test('a long path comes last and loses its query', () => {
  const [command] = sample.undertakings;
  const path =
    '/api/v1/namespaces/default/pods?fieldManager=kubectl-client-side-apply&fieldValidation=Strict';
  const steps = [step('client/request', 1, 1, { values: { path, status: 200 } })];
  expect(text({ ...sample, undertakings: [{ ...command!, steps }] })).toContain(
    'status=200 path=/api/v1/namespaces/default/pods?…',
  );
});

test('plugins of one kind are folded together; what a request has only once is not', () => {
  const [command, request] = sample.undertakings;
  const names = [
    'admission/mutate/A',
    'admission/mutate/B',
    'prepare',
    'admission/validate/A',
    'admission/validate/B',
  ];
  const inner = [...names, 'storage/dry-run'].map((name, index) => step(name, index, 0.001));
  const handler = step('handler/post', 1, 100, { steps: inner });
  const lines = text({ ...sample, undertakings: [command!, { ...request!, steps: [handler] }] }).split('\n');
  const shown = lines.flatMap(
    (line) => /[├└] (2 steps {2}A, B|prepare|storage\/dry-run)/.exec(line)?.[1] ?? [],
  );
  expect(shown).toEqual(['2 steps  A, B', 'prepare', '2 steps  A, B', 'storage/dry-run']);
});

test('a long chain of effects continues below, so that its lines stay readable', () => {
  const [, request] = sample.undertakings;
  const chain = Array.from({ length: 30 }, (_, index) => ({
    ...request!,
    id: `b${String(index).padStart(15, '0')}`,
    name: `PATCH /api/v1/namespaces/default/pods/web-${index}`,
    causes: index === 0 ? [] : [`b${String(index - 1).padStart(15, '0')}`],
    links: [],
    startNs: index * 1e6,
    steps: [],
  }));
  const lines = text({ ...sample, undertakings: chain }, { columns: 140 }).split('\n');
  expect(lines.filter((line) => line.includes('▼ below: '))).not.toEqual([]);
  expect(Math.max(...lines.map((line) => line.search(/PATCH/)))).toBeLessThan(80);
  for (const index of chain.keys()) expect(lines.some((line) => line.includes(`web-${index}`))).toBe(true);
});

test('values take as few lines as their width allows', () => {
  const [command] = sample.undertakings;
  const words = Array.from({ length: 12 }, (_, index) => `plugin-number-${index}`);
  const steps = [step('run', 1, 1, { values: { words, nodes: { 'node-0': { Fit: 99, total: 99 } } } })];
  const shown = text({ ...sample, undertakings: [{ ...command!, steps }] }, { only: command!.id });
  expect(shown.match(/plugin-number/g)).toHaveLength(12);
  expect(shown.split('\n').filter((line) => line.includes('plugin-number'))).toHaveLength(3);
  expect(shown).toContain('nodes: {"node-0":{"Fit":99,"total":99}}');
});

test.each([60, 80, 100, 160])('no line is wider than %i columns', (columns) => {
  const lines = text(sample, { columns, everything: true }).split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
});

test('control characters in values are escaped', () => {
  const [command] = sample.undertakings;
  const evil = { ...sample, undertakings: [{ ...command!, name: 'kubectl \u001b[2J' }] };
  expect(text(evil, { colours: true })).toContain('\\u001b[2J');
});

test('ids with the same counter are distinguished by their first digits', () => {
  const [command] = sample.undertakings;
  const both = [command!, { ...command!, id: '9000000000000001' }];
  const recording = { ...sample, undertakings: both };
  expect(text(recording)).toContain(' 9-0001 ');
  expect(text(recording, { only: '4-0001' })).toContain(' 4-0001 ');
});

test('undertakings that name each other as causes are each shown once', () => {
  const [command, request] = sample.undertakings;
  const circle = { ...sample, undertakings: [{ ...command!, causes: [request!.id] }, request!] };
  expect(text(circle).match(/kubectl create|POST/g)).toEqual(['kubectl create', 'POST']);
});

test('effects of a request have a line for each change, and those that changed nothing are grouped', () => {
  const [command, request] = sample.undertakings;
  const because = {
    causes: [request!.id],
    links: [{ from: request!.id, by: 'revision' as const, revision: 7 }],
  };
  const pod = '/api/v1/namespaces/default/pods/web';
  const diff = [
    { path: 'status.phase', before: 'Pending', after: 'Running' },
    { path: 'status.podIPs', after: [{ ip: '10.244.0.2' }, { ip: 'fd00:10:244::2' }] },
  ];
  const handler = (name: string, values: Step['values']) =>
    step('handler/any', 20, 1, { steps: [step(name, 20, 1, { values })] });
  const reason = { object: { kind: 'Event', reason: 'Started' } };
  const effects = [
    { kind: 'request', name: `PATCH ${pod}/status`, steps: [handler('patch', { diff })] },
    { kind: 'request', name: 'GET /api/v1/namespaces/shop/status', values: { status: 404 } },
    ...[1, 2, 3].map(() => ({
      kind: 'request',
      name: 'POST /api/v1/namespaces/default/events',
      steps: [handler('decode', reason)],
    })),
    ...[1, 2].map(() => ({ kind: 'sync', name: 'default/web', steps: [step('sync', 22, 1)] })),
    { kind: 'sync', name: 'default/web', steps: [step('runtime/startContainer', 23, 1, { function: '' })] },
  ].map((more, index) => ({
    ...request!,
    id: `a${String(index).padStart(15, '0')}`,
    component: more.kind === 'sync' ? 'kubelet/node-0' : 'kube-apiserver',
    values: {},
    ...because,
    startNs: (20 + index) * 1e6,
    steps: [],
    ...(more as object),
  }));
  const lines = text({ ...sample, undertakings: [command!, request!, ...effects] }).split('\n');
  const reported = lines
    .filter((line) => /^ +\+(?:2\d)/.test(line))
    .map((line) => line.slice(40).replace(/ {2,}(?:packages|apiserver|create).*/, ''));
  expect(reported).toEqual([
    '├ PATCH …/pods/web/status  status.phase: Pending → Running, 1 more  ← revision 7',
    '├ GET /api/v1/namespaces/shop/status  status=404  ← revision 7',
    '├ 3 events  Started ×3',
    '├ 2 looks that changed nothing  kubelet/node-0 ×2',
    '└ kubelet/node-0 default/web  startContainer  ← revision 7',
  ]);
});

test("a step is shown in the command's own requests; what followed from them has one line each", () => {
  const [, request, reconcile] = sample.undertakings;
  const later: Undertaking = {
    ...request!,
    id: '5555000000000009',
    name: 'POST /api/v1/namespaces/default/pods/web/binding',
    startNs: 14e6,
    causes: [reconcile!.id],
    links: [{ from: reconcile!.id, by: 'call' }],
  };
  const recording = { ...sample, undertakings: [...sample.undertakings, later] };

  const shown = text(recording, { show: ['storage.transact'] });
  expect(shown.match(/spec.replicas: 1 → 3/g)).toHaveLength(1);
  expect(shown).toMatch(/in full with --all or --only=ID, in\n.* 0009 +POST …\/pods\/web\/binding/);
  const all = text(recording, { show: ['storage.transact'], everything: true });
  expect(all.match(/spec.replicas: 1 → 3/g)).toHaveLength(2);
});

test('what nobody is known to have caused has one line beside a command', () => {
  const [command, request] = sample.undertakings;
  const shown = text({ ...sample, undertakings: [command!, { ...request!, causes: [], links: [] }] });
  expect(shown).toContain(' POST ');
  expect(shown).not.toContain('storage.transact');
});

test('the name of a step is not sought in longer names', () => {
  const [, request] = sample.undertakings;
  const steps = [
    step('handler/patch', 4, 5, { function: 'patch', steps: [step('patch', 5, 1), step('encode', 6, 1)] }),
    step('schedule/bind', 9, 1),
  ];
  const recording = { ...sample, undertakings: [{ ...request!, steps }] };
  expect(text(recording, { show: ['patch'] })).not.toMatch(/handler\/patch|encode/);
  expect(text(recording, { show: ['bind'] })).toContain('schedule/bind');
});

test('bytes that are text are shown as they are', () => {
  const [command] = sample.undertakings;
  const values = { patch: { text: '{"a":1}' }, stored: { text: `{"b":"${'x'.repeat(80)}"}\n` } };
  const shown = text(
    { ...sample, undertakings: [{ ...command!, steps: [step('patch', 1, 1, { values })] }] },
    {
      only: command!.id,
    },
  );
  expect(shown).toContain('patch={"a":1}');
  expect(shown).toContain('stored: {"b":"xxx');
});

const reconcileWith = (values: Step['values']): Recording => {
  const [command, request, reconcile] = sample.undertakings;
  const steps = [step('reconcile', 12, 1, { function: 'syncThings', values: { queueLength: 0, ...values } })];
  return { ...sample, undertakings: [command!, request!, { ...reconcile!, durationNs: 1_000_000, steps }] };
};

test('what a controller found wraps instead of being cut, also if it changed nothing', () => {
  const conditions = [{ type: 'ScalingActive', status: 'False', reason: 'FailedGetResourceMetric' }];
  const reported = text(
    reconcileWith({ conditions, waitsFor: 'a-pod-with-quite-a-long-name-that-is-not-ready' }),
  );
  const lines = reported.split('\n').slice(-7).join(' ').replaceAll(/\s+/g, ' ');
  expect(lines).toContain('changed nothing');
  expect(lines).toContain('ScalingActive="False FailedGetResourceMetric"');
  expect(lines).toContain('waitsFor=a-pod-with-quite-a-long-name-that-is-not-ready');
});

test('the first conditions of an object are told apart', () => {
  const [command, request] = sample.undertakings;
  const after = [
    { type: 'ContentDeleted', status: 'False' },
    { type: 'FinalizersRemaining', status: 'True', reason: 'SomeFinalizersRemain' },
  ];
  const update = step('storage/update', 13, 1, { values: { diff: [{ path: 'status.conditions', after }] } });
  const effect = {
    ...request!,
    id: `${'2'.padEnd(15, '0')}8`,
    name: 'PUT /api/v1/namespaces/stuck/status',
    causes: [request!.id],
    links: [{ from: request!.id, by: 'revision' as const }],
    steps: [step('handler/put', 13, 1, { steps: [update] })],
  };
  expect(text({ ...sample, undertakings: [command!, request!, effect] }, { columns: 250 })).toContain(
    'status.conditions[FinalizersRemaining]: True SomeFinalizersRemain, status.conditions[ContentDeleted]: False',
  );
});
