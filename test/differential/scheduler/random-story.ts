/** A small cluster at random, and pods that a scheduler is asked to place in it one by one. */
import type { KubeObject, Random } from '@coxswain/apimachinery';

export interface Story {
  readonly nodes: readonly KubeObject[];
  /** Pods on nodes, and budgets. */
  readonly standing: readonly KubeObject[];
  readonly probes: readonly KubeObject[];
}

const apps = ['a', 'b', 'c'];
const zones = ['z1', 'z2', 'z3'];
const hostname = 'kubernetes.io/hostname';
const zone = 'topology.kubernetes.io/zone';
const minute = 60_000;
/** Long ago, and so that no two pods started together. */
const startMs = Date.UTC(2026, 0, 1);

export class RandomStory {
  readonly #random: Random;
  readonly #isCrowded: boolean;

  /** @param isCrowded whether nodes are full, and the pods to place urgent */
  constructor(random: Random, isCrowded: boolean) {
    this.#random = random;
    this.#isCrowded = isCrowded;
  }

  make(probes: number): Story {
    const nodes = this.#times(2, 6, (index) => this.#node(`n${index}`));
    const names = nodes.map(({ metadata }) => metadata.name!);
    return {
      nodes,
      standing: [
        ...this.#times(this.#isCrowded ? 8 : 0, this.#isCrowded ? 16 : 9, (index) =>
          this.#standing(`s${index}`, this.#one(names), index),
        ),
        ...this.#times(0, 2, (index) => this.#budget(`b${index}`)),
      ],
      probes: this.#times(probes, probes, (index) => this.#probe(`p${index}`, names)),
    };
  }

  #chance = (share: number): boolean => this.#random.next() < share;
  #whole = (from: number, to: number): number => from + Math.floor(this.#random.next() * (to - from + 1));
  #one = <T>(of: readonly T[]): T => of[this.#whole(0, of.length - 1)]!;
  #times = <T>(from: number, to: number, make: (index: number) => T): T[] =>
    Array.from({ length: this.#whole(from, to) }, (_, index) => make(index));
  #maybe = <T extends object>(share: number, make: () => T): T | Record<string, never> =>
    this.#chance(share) ? make() : {};

  #node(name: string): KubeObject {
    const allocatable = {
      cpu: this.#one(this.#isCrowded ? ['2', '3'] : ['2', '4', '6']),
      memory: this.#one(['4Gi', '8Gi']),
      pods: this.#one(['3', '5', '10']),
      ...this.#maybe(0.3, () => ({ 'example.com/a': this.#one(['1', '2']) })),
    };
    return {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: {
        name,
        labels: {
          ...this.#maybe(0.95, () => ({ [hostname]: name })),
          ...this.#maybe(0.8, () => ({ [zone]: this.#one(zones) })),
          ...this.#maybe(0.5, () => ({ disk: this.#one(['ssd', 'hdd']), size: this.#one(['1', '5', '10']) })),
        },
      },
      spec: {
        ...this.#maybe(0.1, () => ({ unschedulable: true })),
        ...this.#maybe(0.3, () => ({
          taints: [
            {
              key: this.#one(['x', 'y']),
              value: this.#one(['1', '2']),
              effect: this.#one(['NoSchedule', 'NoExecute', 'PreferNoSchedule']),
            },
          ],
        })),
      },
      status: {
        allocatable,
        capacity: allocatable,
        ...this.#maybe(0.3, () => ({
          images: [{ names: ['example.com/image:1'], sizeBytes: this.#one([50, 500]) * 1024 * 1024 }],
        })),
      },
    } as unknown as KubeObject;
  }

  #budget(name: string): KubeObject {
    return {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name, namespace: 'default' },
      spec: { minAvailable: 1, selector: { matchLabels: { app: this.#one(apps) } } },
      status: {
        disruptionsAllowed: this.#one([0, 0, 1]),
        currentHealthy: 1,
        desiredHealthy: 1,
        expectedPods: 1,
      },
    } as unknown as KubeObject;
  }

  #standing(name: string, nodeName: string, index: number): KubeObject {
    const made = this.#pod(name, { nodeName, priority: this.#one([-5, 0, 0, 3, 10]) }, 0.2);
    const startTime = new Date(startMs + index * this.#whole(1, 9) * minute)
      .toISOString()
      .replace('.000', '');
    return { ...made, status: { phase: 'Running', startTime } } as unknown as KubeObject;
  }

  #probe(name: string, nodes: readonly string[]): KubeObject {
    const spec = {
      priority: this.#one(this.#isCrowded ? [5, 20, 20] : [0, 5, 20]),
      ...this.#maybe(0.15, () => ({ preemptionPolicy: 'Never' })),
      ...this.#maybe(0.15, () => ({ nodeSelector: { disk: this.#one(['ssd', 'hdd', 'tape']) } })),
      ...this.#maybe(this.#isCrowded ? 0.15 : 0.4, () => ({
        topologySpreadConstraints: this.#constraints(),
      })),
    };
    return this.#pod(
      name,
      spec,
      0.3,
      this.#maybe(0.3, () => ({ nodeAffinity: this.#nodeAffinity(nodes) })),
    );
  }

  #pod(name: string, spec: object, company: number, affinity: object = {}): KubeObject {
    const requests = {
      ...this.#maybe(0.9, () => ({ cpu: this.#one(['100m', '500m', '1', '2', '3']) })),
      ...this.#maybe(0.8, () => ({ memory: this.#one(['128Mi', '1Gi', '3Gi']) })),
      ...this.#maybe(0.1, () => ({ 'example.com/a': '1' })),
    };
    const extended = 'example.com/a' in requests ? { 'example.com/a': '1' } : {};
    return {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name,
        namespace: 'default',
        labels: { app: this.#one(apps), ...this.#maybe(0.3, () => ({ rev: '1' })) },
      },
      spec: {
        containers: [
          {
            name: 'c',
            image: 'example.com/image:1',
            resources: { requests, limits: extended },
            ...this.#maybe(0.15, () => ({ ports: [this.#port()] })),
          },
        ],
        ...this.#maybe(0.3, () => ({ tolerations: [this.#toleration()] })),
        affinity: {
          ...affinity,
          ...this.#maybe(company, () => ({ podAffinity: this.#podTerms() })),
          ...this.#maybe(company, () => ({ podAntiAffinity: this.#podTerms() })),
        },
        ...spec,
      },
    } as unknown as KubeObject;
  }

  #port = (): object => {
    const port = this.#one([80, 81]);
    return { containerPort: port, hostPort: port, ...this.#maybe(0.3, () => ({ protocol: 'UDP' })) };
  };

  #toleration = (): object => ({
    key: this.#one(['x', 'y']),
    ...this.#one([{ operator: 'Exists' }, { operator: 'Equal', value: '1' }]),
    ...this.#maybe(0.5, () => ({ effect: this.#one(['NoSchedule', 'NoExecute']) })),
  });

  #selector = (): object => ({ matchLabels: { app: this.#one(apps) } });

  #podTerm = (): object => ({
    labelSelector: this.#selector(),
    topologyKey: this.#one([hostname, zone]),
    ...this.#maybe(0.1, () => ({ namespaceSelector: {} })),
    ...this.#maybe(0.1, () => ({ matchLabelKeys: ['rev'] })),
  });

  #podTerms = (): object =>
    this.#chance(0.6)
      ? { requiredDuringSchedulingIgnoredDuringExecution: this.#times(1, 2, () => this.#podTerm()) }
      : {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: this.#whole(1, 100), podAffinityTerm: this.#podTerm() },
          ],
        };

  /** By different keys, or the pod would be refused. */
  #constraints = (): readonly object[] =>
    this.#one([[hostname], [zone], [hostname, zone]]).map((topologyKey) => this.#constraint(topologyKey));

  #constraint = (topologyKey: string): object => ({
    maxSkew: this.#whole(1, 2),
    topologyKey,
    labelSelector: this.#selector(),
    ...this.#one([
      { whenUnsatisfiable: 'ScheduleAnyway' },
      { whenUnsatisfiable: 'DoNotSchedule' },
      { whenUnsatisfiable: 'DoNotSchedule', minDomains: this.#whole(1, 3) },
    ]),
    ...this.#maybe(0.2, () => ({ nodeTaintsPolicy: 'Honor' })),
    ...this.#maybe(0.2, () => ({ nodeAffinityPolicy: 'Ignore' })),
    ...this.#maybe(0.2, () => ({ matchLabelKeys: ['rev'] })),
  });

  #requirement = (): object =>
    this.#one<object>([
      { key: 'disk', operator: 'In', values: ['ssd'] },
      { key: 'disk', operator: 'NotIn', values: ['ssd'] },
      { key: 'disk', operator: 'Exists' },
      { key: 'disk', operator: 'DoesNotExist' },
      { key: 'size', operator: 'Gt', values: ['3'] },
      { key: 'size', operator: 'Lt', values: ['7'] },
    ]);

  #nodeAffinity(nodes: readonly string[]): object {
    if (this.#chance(0.4))
      return {
        preferredDuringSchedulingIgnoredDuringExecution: this.#times(1, 2, () => ({
          weight: this.#whole(1, 100),
          preference: { matchExpressions: [this.#requirement()] },
        })),
      };
    const byName = { key: 'metadata.name', operator: this.#one(['In', 'NotIn']), values: [this.#one(nodes)] };
    const terms = this.#times(1, 2, () =>
      this.#chance(0.2) ? { matchFields: [byName] } : { matchExpressions: [this.#requirement()] },
    );
    return { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } };
  }
}
