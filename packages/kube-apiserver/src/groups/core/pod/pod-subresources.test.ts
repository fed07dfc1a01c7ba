import { ManualClock } from '@coxswain/apimachinery';
import { MemoryStorage } from '@coxswain/storage';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assembleKubeApiServer, type AssembledApiServer } from '../../../assemble.ts';

const pods = '/api/v1/namespaces/default/pods';
const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
const mergePatch = 'application/merge-patch+json';
const clock = new ManualClock(Date.parse('2026-01-02T03:04:05Z'));

let server: AssembledApiServer;
let ask: (method: string, path: string, body?: object, type?: string) => Promise<Answer>;

interface Answer {
  readonly status: number;
  readonly body: Body;
}

/** The fields that the tests check. */
interface Body {
  readonly message: string;
  readonly details: { readonly kind: string; readonly causes: readonly object[] };
  readonly metadata: { readonly managedFields: readonly { readonly manager: string }[] };
  readonly status: {
    readonly disruptionsAllowed: number;
    readonly disruptedPods: object;
    readonly conditions: readonly { readonly lastTransitionTime: string }[];
  };
}

beforeAll(async () => {
  server = await assembleKubeApiServer({
    storage: new MemoryStorage({ clock }),
    clock,
    disableAdmissionPlugins: ['ServiceAccount'],
  });
  await server.start();
  const transport = server.inProcess({ name: 'admin', groups: ['system:masters'] }, { structured: false });
  ask = async (method, path, body, type = 'application/json') => {
    const response = await transport.send({
      method,
      path,
      headers: { accept: 'application/json', 'content-type': type },
      ...(body && { body: new TextEncoder().encode(JSON.stringify(body)) }),
    });
    const text = new TextDecoder().decode(await response.bytes());
    return { status: response.status, body: JSON.parse(text) as Body };
  };
  await ask('POST', '/api/v1/namespaces', { metadata: { name: 'default' } });
});

afterAll(() => server.stop());

const pod = (name: string, spec: object = {}) => ({
  metadata: { name, labels: { app: name } },
  spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '1' } } }], ...spec },
});

const evict = (name: string, deleteOptions: object = {}) =>
  ask('POST', `${pods}/${name}/eviction`, {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name },
    deleteOptions,
  });

const running = { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } };

describe('an eviction', () => {
  test('spends a disruption in the name of the server', async () => {
    await ask('POST', budgets, {
      metadata: { name: 'b' },
      spec: { minAvailable: 0, selector: { matchLabels: { app: 'guarded' } } },
    });
    const status = { observedGeneration: 1, disruptionsAllowed: 1, currentHealthy: 1, desiredHealthy: 0 };
    await ask('PATCH', `${budgets}/b/status`, { status }, mergePatch);
    await ask('POST', pods, pod('guarded', { nodeName: 'n' }));
    await ask('PATCH', `${pods}/guarded/status`, running, mergePatch);

    expect((await evict('guarded')).status).toBe(201);

    const { body: budget } = await ask('GET', `${budgets}/b`);
    expect(budget.status.disruptionsAllowed).toBe(0);
    expect(Object.keys(budget.status.disruptedPods)).toEqual(['guarded']);
    expect(budget.metadata.managedFields.map(({ manager }) => manager)).toContain('kube-apiserver');
  });

  test('of another pod of that name is refused', async () => {
    await ask('POST', pods, pod('other'));

    const answer = await evict('other', { preconditions: { uid: 'x' } });

    expect(answer.status).toBe(409);
    expect(answer.body.message).toContain('the UID in the precondition (x) does not match');
  });

  test('with options that make no sense is refused', async () => {
    await ask('POST', pods, pod('odd'));

    const answer = await evict('odd', { propagationPolicy: 'Sideways' });

    expect(answer.status).toBe(422);
    expect(answer.body.details.kind).toBe('DeleteOptions');
  });
});

describe('a resize', () => {
  const requests = (cpu: string) => ({
    spec: { containers: [{ name: 'c', resources: { requests: { cpu } } }] },
  });
  const strategicPatch = 'application/strategic-merge-patch+json';

  test('of a pod on a node asks what the node can give', async () => {
    await ask('POST', '/api/v1/nodes', { metadata: { name: 'n2' }, status: { allocatable: { cpu: '2' } } });
    await ask('POST', pods, pod('sized', { nodeName: 'n2' }));

    const answer = await ask('PATCH', `${pods}/sized/resize`, requests('3'), strategicPatch);

    expect(answer.status).toBe(403);
    expect(answer.body.details.causes).toEqual([{ reason: 'NodeCapacity' }]);
    expect((await ask('PATCH', `${pods}/sized/resize`, requests('2'), strategicPatch)).status).toBe(200);
  });

  test('of a pod whose node is gone is refused', async () => {
    await ask('POST', pods, pod('lost', { nodeName: 'nowhere' }));

    const answer = await ask('PATCH', `${pods}/lost/resize`, requests('2'), strategicPatch);

    expect(answer.body.message).toBe('pods "lost" is forbidden: node "nowhere" not found');
  });
});

test('a binding of a pod that is not there names the pod', async () => {
  const target = { metadata: { name: 'nobody' }, target: { name: 'n' } };
  const answer = await ask('POST', '/api/v1/namespaces/default/bindings', target);

  expect(answer.body.message).toBe('pods "nobody" not found');
});

test('a pod whose scheduling is held back says since when', async () => {
  const answer = await ask('POST', pods, pod('held', { schedulingGates: [{ name: 'a.b/c' }] }));

  expect(answer.body.status.conditions[0]!.lastTransitionTime).toBe('2026-01-02T03:04:05Z');
});

test('an empty affinity is a change of the pod', async () => {
  await ask('POST', pods, pod('fixed'));

  const answer = await ask('PATCH', `${pods}/fixed`, { spec: { affinity: {} } }, mergePatch);

  expect(answer.status).toBe(422);
});
