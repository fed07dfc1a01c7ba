import { expect, test } from 'vitest';
import { annotated, OnePod, pod } from '../../test/one-pod.ts';

test('a pod with one container comes up ready, with address, image and ids', async () => {
  const one = new OnePod(pod());
  await one.pass();

  expect(one.status).toMatchObject({
    phase: 'Running',
    observedGeneration: 1,
    podIP: '10.244.0.2',
    podIPs: [{ ip: '10.244.0.2' }],
    hostIP: '172.20.0.2',
    qosClass: 'BestEffort',
  });
  expect(one.status?.conditions?.map(({ type, status }) => `${type}=${status}`)).toEqual([
    'PodReadyToStartContainers=True',
    'Initialized=True',
    'Ready=True',
    'ContainersReady=True',
    'PodScheduled=True',
  ]);
  expect(one.container()).toMatchObject({
    ready: true,
    started: true,
    restartCount: 0,
    state: { running: {} },
  });
  expect(one.container().imageID).toMatch(/^docker\.io\/library\/nginx@sha256:[0-9a-f]{64}$/);
  expect(one.container().containerID).toMatch(/^containerd:\/\/[0-9a-f]{64}$/);
  expect(one.events).toEqual([
    'Normal Pulling: Pulling image "nginx"',
    expect.stringMatching(/^Normal Pulled: Successfully pulled image "nginx" in 0s \(0s including waiting\)/),
    'Normal Created: Container created',
    'Normal Started: Container started',
  ]);
});

test('init containers run one after the other, and a sidecar comes up before what follows it', async () => {
  const one = new OnePod(
    pod({
      initContainers: [
        { name: 'first', image: 'busybox', command: ['sleep', '5'] },
        { name: 'side', image: 'proxy', restartPolicy: 'Always' },
        { name: 'second', image: 'busybox', command: ['sleep', '5'] },
      ],
    }),
  );
  await one.pass(1_000);
  expect(one.status?.phase).toBe('Pending');
  expect(one.container('side').state).toEqual({ waiting: { reason: 'PodInitializing' } });

  await one.pass(5_000);
  expect(one.container('first').state?.terminated).toMatchObject({ exitCode: 0, reason: 'Completed' });
  expect(one.container('side')).toMatchObject({ ready: true, state: { running: {} } });
  expect(one.status?.conditions?.find(({ type }) => type === 'Initialized')).toMatchObject({
    status: 'False',
    reason: 'ContainersNotInitialized',
    message: 'containers with incomplete status: [second]',
  });

  await one.pass(5_000);
  expect(one.status?.phase).toBe('Running');
  expect(one.condition('Ready')).toBe('True');
});

test('a failing init container fails a pod that is not restarted', async () => {
  const one = new OnePod(
    pod({ restartPolicy: 'Never', initContainers: [{ name: 'i', image: 'b', command: ['false'] }] }),
  );
  await one.pass();

  expect(one.status?.phase).toBe('Failed');
  expect(one.condition('Initialized')).toBe('False');
});

test('a crashing container is restarted at once, then after 10 s, then after 20 s', async () => {
  const one = new OnePod(pod({ containers: [{ name: 'c', image: 'b', command: ['false'] }] }));
  await one.pass(1_000);
  expect(one.container()).toMatchObject({
    restartCount: 1,
    ready: false,
    state: {
      waiting: {
        reason: 'CrashLoopBackOff',
        message: 'back-off 10s restarting failed container=c pod=web_default(u1)',
      },
    },
    lastState: { terminated: { exitCode: 1, reason: 'Error' } },
  });
  expect(one.events).toContain(
    'Warning BackOff: Back-off restarting failed container c in pod web_default(u1)',
  );
  expect(one.status?.phase).toBe('Running');

  await one.pass(9_000);
  expect(one.container().restartCount).toBe(2);
  await one.pass(19_000);
  expect(one.container().restartCount).toBe(2);
  await one.pass(2_000);
  expect(one.container().restartCount).toBe(3);
});

test.each([
  ['Never', ['true'], 'Succeeded', 'PodCompleted'],
  ['Never', ['false'], 'Failed', 'PodFailed'],
  ['OnFailure', ['true'], 'Succeeded', 'PodCompleted'],
])(
  'with restartPolicy %s a container that runs %j ends the pod: %s',
  async (restartPolicy, command, phase, reason) => {
    const one = new OnePod(pod({ restartPolicy, containers: [{ name: 'c', image: 'b', command }] }));
    await one.pass();

    expect(one.status?.phase).toBe(phase);
    const ready = one.status?.conditions?.find(({ type }) => type === 'Ready');
    expect(ready).toMatchObject({ status: 'False', reason });
    expect(one.condition('PodReadyToStartContainers')).toBe('False');
  },
);

test('sidecars stop once the others have ended', async () => {
  const one = new OnePod(
    pod({
      restartPolicy: 'Never',
      initContainers: [{ name: 'side', image: 'proxy', restartPolicy: 'Always' }],
      containers: [{ name: 'c', image: 'b', command: ['sleep', '3'] }],
    }),
  );
  await one.pass(2_000);
  expect(one.status?.phase).toBe('Running');

  await one.pass(2_000);
  expect(one.status?.phase).toBe('Succeeded');
  expect(one.container('side').state?.terminated).toBeDefined();
});

test('a container that takes its time to stop is waited for, then the object goes', async () => {
  const one = new OnePod(pod({}, annotated({ 'stop-delay': '5s' })));
  await one.pass();
  one.delete(30);
  await one.pass(4_000);
  expect(one.removed).toBe(false);
  expect(one.events.at(-1)).toBe('Normal Killing: Stopping container c');

  await one.pass(1_000);
  expect(one.removed).toBe(true);
  expect(one.container().state?.terminated).toMatchObject({ exitCode: 0 });
});

test('a container that does not stop in time is killed with 137, and the pod has failed', async () => {
  const one = new OnePod(pod({}, annotated({ 'stop-delay': '60s' })));
  await one.pass();
  one.delete(10);
  await one.pass(10_000);

  expect(one.removed).toBe(true);
  expect(one.container().state?.terminated).toMatchObject({ exitCode: 137, reason: 'Error' });
  expect(one.status?.phase).toBe('Failed');
});

test('an image that cannot be pulled keeps the pod pending, first with the error, then backing off', async () => {
  const one = new OnePod(pod({ containers: [{ name: 'c', image: 'invalid.example.com/none:1' }] }));
  await one.pass();
  expect(one.container().state?.waiting?.reason).toBe('ErrImagePull');

  await one.pass(2_000);
  expect(one.container().state?.waiting?.reason).toBe('ImagePullBackOff');
  expect(one.status?.phase).toBe('Pending');
  expect(one.condition('Ready')).toBe('False');
  expect(one.events).toContain('Warning Failed: Error: ErrImagePull');
  const pulls = () => one.events.filter((event) => event.startsWith('Normal Pulling')).length;
  await one.pass(30_000);
  expect(pulls()).toBe(3);
});

test('an image name that no registry would take is refused', async () => {
  const one = new OnePod(pod({ containers: [{ name: 'c', image: 'Not A Name' }] }));
  await one.pass();

  expect(one.container().state?.waiting?.reason).toBe('InvalidImageName');
});

test('a pod over its active deadline fails', async () => {
  const one = new OnePod(pod({ activeDeadlineSeconds: 20 }));
  await one.pass(19_000);
  expect(one.status?.phase).toBe('Running');

  await one.pass(1_000);
  expect(one.status).toMatchObject({ phase: 'Failed', reason: 'DeadlineExceeded' });
});

test('readiness follows the probe, after its delay', async () => {
  const readinessProbe = { initialDelaySeconds: 5, periodSeconds: 1, tcpSocket: { port: 80 } };
  const one = new OnePod(pod({ containers: [{ name: 'c', image: 'nginx', readinessProbe }] }));
  await one.pass(4_000);
  expect(one.container()).toMatchObject({ ready: false, started: true });

  await one.pass(1_000);
  expect(one.container().ready).toBe(true);
});

test('a pod that is annotated while it runs fails its probe from then on', async () => {
  const readinessProbe = { httpGet: { port: 80 }, periodSeconds: 1 };
  const one = new OnePod(pod({ containers: [{ name: 'c', image: 'i', readinessProbe }] }));
  await one.pass(2_000);
  expect(one.status?.containerStatuses?.[0]?.ready).toBe(true);
  one.change((before) => {
    const metadata = { ...before.metadata, ...annotated({ 'probe.readiness': 'fail' }) };
    return { ...before, metadata };
  });
  await one.pass(4_000);
  expect(one.status?.containerStatuses?.[0]?.ready).toBe(false);
});

test('a failing liveness probe restarts the container', async () => {
  const livenessProbe = { periodSeconds: 2, failureThreshold: 2, tcpSocket: { port: 80 } };
  const spec = { containers: [{ name: 'c', image: 'nginx', livenessProbe }] };
  const one = new OnePod(pod(spec, annotated({ 'probe.liveness': 'fail' })));
  await one.pass(3_000);

  expect(one.container().restartCount).toBe(1);
  expect(one.events).toContain('Normal Killing: Container c failed liveness probe, will be restarted');
});

test.each(['containers', 'initContainers'])(
  'a startup probe that fails often enough restarts the container, also a sidecar (%s)',
  async (field) => {
    const startupProbe = { periodSeconds: 2, failureThreshold: 2, tcpSocket: { port: 80 } };
    const probed = {
      name: 'p',
      image: 'nginx',
      startupProbe,
      ...(field === 'initContainers' && { restartPolicy: 'Always' }),
    };
    const spec = { containers: [{ name: 'c', image: 'nginx' }], [field]: [probed] };
    const one = new OnePod(pod(spec, annotated({ 'probe.startup': 'fail' })));
    await one.pass(1_999);
    expect(one.events.filter((event) => event.includes('Killing'))).toEqual([]);
    await one.pass(1_000);
    const { containerStatuses = [], initContainerStatuses = [] } = one.status!;
    const status = [...containerStatuses, ...initContainerStatuses].find(({ name }) => name === 'p');
    expect(status).toMatchObject({ restartCount: 1, started: false });
    expect(one.events).toContain('Normal Killing: Container p failed startup probe, will be restarted');
  },
);

test('a new image in the spec restarts the container with it', async () => {
  const one = new OnePod(pod());
  await one.pass();
  one.change((old) => ({
    ...old,
    metadata: { ...old.metadata, generation: 2 },
    spec: { ...old.spec!, containers: [{ ...old.spec!.containers[0]!, image: 'nginx:2' }] },
  }));
  await one.pass();

  expect(one.container()).toMatchObject({ image: 'nginx:2', restartCount: 1, ready: true });
  expect(one.status?.observedGeneration).toBe(2);
});

test('a container that is replaced shows no state between its last run and the next', async () => {
  const one = new OnePod(pod({}, annotated({ 'stop-delay': '1s', 'pull-delay': '5s' })));
  await one.pass(5_000);
  one.reported.length = 0;
  one.change((old) => ({
    ...old,
    spec: { ...old.spec!, containers: [{ ...old.spec!.containers[0]!, image: 'nginx:2' }] },
  }));
  await one.pass(2_000);
  one.change((old) => ({ ...old, metadata: { ...old.metadata, labels: { seen: 'meanwhile' } } }));
  expect(one.container()).toMatchObject({ restartCount: 0, ready: true });
  await one.pass(5_000);

  expect(one.container()).toMatchObject({ restartCount: 1, lastState: { terminated: {} } });
  expect(one.reported.map(({ containerStatuses: [status] = [] }) => status?.state?.running)).not.toContain(
    undefined,
  );
});

test('a container that ends by itself shows how before it runs again', async () => {
  const one = new OnePod(pod({ containers: [{ name: 'c', image: 'b', command: ['sleep', '5'] }] }));
  await one.pass(5_000);

  const states = one.reported.map(({ containerStatuses: [status] = [] }) => status?.state);
  expect(states).toContainEqual({ terminated: expect.objectContaining({ reason: 'Completed' }) });
  expect(one.container().restartCount).toBe(1);
});

test('a replaced container whose next image cannot be pulled shows that, and a deletion its end', async () => {
  const one = new OnePod(pod({}, annotated({ 'stop-delay': '1s' })));
  await one.pass();
  one.change((old) => ({
    ...old,
    spec: { ...old.spec!, containers: [{ ...old.spec!.containers[0]!, image: 'invalid.example.com/n:1' }] },
  }));
  await one.pass(1_500);
  expect(one.container().state?.waiting?.reason).toBe('ErrImagePull');

  one.delete();
  await one.pass(1_000);
  expect(one.removed).toBe(true);
});

test('a kubelet that starts again finds its pods running and has nothing to write', async () => {
  const first = new OnePod(pod());
  await first.pass();
  const second = new OnePod({ ...pod(), status: first.status! });
  await second.pass();

  expect(second.status).toEqual(first.status);
  expect(second.events).toEqual([]);
});

test.each([
  ['was never started', annotated({ run: 'hold' })],
  ['waits for its image', annotated({ 'pull-delay': '60s' })],
])('a pod that %s when it is deleted has failed', async (_what, metadata) => {
  const one = new OnePod(pod({}, metadata));
  await one.pass(1_000);
  expect(one.status?.phase).toBe('Pending');

  one.delete();
  await one.pass();
  expect(one.removed).toBe(true);
  expect(one.status?.phase).toBe('Failed');
  expect(one.container().state?.terminated).toMatchObject({
    exitCode: 137,
    reason: 'ContainerStatusUnknown',
  });
  expect(one.errors).toEqual([]);
});

test('a crashing pod that is deleted while it waits goes at once', async () => {
  const one = new OnePod(pod({ containers: [{ name: 'c', image: 'b', command: ['false'] }] }));
  await one.pass(1_000);
  one.delete();
  await one.pass();

  expect(one.removed).toBe(true);
  expect(one.status?.phase).toBe('Failed');
});

test('a container in back-off continues to wait after a restart of the kubelet', async () => {
  const crashing = pod({ containers: [{ name: 'c', image: 'b', command: ['false'] }] });
  const first = new OnePod(crashing);
  await first.pass(1_000);
  const second = new OnePod({ ...crashing, status: first.status! });
  await second.pass(8_000);
  expect(second.container().restartCount).toBe(1);

  await second.pass(3_000);
  expect(second.container().restartCount).toBe(2);
});

test('an init container with a command unknown to the simulation completes at once', async () => {
  const one = new OnePod(pod({ initContainers: [{ name: 'i', image: 'migrate', args: ['up'] }] }));
  await one.pass();
  expect(one.status?.phase).toBe('Running');
  expect(one.container('i').state?.terminated).toMatchObject({ exitCode: 0, reason: 'Completed' });
});

test('a sidecar with a command unknown to the simulation keeps running', async () => {
  const sidecar = { name: 's', image: 'proxy', restartPolicy: 'Always' };
  const one = new OnePod(pod({ initContainers: [sidecar] }));
  await one.pass();
  expect(one.container('s').state).toHaveProperty('running');
});
