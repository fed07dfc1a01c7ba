/**
 * The kubelets of a scenario: no containers, only what a kubelet would write. A pod's annotation `sim/run` says what
 * becomes of it on a node: `ready` (without one), `running` (not ready), `hold` (nothing is written), `succeed`, `fail:N`,
 * and by the index of its completion `fail-index:1,3:N` (the others succeed), `succeed-index:0,2` (the others get ready),
 * `ready-index:0,2` (the others succeed). With `;linger` behind it, it ends when a step says `finalise`.
 */
import { isGeneratedName } from './comparable-objects.ts';
import type { Answer, OpenObject, ScenarioClient } from './client.ts';
import type { Json, JsonObject, NodeSpec } from './scenario.ts';

interface SimulatedNode {
  /** Whether its lease is renewed. */
  beats: boolean;
  /** It does nothing any more. */
  isDead: boolean;
}

const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
const readyMsMax = 10_000;
const lookEveryMs = 100;

export class ScenarioKubelet {
  /** Generated names of pods, and how they are shown. */
  readonly names = new Map<string, string>();
  beatMs = 10_000;
  readonly #client: ScenarioClient;
  readonly #pods = new Map<string, OpenObject>();
  readonly #handled = new Set<string>();
  readonly #finalised = new Set<string>();
  readonly #nodes = new Map<string, SimulatedNode>();
  readonly #stopping = new AbortController();
  #addresses = 0;

  constructor(client: ScenarioClient) {
    this.#client = client;
  }

  start(): void {
    void this.#client.followPods((type, pod) => this.#see(type, pod), this.#stopping.signal);
    this.#beatLater();
  }

  stop(): void {
    this.#stopping.abort();
  }

  path({ metadata }: OpenObject, sub = ''): string {
    return `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}${sub}`;
  }

  /** @param selector `app=web,name=web-0`, where `name` is that of the pod; the oldest first */
  matching(namespace: string, selector = ''): OpenObject[] {
    const wanted = selector.split(',').filter((part) => part !== '');
    const has = ({ metadata }: OpenObject, part: string): boolean => {
      const [key = '', value] = part.split(/=(.*)/s);
      return (key === 'name' ? metadata.name : metadata.labels?.[key]) === value;
    };
    const age = ({ metadata }: OpenObject) => `${metadata.creationTimestamp}${metadata.name}`;
    return [...this.#pods.values()]
      .filter((pod) => pod.metadata.namespace === namespace && wanted.every((part) => has(pod, part)))
      .toSorted((a, b) => (age(a) < age(b) ? -1 : 1));
  }

  async addNode(node: NodeSpec): Promise<void> {
    this.#nodes.set(node.name, { beats: node.beat !== false, isDead: false });
    const made = await this.#client.post('/api/v1/nodes', nodeObject(node, this.#time()));
    if (made.status !== 201) throw new Error(`node: ${JSON.stringify(made.body)}`);
    await this.#beat(node.name);
    if (node.ready === false || node.conditions !== undefined) return;
    for (let waitedMs = 0; waitedMs < readyMsMax; waitedMs += lookEveryMs) {
      const { spec } = (await this.#client.get(`/api/v1/nodes/${node.name}`)).body;
      if (!spec?.taints?.some(({ key }) => key === 'node.kubernetes.io/not-ready')) return;
      await this.#client.clock.sleep(lookEveryMs);
    }
    throw new Error(`node stays not-ready: ${node.name}`);
  }

  async removeNode(name: string): Promise<void> {
    this.#nodes.delete(name);
    await this.#client.delete(`/api/v1/nodes/${name}`);
    await this.#client.delete(`${leases}/${name}`);
  }

  /** `ready`, `condition`, `beat` and `dead`, each where it is there. */
  async changeNode(change: JsonObject & { readonly name: string }): Promise<void> {
    const node = this.#nodes.get(change.name) ?? { beats: false, isDead: false };
    if ('beat' in change) node.beats = change['beat'] === true;
    if ('dead' in change) node.isDead = change['dead'] === true;
    this.#nodes.set(change.name, node);
    const write = (type: string, conditions: Json) =>
      this.#client.request('PATCH', `/api/v1/nodes/${change.name}/status`, {
        type: `application/${type}+json`,
        body: { status: { conditions } },
      });
    if ('ready' in change)
      await write('merge-patch', conditionsOf(change['ready'] ? 'True' : 'False', this.#time()));
    if (change['condition'] !== undefined)
      await write('strategic-merge-patch', [
        { reason: 'Sim', message: 'sim', ...times(this.#time()), ...(change['condition'] as JsonObject) },
      ]);
    if (node.beats) await this.#beat(change.name);
    if (node.isDead) return;
    for (const pod of this.#pods.values()) if (pod.spec.nodeName === change.name) this.#see('MODIFIED', pod);
  }

  finalise(pod: OpenObject): Promise<void> {
    this.#finalised.add(pod.metadata.uid!);
    this.#handled.add(`${pod.metadata.uid}/end`);
    return this.#terminate(pod);
  }

  /** @param what `ready`, `running`, `unready`, `succeed`, `fail:N` or `fail:N:reason` */
  set(pod: OpenObject, what: string): Promise<Answer> {
    const known = this.#pods.get(pod.metadata.uid!)?.status?.podIP;
    const podIP = known ?? (pod.spec.hostNetwork ? '192.168.1.1' : this.#nextAddress());
    const status = podStatus(pod, what, { podIP, time: this.#time() });
    return this.#client.request('PATCH', this.path(pod, '/status'), {
      type: 'application/strategic-merge-patch+json',
      body: { metadata: { uid: pod.metadata.uid }, status },
    });
  }

  #see(type: string, pod: OpenObject): void {
    const { uid = '', name, generateName, annotations, deletionTimestamp } = pod.metadata;
    if (generateName !== undefined && isGeneratedName(name, generateName))
      this.names.set(name, `${generateName}<rand>`);
    if (type === 'DELETED') return void this.#pods.delete(uid);
    this.#pods.set(uid, pod);
    const node = this.#nodes.get(pod.spec.nodeName ?? '');
    if (node === undefined || node.isDead) return;
    const key = deletionTimestamp === undefined ? uid : `${uid}/end`;
    const run = annotations?.['sim/run'] ?? 'ready';
    const lingers = deletionTimestamp !== undefined && run.includes('linger') && !this.#finalised.has(uid);
    if (this.#handled.has(key) || lingers) return;
    this.#handled.add(key);
    const work =
      deletionTimestamp === undefined ? this.#admit(pod, run.split(';')[0]!) : this.#terminate(pod);
    // What it cannot write, the scenario sees.
    work.catch(() => {});
  }

  async #admit(pod: OpenObject, run: string): Promise<void> {
    const index = pod.metadata.annotations?.['batch.kubernetes.io/job-completion-index'];
    const [verb = '', list = '', code = '1'] = run.split(':');
    const byIndex = runsByIndex[verb];
    const what = byIndex === undefined ? run : byIndex(list.split(',').includes(index ?? ''), code);
    if (what !== 'hold') await this.set(pod, what);
  }

  async #terminate(pod: OpenObject): Promise<void> {
    const isDone = ['Succeeded', 'Failed'].includes(pod.status?.phase ?? '');
    if ((pod.metadata.finalizers?.length ?? 0) > 0 && !isDone) await this.set(pod, 'fail:143');
    await this.#client.delete(this.path(pod), {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      gracePeriodSeconds: 0,
      preconditions: { uid: pod.metadata.uid },
    });
  }

  #beatLater(): void {
    this.#client.clock.after(this.beatMs, () => {
      if (this.#stopping.signal.aborted) return;
      for (const [name, { beats }] of this.#nodes) if (beats) this.#beat(name).catch(() => {});
      this.#beatLater();
    });
  }

  async #beat(name: string): Promise<void> {
    const renewTime = new Date(this.#client.clock.now()).toISOString().replace('Z', '000Z');
    const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime };
    const type = 'application/merge-patch+json';
    const renewed = await this.#client.request('PATCH', `${leases}/${name}`, { type, body: { spec } });
    if (renewed.status !== 404) return;
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name }, spec };
    await this.#client.post(leases, lease);
  }

  #nextAddress(): string {
    const number = ++this.#addresses;
    return `10.244.${(number >> 8) & 255}.${number & 255}`;
  }

  #time(): string {
    return new Date(this.#client.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
  }
}

const runsByIndex: Readonly<Record<string, (isListed: boolean, code: string) => string>> = {
  'fail-index': (isListed, code) => (isListed ? `fail:${code}` : 'succeed'),
  'succeed-index': (isListed) => (isListed ? 'succeed' : 'ready'),
  'ready-index': (isListed) => (isListed ? 'ready' : 'succeed'),
};

const times = (time: string) => ({ lastHeartbeatTime: time, lastTransitionTime: time });

function conditionsOf(ready: 'True' | 'False', time: string): Json {
  const condition = (type: string, status: string, reason: string) => ({
    type,
    status,
    reason,
    message: 'sim',
    ...times(time),
  });
  return [
    condition('MemoryPressure', 'False', 'KubeletHasSufficientMemory'),
    condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure'),
    condition('PIDPressure', 'False', 'KubeletHasSufficientPID'),
    condition('Ready', ready, ready === 'True' ? 'KubeletReady' : 'KubeletNotReady'),
  ];
}

function nodeObject(node: NodeSpec, time: string): Json {
  const { name, labels, annotations, taints, images } = node;
  const allocatable = {
    cpu: '8',
    memory: '32Gi',
    pods: '110',
    'ephemeral-storage': '100Gi',
    ...node.allocatable,
  };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', ...labels },
      annotations,
    },
    spec: { taints, ...node.spec },
    status: {
      capacity: node.capacity ?? allocatable,
      allocatable,
      images,
      addresses: [
        { type: 'InternalIP', address: '192.168.1.1' },
        { type: 'Hostname', address: name },
      ],
      conditions: node.conditions ?? conditionsOf(node.ready === false ? 'False' : 'True', time),
      nodeInfo: {
        kubeletVersion: 'v1.36.3',
        kubeProxyVersion: '',
        operatingSystem: 'linux',
        architecture: 'amd64',
        osImage: 'sim',
        kernelVersion: 'sim',
        containerRuntimeVersion: 'sim://1',
        machineID: '',
        systemUUID: '',
        bootID: '',
      },
    },
  };
}

const phases: Readonly<Record<string, string>> = { succeed: 'Succeeded', fail: 'Failed' };
const reasonsNotReady: Readonly<Record<string, string>> = { succeed: 'PodCompleted', fail: 'PodFailed' };

function podStatus(
  { spec }: OpenObject,
  what: string,
  { podIP, time }: { readonly podIP: string; readonly time: string },
): Json {
  const [verb = '', code = '1', reason] = what.split(':');
  const isReady = verb === 'ready';
  const phase = phases[verb] ?? 'Running';
  const isDone = phase !== 'Running';
  const exitCode = verb === 'succeed' ? 0 : Number(code);
  const whyNot = reasonsNotReady[verb] ?? 'ContainersNotReady';
  const condition = (type: string, holds: boolean, why?: string) => ({
    type,
    status: holds ? 'True' : 'False',
    lastProbeTime: null,
    lastTransitionTime: time,
    ...(why !== undefined && { reason: why }),
  });
  const ended = {
    exitCode,
    reason: exitCode === 0 ? 'Completed' : 'Error',
    startedAt: time,
    finishedAt: time,
  };
  const state = isDone ? { terminated: ended } : { running: { startedAt: time } };
  return {
    phase,
    ...(reason && { reason }),
    hostIP: '192.168.1.1',
    podIP,
    podIPs: [{ ip: podIP }],
    startTime: time,
    conditions: [
      condition('Initialized', true, verb === 'succeed' ? 'PodCompleted' : undefined),
      condition('Ready', isReady, isReady ? undefined : whyNot),
      condition('ContainersReady', isReady, isReady ? undefined : whyNot),
    ],
    containerStatuses: (spec.containers ?? []).map(({ name, image }) => ({
      name,
      image,
      imageID: '',
      ready: isReady,
      started: !isDone,
      restartCount: 0,
      state,
    })),
  };
}
