/** Scenarios at random: an object, and a few things that happen to it, its pods and what belongs to it. */
import type { Random } from '@coxswain/apimachinery';
import type { JsonObject, Scenario, Step } from './scenario.ts';
import {
  create,
  events,
  object,
  collection,
  patch,
  pod,
  remove,
  scale,
  scenario,
  selector,
  template,
  view,
} from './scenarios/building.ts';

export const randomAreas = [
  'job',
  'deployment',
  'statefulset',
  'replicaset',
  'gc',
  'volumes',
  'endpoints',
  'disruption',
  'quota',
] as const;
export type RandomArea = (typeof randomAreas)[number];

/** How many things happen in one scenario. */
const stepsMax = 4;
const propagationPolicies = ['Foreground', 'Background', 'Orphan'];

export class RandomScenario {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  make(area: RandomArea, name: string): Scenario {
    return scenario(name, ...this.#makers[area]());
  }

  readonly #makers: Readonly<Record<RandomArea, () => Step[]>> = {
    job: () => this.#job(),
    deployment: () => this.#deployment(),
    statefulset: () => this.#statefulSet(),
    replicaset: () => this.#replicaSet(),
    gc: () => this.#owners(),
    volumes: () => this.#volumes(),
    endpoints: () => this.#service(),
    disruption: () => this.#budget(),
    quota: () => this.#quota(),
  };

  #chance = (share: number): boolean => this.#random.next() < share;
  #whole = (from: number, to: number): number => from + Math.floor(this.#random.next() * (to - from + 1));
  #one = <T>(of: readonly T[]): T => of[this.#whole(0, of.length - 1)]!;
  #times = <T>(from: number, to: number, make: (index: number) => T): T[] =>
    Array.from({ length: this.#whole(from, to) }, (_, index) => make(index));
  #maybe = (share: number, make: () => JsonObject): JsonObject => (this.#chance(share) ? make() : {});
  #some = <T>(of: readonly T[], share = 0.5): T[] => of.filter(() => this.#chance(share));
  #amount = (): number | string => this.#one([0, 1, 2, 3, '10%', '25%', '50%', '100%', '150%']);

  /** Each of `happens` is followed by a look at `kinds`. */
  #story(kinds: readonly string[], first: readonly Step[], happens: readonly (() => Step[])[]): Step[] {
    const looks = (at: number) => view(`after-${at}`, ...kinds);
    return [
      ...first,
      looks(0),
      ...this.#times(1, stepsMax, (at) => [...this.#one(happens)(), looks(at + 1)]).flat(),
      events(),
    ];
  }

  #act(what: readonly string[], labels = 'app=web'): Step {
    return { pods: { selector: labels, do: this.#one(what), count: this.#whole(1, 2), optional: true } };
  }

  readonly #run = (): string => this.#one(['ready', 'running', 'ready;linger', 'running;linger']);

  #removal(kind: string, name: string): Step {
    return remove(kind, name, { propagationPolicy: this.#one(propagationPolicies) });
  }

  #job(): Step[] {
    const isIndexed = this.#chance(0.5);
    const completions = this.#whole(1, 5);
    const index = () => this.#whole(0, completions - 1);
    const run = this.#one([
      'ready',
      'ready',
      'succeed',
      'fail:1',
      'fail:3',
      'ready;linger',
      ...(isIndexed
        ? [
            `fail-index:${index()},${index()}:3`,
            `succeed-index:${index()}`,
            `ready-index:${index()},${index()}`,
          ]
        : []),
    ]);
    const rule = (): JsonObject => ({
      action: this.#one(['FailJob', 'Ignore', 'Count', ...(isIndexed ? ['FailIndex'] : [])]),
      ...(this.#chance(0.7)
        ? { onExitCodes: { operator: this.#one(['In', 'NotIn']), values: [this.#one([1, 3, 137])] } }
        : { onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] }),
    });
    const success = (): JsonObject => ({
      ...this.#maybe(0.6, () => ({
        succeededIndexes: this.#one(['0', '0-1', `${index()}`, `0-${completions - 1}`]),
      })),
      succeededCount: this.#whole(1, 2),
    });
    const hasRules = this.#chance(0.4);
    const spec: JsonObject = {
      parallelism: this.#whole(0, 4),
      ...(isIndexed || this.#chance(0.7) ? { completions } : {}),
      ...this.#maybe(isIndexed ? 1 : 0.1, () => ({ completionMode: isIndexed ? 'Indexed' : 'NonIndexed' })),
      ...this.#maybe(0.7, () => ({ backoffLimit: this.#whole(0, 2) })),
      ...(isIndexed && this.#chance(0.5)
        ? {
            backoffLimitPerIndex: this.#whole(0, 1),
            ...this.#maybe(0.5, () => ({ maxFailedIndexes: this.#whole(0, completions) })),
          }
        : {}),
      ...(isIndexed
        ? this.#maybe(0.35, () => ({ successPolicy: { rules: this.#times(1, 2, success) } }))
        : {}),
      ...(hasRules ? { podFailurePolicy: { rules: this.#times(1, 2, rule) } } : {}),
      ...this.#maybe(0.4, () => ({
        podReplacementPolicy: hasRules ? 'Failed' : this.#one(['Failed', 'TerminatingOrFailed']),
      })),
      ...this.#maybe(0.15, () => ({ activeDeadlineSeconds: this.#whole(1, 4) })),
      ...this.#maybe(0.15, () => ({ ttlSecondsAfterFinished: this.#one([0, 1, 100]) })),
      ...this.#maybe(0.2, () => ({ suspend: true })),
      template: template({
        run,
        spec: { containers: [{ name: 'c', image: 'img:1' }], restartPolicy: 'Never' },
      }),
    };
    return this.#story(
      ['Job', 'Pod'],
      [create('Job', 'j', { spec }, { full: true })],
      [
        () => [this.#act(['succeed', 'fail:1', 'fail:3'])],
        () => [this.#act(['succeed', 'fail:137', 'ready'])],
        () => [this.#act(['delete'])],
        () => [{ pods: { selector: 'app=web', do: 'finalise', terminating: true, optional: true } }],
        () => [patch('Job', 'j', { spec: { parallelism: this.#whole(0, 4) } })],
        () => [patch('Job', 'j', { spec: { suspend: this.#chance(0.5) } })],
        () => [patch('Job', 'j', { spec: { backoffLimit: this.#whole(0, 2) } })],
        () => [patch('Job', 'j', { spec: { activeDeadlineSeconds: this.#whole(1, 3) } })],
        () => {
          const wanted = this.#whole(1, 5);
          return [patch('Job', 'j', { spec: { parallelism: wanted, completions: wanted } })];
        },
        () => [this.#removal('Job', 'j')],
      ],
    );
  }

  /** Changes that every workload with pods of one template knows. */
  #changes(kind: string, name: string): (() => Step[])[] {
    const image = () => ({
      spec: {
        template: { spec: { containers: [{ name: 'c', image: this.#one(['img:1', 'img:2', 'img:3']) }] } },
      },
    });
    return [
      () => [scale(kind, name, this.#whole(0, 6))],
      () => [patch(kind, name, image())],
      () => [patch(kind, name, image()), scale(kind, name, this.#whole(0, 6))],
      () => [patch(kind, name, { spec: { minReadySeconds: this.#whole(0, 3) } })],
      () => [
        patch(kind, name, { spec: { template: { metadata: { labels: { extra: this.#one(['a', 'b']) } } } } }),
      ],
      () => [this.#act(['ready', 'unready', 'running'])],
      () => [this.#act(['fail:1', 'succeed', 'delete'])],
      () => [{ pods: { selector: 'app=web', do: 'finalise', terminating: true, optional: true } }],
      () => [this.#removal(kind, name)],
    ];
  }

  #deployment(): Step[] {
    const spec: JsonObject = {
      replicas: this.#whole(0, 6),
      selector,
      template: template({ run: this.#run() }),
      strategy: this.#chance(0.2)
        ? { type: 'Recreate' }
        : { rollingUpdate: { maxSurge: this.#amount(), maxUnavailable: this.#amount() } },
      ...this.#maybe(0.3, () => ({ minReadySeconds: this.#whole(1, 2) })),
      ...this.#maybe(0.3, () => ({ progressDeadlineSeconds: this.#whole(3, 5) })),
      ...this.#maybe(0.2, () => ({ paused: true })),
      ...this.#maybe(0.4, () => ({ revisionHistoryLimit: this.#whole(0, 2) })),
    };
    return this.#story(
      ['Deployment', 'ReplicaSet', 'Pod'],
      [create('Deployment', 'd', { spec }, { full: true })],
      [
        ...this.#changes('Deployment', 'd'),
        () => [patch('Deployment', 'd', { spec: { paused: this.#chance(0.4) } })],
        () => [patch('Deployment', 'd', { metadata: { annotations: { note: this.#one(['a', 'b']) } } })],
        () => [
          patch('Deployment', 'd', {
            spec: {
              strategy: { rollingUpdate: { maxSurge: this.#amount(), maxUnavailable: this.#amount() } },
            },
          }),
        ],
        () => [patch('Deployment', 'd', { spec: { revisionHistoryLimit: this.#whole(0, 1) } })],
      ],
    );
  }

  #replicaSet(): Step[] {
    const kind = this.#one(['ReplicaSet', 'ReplicationController']);
    const spec: JsonObject = {
      replicas: this.#whole(0, 5),
      selector: kind === 'ReplicaSet' ? selector : { app: 'web' },
      template: template({ run: this.#run() }),
      ...this.#maybe(0.3, () => ({ minReadySeconds: this.#whole(1, 2) })),
    };
    const loose = this.#times(0, 2, (at) =>
      pod(`loose-${at}`, { labels: { app: this.#one(['web', 'other']) } }),
    );
    return this.#story(
      [kind, 'Pod'],
      [...loose, create(kind, 'r', { spec }, { full: true })],
      [
        ...this.#changes(kind, 'r'),
        () => [pod('another', { labels: { app: 'web' } })],
        () => [create(kind, 'second', { spec })],
      ],
    );
  }

  #statefulSet(): Step[] {
    const spec: JsonObject = {
      replicas: this.#whole(0, 4),
      serviceName: 's',
      selector,
      template: template({ run: this.#run() }),
      ...this.#maybe(0.5, () => ({ podManagementPolicy: this.#one(['Parallel', 'OrderedReady']) })),
      ...this.#maybe(0.5, () => ({
        updateStrategy: this.#chance(0.25)
          ? { type: 'OnDelete' }
          : {
              rollingUpdate: {
                partition: this.#whole(0, 3),
                ...this.#maybe(0.4, () => ({ maxUnavailable: this.#amount() })),
              },
            },
      })),
      ...this.#maybe(0.3, () => ({ ordinals: { start: this.#whole(0, 3) } })),
      ...this.#maybe(0.3, () => ({ minReadySeconds: this.#whole(1, 2) })),
      ...this.#maybe(0.3, () => ({ revisionHistoryLimit: this.#whole(0, 1) })),
      ...this.#maybe(0.4, () => ({
        volumeClaimTemplates: [
          {
            metadata: { name: 'v' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        ],
        ...this.#maybe(0.6, () => ({
          persistentVolumeClaimRetentionPolicy: {
            whenDeleted: this.#one(['Retain', 'Delete']),
            whenScaled: this.#one(['Retain', 'Delete']),
          },
        })),
      })),
    };
    return this.#story(
      ['StatefulSet', 'Pod', 'PersistentVolumeClaim', 'ControllerRevision'],
      [create('StatefulSet', 's', { spec }, { full: true })],
      [
        ...this.#changes('StatefulSet', 's'),
        () => [
          patch('StatefulSet', 's', {
            spec: { updateStrategy: { rollingUpdate: { partition: this.#whole(0, 3) } } },
          }),
        ],
        () => [patch('StatefulSet', 's', { spec: { ordinals: { start: this.#whole(0, 2) } } })],
      ],
    );
  }

  /** A graph of owners among ConfigMaps; some owners do not exist. */
  #owners(): Step[] {
    const count = this.#whole(3, 6);
    const name = (at: number) => `m${at}`;
    const made = Array.from({ length: count }, (_, at) => {
      const ownerReferences = this.#some([...Array(at).keys()], 0.45).map((owner) => ({
        apiVersion: 'v1',
        kind: this.#one(['ConfigMap', 'ConfigMap', 'ConfigMap', 'Secret']),
        name: name(owner),
        uid: `$made-${owner}.metadata.uid`,
        ...this.#maybe(0.5, () => ({ blockOwnerDeletion: this.#chance(0.6) })),
        ...(owner === 0 ? this.#maybe(0.3, () => ({ controller: true })) : {}),
      }));
      const finalizers = this.#chance(0.2) ? ['example.com/hold'] : [];
      return create(
        'ConfigMap',
        name(at),
        { metadata: { ownerReferences, finalizers } },
        { name: `made-${at}` },
      );
    });
    const any = () => name(this.#whole(0, count - 1));
    return this.#story(['ConfigMap'], made, [
      () => [this.#removal('ConfigMap', any())],
      () => [this.#removal('ConfigMap', any()), this.#removal('ConfigMap', any())],
      () => [this.#removal('ConfigMap', name(0))],
      () => [patch('ConfigMap', any(), { metadata: { finalizers: null } })],
      () => [patch('ConfigMap', any(), { metadata: { ownerReferences: null } })],
    ]);
  }

  /** Volumes of random sizes, modes, classes and labels, and then claims: those that wait are tried at odd times. */
  #volumes(): Step[] {
    const className = () => this.#one(['c-$id', 'c-$id', 'd-$id', 'e-$id']);
    const modes = () =>
      this.#one([
        ['ReadWriteOnce'],
        ['ReadWriteOnce', 'ReadOnlyMany'],
        ['ReadWriteMany'],
        ['ReadWriteOncePod'],
      ]);
    const size = () => this.#one(['1Gi', '2Gi', '1500Mi', '5Gi']);
    const volume = (at: number): Step => ({
      req: `POST ${collection('PersistentVolume')}`,
      body: object('PersistentVolume', `v${at}-$id`, {
        metadata: { labels: { case: '$id', tier: this.#one(['a', 'b']) } },
        spec: {
          capacity: { storage: size() },
          accessModes: modes(),
          storageClassName: className(),
          persistentVolumeReclaimPolicy: this.#one(['Retain', 'Retain', 'Delete', 'Recycle']),
          ...this.#maybe(0.2, () => ({ volumeMode: 'Block' })),
          ...this.#maybe(0.2, () => ({ claimRef: { namespace: '$ns', name: `k${this.#whole(0, 2)}` } })),
          ...this.#maybe(0.1, () => ({ volumeAttributesClassName: 'gold' })),
          csi: { driver: 'example.com', volumeHandle: `h${at}` },
        },
      }),
    });
    const claim = (at: number): Step =>
      create('PersistentVolumeClaim', `k${at}`, {
        spec: {
          accessModes: this.#one([['ReadWriteOnce'], ['ReadOnlyMany'], ['ReadWriteMany']]),
          storageClassName: className(),
          resources: { requests: { storage: size() } },
          ...this.#maybe(0.2, () => ({ volumeMode: 'Block' })),
          ...this.#maybe(0.25, () => ({ selector: { matchLabels: { tier: this.#one(['a', 'b']) } } })),
          ...this.#maybe(0.15, () => ({ volumeName: `v${this.#whole(0, 3)}-$id` })),
        },
      });
    const volumes = Array.from({ length: 4 }, (_, at) => volume(at));
    const claims = Array.from({ length: 3 }, (_, at) => claim(at));
    const seen = { get: `${collection('PersistentVolume')}?labelSelector=case=$id` };
    const looks = (name: string): Step => ({
      ...view(name, 'PersistentVolumeClaim'),
      snapshot: [seen, collection('PersistentVolumeClaim')],
    });
    const user = (at: number) =>
      pod(`p${at}`, { spec: { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: `k${at}` } }] } });
    const happens = [
      () => [remove('PersistentVolumeClaim', `k${this.#whole(0, 2)}`)],
      () => [remove('PersistentVolume', `v${this.#whole(0, 3)}-$id`)],
      () => [user(this.#whole(0, 2))],
      () => [patch('PersistentVolume', `v${this.#whole(0, 3)}-$id`, { spec: { claimRef: null } })],
      () => [
        patch('PersistentVolume', `v${this.#whole(0, 3)}-$id`, {
          spec: { persistentVolumeReclaimPolicy: 'Retain' },
        }),
      ],
      () => [
        patch('PersistentVolumeClaim', `k${this.#whole(0, 2)}`, {
          spec: { resources: { requests: { storage: '9Gi' } } },
        }),
      ],
    ];
    const storageClass = (name: string, volumeBindingMode: string) =>
      create('StorageClass', name, { provisioner: 'kubernetes.io/no-provisioner', volumeBindingMode });
    const classes = [
      storageClass('c-$id', 'Immediate'),
      ...(this.#chance(0.5) ? [storageClass('d-$id', 'WaitForFirstConsumer')] : []),
    ];
    // One after the other, so that both choose among the same volumes.
    const apart = (steps: readonly Step[]) => steps.flatMap((step) => [step, { wait: 300 }]);
    return [
      ...classes,
      ...apart([...volumes, ...claims]),
      looks('after-0'),
      ...this.#times(1, 3, (at) => [...this.#one(happens)(), looks(`after-${at + 1}`)]).flat(),
      events(),
    ];
  }

  #service(): Step[] {
    const port = (at: number): JsonObject => ({
      ...this.#maybe(1, () => ({ name: `p${at}` })),
      port: 80 + at,
      targetPort: this.#one(['http', 'admin', 8080, 80]),
      ...this.#maybe(0.3, () => ({ protocol: this.#one(['TCP', 'UDP']) })),
      ...this.#maybe(0.2, () => ({ appProtocol: this.#one(['http', 'kubernetes.io/h2c']) })),
    });
    const spec = (): JsonObject => ({
      selector: { app: this.#one(['web', 'web', 'api']) },
      ports: this.#times(1, 3, port),
      ...this.#maybe(0.3, () => ({ clusterIP: 'None' })),
      ...this.#maybe(0.3, () => ({ publishNotReadyAddresses: true })),
      ...this.#maybe(0.2, () => ({
        trafficDistribution: this.#one(['PreferClose', 'PreferSameNode', 'PreferSameZone']),
      })),
    });
    const backend = (name: string) =>
      pod(name, {
        labels: { app: this.#one(['web', 'web', 'api']) },
        run: this.#one(['ready', 'ready', 'running', 'ready;linger', 'succeed', 'hold']),
        spec: {
          nodeName: 'pool-1',
          containers: [
            {
              name: 'c',
              image: 'img:1',
              ports: [
                {
                  name: this.#one(['http', 'admin']),
                  containerPort: this.#one([8080, 9090]),
                  ...this.#maybe(0.2, () => ({ protocol: 'UDP' })),
                },
              ],
            },
          ],
          ...this.#maybe(0.3, () => ({ hostname: name, subdomain: 's' })),
        },
      });
    const pods = this.#times(1, 4, (at) => backend(`b${at}`));
    return this.#story(
      ['Service', 'Endpoints', 'EndpointSlice'],
      [...pods, create('Service', 's', { spec: spec() })],
      [
        () => [this.#act(['ready', 'unready', 'delete', 'succeed'], `app=${this.#one(['web', 'api'])}`)],
        () => [patch('Service', 's', { spec: { selector: { app: this.#one(['web', 'api']) } } })],
        () => [patch('Service', 's', { spec: { ports: this.#times(1, 2, port) } })],
        () => [patch('Service', 's', { spec: { publishNotReadyAddresses: this.#chance(0.5) } })],
        () => [patch('Service', 's', { metadata: { labels: { team: this.#one(['a', 'b']) } } })],
        () => [backend(`later-${this.#whole(0, 99)}`)],
        () => [patch('Pod', 'b0', { metadata: { labels: { app: this.#one(['web', 'api']) } } })],
        () => [remove('Service', 's')],
      ],
    );
  }

  #budget(): Step[] {
    const which = this.#one(['minAvailable', 'maxUnavailable']);
    const kind = this.#one(['ReplicaSet', 'StatefulSet', 'Deployment']);
    const spec: JsonObject = {
      replicas: this.#whole(1, 5),
      selector,
      template: template({ run: this.#run() }),
    };
    const budget = (name: string) =>
      create('PodDisruptionBudget', name, {
        spec: {
          ...this.#maybe(0.9, () => ({ selector })),
          [which]: this.#one([0, 1, 2, 4, '0%', '30%', '50%', '100%']),
          ...this.#maybe(0.4, () => ({
            unhealthyPodEvictionPolicy: this.#one(['AlwaysAllow', 'IfHealthyBudget']),
          })),
        },
      });
    const evict: Step = {
      req: 'POST /api/v1/namespaces/$ns/pods/s-0/eviction',
      body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 's-0' } },
      full: true,
    };
    return this.#story(
      ['PodDisruptionBudget', kind],
      [
        create(kind, 's', {
          spec: {
            ...spec,
            ...(kind === 'StatefulSet' ? { serviceName: 's', podManagementPolicy: 'Parallel' } : {}),
          },
        }),
        budget('b'),
      ],
      [
        ...this.#changes(kind, 's').filter((_, at) => at !== 2),
        () => (kind === 'StatefulSet' ? [evict] : [scale(kind, 's', this.#whole(0, 5))]),
        () => [budget('second')],
        () => [patch('PodDisruptionBudget', 'b', { spec: { [which]: this.#amount() } })],
        () => [pod('bare', { labels: { app: 'web' } })],
        () => [remove('PodDisruptionBudget', 'b')],
      ],
    );
  }

  #quota(): Step[] {
    const hard = (): JsonObject => ({
      ...this.#maybe(0.5, () => ({ pods: String(this.#whole(1, 4)) })),
      ...this.#maybe(0.4, () => ({ 'requests.cpu': this.#one(['1', '500m', '2500m']) })),
      ...this.#maybe(0.3, () => ({ 'limits.memory': this.#one(['1Gi', '600Mi']) })),
      ...this.#maybe(0.3, () => ({ services: '1' })),
      ...this.#maybe(0.3, () => ({ 'count/configmaps': String(this.#whole(1, 4)) })),
      ...this.#maybe(0.3, () => ({ 'count/deployments.apps': '1' })),
      ...this.#maybe(0.3, () => ({ 'requests.storage': '3Gi', persistentvolumeclaims: '2' })),
    });
    const scopes = (): JsonObject =>
      this.#maybe(0.3, () => ({
        scopes: [this.#one(['BestEffort', 'NotBestEffort', 'Terminating', 'NotTerminating'])],
      }));
    const quota = (name: string) => create('ResourceQuota', name, { spec: { hard: hard(), ...scopes() } });
    const resources = (): JsonObject =>
      this.#maybe(0.8, () => ({
        resources: {
          requests: { cpu: this.#one(['100m', '400m', '1']) },
          ...this.#maybe(0.6, () => ({ limits: { cpu: '1', memory: this.#one(['100Mi', '400Mi']) } })),
        },
      }));
    const podOf = (name: string) =>
      pod(name, {
        labels: { app: 'web' },
        run: this.#one(['ready', 'succeed', 'ready;linger']),
        spec: {
          containers: this.#times(1, 2, (at) => ({ name: `c${at}`, image: 'img:1', ...resources() })),
          ...this.#maybe(0.3, () => ({
            initContainers: [
              {
                name: 'i',
                image: 'img:1',
                ...this.#maybe(0.5, () => ({ restartPolicy: 'Always' })),
                ...resources(),
              },
            ],
          })),
          ...this.#maybe(0.3, () => ({ activeDeadlineSeconds: 1000 })),
        },
      });
    const things = (at: number): Step[] => [
      this.#one([
        () => podOf(`p${at}`),
        () => podOf(`p${at}`),
        () => create('ConfigMap', `m${at}`),
        () =>
          create('Service', `s${at}`, {
            spec: { ports: [{ port: 80 }], type: this.#one(['ClusterIP', 'NodePort', 'LoadBalancer']) },
          }),
        () =>
          create('PersistentVolumeClaim', `k${at}`, {
            spec: {
              accessModes: ['ReadWriteOnce'],
              resources: { requests: { storage: this.#one(['1Gi', '2Gi']) } },
            },
          }),
        () =>
          create('Deployment', `d${at}`, {
            spec: {
              replicas: 2,
              selector: { matchLabels: { d: `${at}` } },
              template: template({
                labels: { d: `${at}` },
                spec: { containers: [{ name: 'c', image: 'img:1', ...resources() }] },
              }),
            },
          }),
      ])(),
      { wait: 400 },
    ];
    return this.#story(
      ['ResourceQuota'],
      [
        ...(this.#chance(0.5)
          ? [
              create('LimitRange', 'l', {
                spec: {
                  limits: [
                    {
                      type: 'Container',
                      default: { cpu: '500m', memory: '200Mi' },
                      defaultRequest: { cpu: '200m' },
                      max: { cpu: '2' },
                    },
                  ],
                },
              }),
            ]
          : []),
        quota('q'),
        { wait: 600 },
        ...this.#times(1, 5, things).flat(),
      ],
      [
        () => things(50 + this.#whole(0, 40)),
        () => [patch('ResourceQuota', 'q', { spec: { hard: hard() } })],
        () => [quota(`q${this.#whole(2, 9)}`), { wait: 600 }],
        () => [this.#act(['delete', 'succeed', 'fail:1'])],
        () => [remove('ConfigMap', `m${this.#whole(0, 4)}`)],
        () => [remove('ResourceQuota', 'q')],
      ],
    );
  }
}
