/** Scenarios at random: an object, and a few things that happen to it, its pods and what belongs to it. */
import type { Random } from '@coxswain/apimachinery';
import { Choices } from './choices.ts';
import { accountStory } from './random/accounts.ts';
import { cronJobStory } from './random/cron-job.ts';
import { daemonSetStory } from './random/daemonset.ts';
import { deviceStory } from './random/devices.ts';
import { evictionStory } from './random/evictions.ts';
import { namespaceStory } from './random/namespace.ts';
import { scalingStory } from './random/scaling.ts';
import { signingStory } from './random/signing.ts';
import type { JsonObject, Scenario, Step, Story } from './scenario.ts';
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
  'accounts',
  'cronjob',
  'daemonset',
  'devices',
  'evictions',
  'namespace',
  'scaling',
  'signing',
] as const;
export type RandomArea = (typeof randomAreas)[number];

/** How many things happen in one scenario. */
const stepsMax = 4;
const propagationPolicies = ['Foreground', 'Background', 'Orphan'];

export class RandomScenario {
  readonly #choose: Choices;

  constructor(random: Random) {
    this.#choose = new Choices(random);
  }

  make(area: RandomArea, name: string): Scenario {
    const made = this.#makers[area]();
    return Array.isArray(made) ? scenario(name, ...made) : { name, ...made };
  }

  readonly #makers: Readonly<Record<RandomArea, () => Step[] | Story>> = {
    job: () => this.#job(),
    deployment: () => this.#deployment(),
    statefulset: () => this.#statefulSet(),
    replicaset: () => this.#replicaSet(),
    gc: () => this.#owners(),
    volumes: () => this.#volumes(),
    endpoints: () => this.#service(),
    disruption: () => this.#budget(),
    quota: () => this.#quota(),
    accounts: () => accountStory(this.#choose),
    cronjob: () => cronJobStory(this.#choose),
    daemonset: () => daemonSetStory(this.#choose),
    devices: () => deviceStory(this.#choose),
    evictions: () => evictionStory(this.#choose),
    namespace: () => namespaceStory(this.#choose),
    scaling: () => scalingStory(this.#choose),
    signing: () => signingStory(this.#choose),
  };

  /** Each of `happens` is followed by a look at `kinds`. */
  #story(kinds: readonly string[], first: readonly Step[], happens: readonly (() => Step[])[]): Step[] {
    const looks = (at: number) => view(`after-${at}`, ...kinds);
    return [
      ...first,
      looks(0),
      ...this.#choose.times(1, stepsMax, (at) => [...this.#choose.one(happens)(), looks(at + 1)]).flat(),
      events(),
    ];
  }

  #act(what: readonly string[], labels = 'app=web'): Step {
    return {
      pods: { selector: labels, do: this.#choose.one(what), count: this.#choose.whole(1, 2), optional: true },
    };
  }

  readonly #run = (): string => this.#choose.one(['ready', 'running', 'ready;linger', 'running;linger']);

  #removal(kind: string, name: string): Step {
    return remove(kind, name, { propagationPolicy: this.#choose.one(propagationPolicies) });
  }

  #job(): Step[] {
    const isIndexed = this.#choose.chance(0.5);
    const completions = this.#choose.whole(1, 5);
    const index = () => this.#choose.whole(0, completions - 1);
    const run = this.#choose.one([
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
      action: this.#choose.one(['FailJob', 'Ignore', 'Count', ...(isIndexed ? ['FailIndex'] : [])]),
      ...(this.#choose.chance(0.7)
        ? {
            onExitCodes: {
              operator: this.#choose.one(['In', 'NotIn']),
              values: [this.#choose.one([1, 3, 137])],
            },
          }
        : { onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] }),
    });
    const success = (): JsonObject => ({
      ...this.#choose.maybe(0.6, () => ({
        succeededIndexes: this.#choose.one(['0', '0-1', `${index()}`, `0-${completions - 1}`]),
      })),
      succeededCount: this.#choose.whole(1, 2),
    });
    const hasRules = this.#choose.chance(0.4);
    const spec: JsonObject = {
      parallelism: this.#choose.whole(0, 4),
      ...(isIndexed || this.#choose.chance(0.7) ? { completions } : {}),
      ...this.#choose.maybe(isIndexed ? 1 : 0.1, () => ({
        completionMode: isIndexed ? 'Indexed' : 'NonIndexed',
      })),
      ...this.#choose.maybe(0.7, () => ({ backoffLimit: this.#choose.whole(0, 2) })),
      ...(isIndexed && this.#choose.chance(0.5)
        ? {
            backoffLimitPerIndex: this.#choose.whole(0, 1),
            ...this.#choose.maybe(0.5, () => ({ maxFailedIndexes: this.#choose.whole(0, completions) })),
          }
        : {}),
      ...(isIndexed
        ? this.#choose.maybe(0.35, () => ({ successPolicy: { rules: this.#choose.times(1, 2, success) } }))
        : {}),
      ...(hasRules ? { podFailurePolicy: { rules: this.#choose.times(1, 2, rule) } } : {}),
      ...this.#choose.maybe(0.4, () => ({
        podReplacementPolicy: hasRules ? 'Failed' : this.#choose.one(['Failed', 'TerminatingOrFailed']),
      })),
      ...this.#choose.maybe(0.15, () => ({ activeDeadlineSeconds: this.#choose.whole(1, 4) })),
      ...this.#choose.maybe(0.15, () => ({ ttlSecondsAfterFinished: this.#choose.one([0, 1, 100]) })),
      ...this.#choose.maybe(0.2, () => ({ suspend: true })),
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
        () => [patch('Job', 'j', { spec: { parallelism: this.#choose.whole(0, 4) } })],
        () => [patch('Job', 'j', { spec: { suspend: this.#choose.chance(0.5) } })],
        () => [patch('Job', 'j', { spec: { backoffLimit: this.#choose.whole(0, 2) } })],
        () => [patch('Job', 'j', { spec: { activeDeadlineSeconds: this.#choose.whole(1, 3) } })],
        () => {
          const wanted = this.#choose.whole(1, 5);
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
        template: {
          spec: { containers: [{ name: 'c', image: this.#choose.one(['img:1', 'img:2', 'img:3']) }] },
        },
      },
    });
    return [
      () => [scale(kind, name, this.#choose.whole(0, 6))],
      () => [patch(kind, name, image())],
      () => [patch(kind, name, image()), scale(kind, name, this.#choose.whole(0, 6))],
      () => [patch(kind, name, { spec: { minReadySeconds: this.#choose.whole(0, 3) } })],
      () => [
        patch(kind, name, {
          spec: { template: { metadata: { labels: { extra: this.#choose.one(['a', 'b']) } } } },
        }),
      ],
      () => [this.#act(['ready', 'unready', 'running'])],
      () => [this.#act(['fail:1', 'succeed', 'delete'])],
      () => [{ pods: { selector: 'app=web', do: 'finalise', terminating: true, optional: true } }],
      () => [this.#removal(kind, name)],
    ];
  }

  #deployment(): Step[] {
    const spec: JsonObject = {
      replicas: this.#choose.whole(0, 6),
      selector,
      template: template({ run: this.#run() }),
      strategy: this.#choose.chance(0.2)
        ? { type: 'Recreate' }
        : { rollingUpdate: { maxSurge: this.#choose.amount(), maxUnavailable: this.#choose.amount() } },
      ...this.#choose.maybe(0.3, () => ({ minReadySeconds: this.#choose.whole(1, 2) })),
      ...this.#choose.maybe(0.3, () => ({ progressDeadlineSeconds: this.#choose.whole(3, 5) })),
      ...this.#choose.maybe(0.2, () => ({ paused: true })),
      ...this.#choose.maybe(0.4, () => ({ revisionHistoryLimit: this.#choose.whole(0, 2) })),
    };
    return this.#story(
      ['Deployment', 'ReplicaSet', 'Pod'],
      [create('Deployment', 'd', { spec }, { full: true })],
      [
        ...this.#changes('Deployment', 'd'),
        () => [patch('Deployment', 'd', { spec: { paused: this.#choose.chance(0.4) } })],
        () => [
          patch('Deployment', 'd', { metadata: { annotations: { note: this.#choose.one(['a', 'b']) } } }),
        ],
        () => [
          patch('Deployment', 'd', {
            spec: {
              strategy: {
                rollingUpdate: { maxSurge: this.#choose.amount(), maxUnavailable: this.#choose.amount() },
              },
            },
          }),
        ],
        () => [patch('Deployment', 'd', { spec: { revisionHistoryLimit: this.#choose.whole(0, 1) } })],
      ],
    );
  }

  #replicaSet(): Step[] {
    const kind = this.#choose.one(['ReplicaSet', 'ReplicationController']);
    const spec: JsonObject = {
      replicas: this.#choose.whole(0, 5),
      selector: kind === 'ReplicaSet' ? selector : { app: 'web' },
      template: template({ run: this.#run() }),
      ...this.#choose.maybe(0.3, () => ({ minReadySeconds: this.#choose.whole(1, 2) })),
    };
    const loose = this.#choose.times(0, 2, (at) =>
      pod(`loose-${at}`, { labels: { app: this.#choose.one(['web', 'other']) } }),
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
      replicas: this.#choose.whole(0, 4),
      serviceName: 's',
      selector,
      template: template({ run: this.#run() }),
      ...this.#choose.maybe(0.5, () => ({
        podManagementPolicy: this.#choose.one(['Parallel', 'OrderedReady']),
      })),
      ...this.#choose.maybe(0.5, () => ({
        updateStrategy: this.#choose.chance(0.25)
          ? { type: 'OnDelete' }
          : {
              rollingUpdate: {
                partition: this.#choose.whole(0, 3),
                ...this.#choose.maybe(0.4, () => ({ maxUnavailable: this.#choose.amount() })),
              },
            },
      })),
      ...this.#choose.maybe(0.3, () => ({ ordinals: { start: this.#choose.whole(0, 3) } })),
      ...this.#choose.maybe(0.3, () => ({ minReadySeconds: this.#choose.whole(1, 2) })),
      ...this.#choose.maybe(0.3, () => ({ revisionHistoryLimit: this.#choose.whole(0, 1) })),
      ...this.#choose.maybe(0.4, () => ({
        volumeClaimTemplates: [
          {
            metadata: { name: 'v' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        ],
        ...this.#choose.maybe(0.6, () => ({
          persistentVolumeClaimRetentionPolicy: {
            whenDeleted: this.#choose.one(['Retain', 'Delete']),
            whenScaled: this.#choose.one(['Retain', 'Delete']),
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
            spec: { updateStrategy: { rollingUpdate: { partition: this.#choose.whole(0, 3) } } },
          }),
        ],
        () => [patch('StatefulSet', 's', { spec: { ordinals: { start: this.#choose.whole(0, 2) } } })],
      ],
    );
  }

  /** A graph of owners among ConfigMaps; some owners do not exist. */
  #owners(): Step[] {
    const count = this.#choose.whole(3, 6);
    const name = (at: number) => `m${at}`;
    const made = Array.from({ length: count }, (_, at) => {
      const ownerReferences = this.#choose.some([...Array(at).keys()], 0.45).map((owner) => ({
        apiVersion: 'v1',
        kind: this.#choose.one(['ConfigMap', 'ConfigMap', 'ConfigMap', 'Secret']),
        name: name(owner),
        uid: `$made-${owner}.metadata.uid`,
        ...this.#choose.maybe(0.5, () => ({ blockOwnerDeletion: this.#choose.chance(0.6) })),
        ...(owner === 0 ? this.#choose.maybe(0.3, () => ({ controller: true })) : {}),
      }));
      const finalizers = this.#choose.chance(0.2) ? ['example.com/hold'] : [];
      return create(
        'ConfigMap',
        name(at),
        { metadata: { ownerReferences, finalizers } },
        { name: `made-${at}` },
      );
    });
    const any = () => name(this.#choose.whole(0, count - 1));
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
    const className = () => this.#choose.one(['c-$id', 'c-$id', 'd-$id', 'e-$id']);
    const modes = () =>
      this.#choose.one([
        ['ReadWriteOnce'],
        ['ReadWriteOnce', 'ReadOnlyMany'],
        ['ReadWriteMany'],
        ['ReadWriteOncePod'],
      ]);
    const size = () => this.#choose.one(['1Gi', '2Gi', '1500Mi', '5Gi']);
    const volume = (at: number): Step => ({
      req: `POST ${collection('PersistentVolume')}`,
      body: object('PersistentVolume', `v${at}-$id`, {
        metadata: { labels: { case: '$id', tier: this.#choose.one(['a', 'b']) } },
        spec: {
          capacity: { storage: size() },
          accessModes: modes(),
          storageClassName: className(),
          persistentVolumeReclaimPolicy: this.#choose.one(['Retain', 'Retain', 'Delete', 'Recycle']),
          ...this.#choose.maybe(0.2, () => ({ volumeMode: 'Block' })),
          ...this.#choose.maybe(0.2, () => ({
            claimRef: { namespace: '$ns', name: `k${this.#choose.whole(0, 2)}` },
          })),
          ...this.#choose.maybe(0.1, () => ({ volumeAttributesClassName: 'gold' })),
          csi: { driver: 'example.com', volumeHandle: `h${at}` },
        },
      }),
    });
    const claim = (at: number): Step =>
      create('PersistentVolumeClaim', `k${at}`, {
        spec: {
          accessModes: this.#choose.one([['ReadWriteOnce'], ['ReadOnlyMany'], ['ReadWriteMany']]),
          storageClassName: className(),
          resources: { requests: { storage: size() } },
          ...this.#choose.maybe(0.2, () => ({ volumeMode: 'Block' })),
          ...this.#choose.maybe(0.25, () => ({
            selector: { matchLabels: { tier: this.#choose.one(['a', 'b']) } },
          })),
          ...this.#choose.maybe(0.15, () => ({ volumeName: `v${this.#choose.whole(0, 3)}-$id` })),
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
      () => [remove('PersistentVolumeClaim', `k${this.#choose.whole(0, 2)}`)],
      () => [remove('PersistentVolume', `v${this.#choose.whole(0, 3)}-$id`)],
      () => [user(this.#choose.whole(0, 2))],
      () => [patch('PersistentVolume', `v${this.#choose.whole(0, 3)}-$id`, { spec: { claimRef: null } })],
      () => [
        patch('PersistentVolume', `v${this.#choose.whole(0, 3)}-$id`, {
          spec: { persistentVolumeReclaimPolicy: 'Retain' },
        }),
      ],
      () => [
        patch('PersistentVolumeClaim', `k${this.#choose.whole(0, 2)}`, {
          spec: { resources: { requests: { storage: '9Gi' } } },
        }),
      ],
    ];
    const storageClass = (name: string, volumeBindingMode: string) =>
      create('StorageClass', name, { provisioner: 'kubernetes.io/no-provisioner', volumeBindingMode });
    const classes = [
      storageClass('c-$id', 'Immediate'),
      ...(this.#choose.chance(0.5) ? [storageClass('d-$id', 'WaitForFirstConsumer')] : []),
    ];
    // One after the other, so that both choose among the same volumes.
    const apart = (steps: readonly Step[]) => steps.flatMap((step) => [step, { wait: 300 }]);
    return [
      ...classes,
      ...apart([...volumes, ...claims]),
      looks('after-0'),
      ...this.#choose.times(1, 3, (at) => [...this.#choose.one(happens)(), looks(`after-${at + 1}`)]).flat(),
      events(),
    ];
  }

  #service(): Step[] {
    const port = (at: number): JsonObject => ({
      ...this.#choose.maybe(1, () => ({ name: `p${at}` })),
      port: 80 + at,
      targetPort: this.#choose.one(['http', 'admin', 8080, 80]),
      ...this.#choose.maybe(0.3, () => ({ protocol: this.#choose.one(['TCP', 'UDP']) })),
      ...this.#choose.maybe(0.2, () => ({ appProtocol: this.#choose.one(['http', 'kubernetes.io/h2c']) })),
    });
    const spec = (): JsonObject => ({
      selector: { app: this.#choose.one(['web', 'web', 'api']) },
      ports: this.#choose.times(1, 3, port),
      ...this.#choose.maybe(0.3, () => ({ clusterIP: 'None' })),
      ...this.#choose.maybe(0.3, () => ({ publishNotReadyAddresses: true })),
      ...this.#choose.maybe(0.2, () => ({
        trafficDistribution: this.#choose.one(['PreferClose', 'PreferSameNode', 'PreferSameZone']),
      })),
    });
    const backend = (name: string) =>
      pod(name, {
        labels: { app: this.#choose.one(['web', 'web', 'api']) },
        run: this.#choose.one(['ready', 'ready', 'running', 'ready;linger', 'succeed', 'hold']),
        spec: {
          nodeName: 'pool-1',
          containers: [
            {
              name: 'c',
              image: 'img:1',
              ports: [
                {
                  name: this.#choose.one(['http', 'admin']),
                  containerPort: this.#choose.one([8080, 9090]),
                  ...this.#choose.maybe(0.2, () => ({ protocol: 'UDP' })),
                },
              ],
            },
          ],
          ...this.#choose.maybe(0.3, () => ({ hostname: name, subdomain: 's' })),
        },
      });
    const pods = this.#choose.times(1, 4, (at) => backend(`b${at}`));
    return this.#story(
      ['Service', 'Endpoints', 'EndpointSlice'],
      [...pods, create('Service', 's', { spec: spec() })],
      [
        () => [
          this.#act(['ready', 'unready', 'delete', 'succeed'], `app=${this.#choose.one(['web', 'api'])}`),
        ],
        () => [patch('Service', 's', { spec: { selector: { app: this.#choose.one(['web', 'api']) } } })],
        () => [patch('Service', 's', { spec: { ports: this.#choose.times(1, 2, port) } })],
        () => [patch('Service', 's', { spec: { publishNotReadyAddresses: this.#choose.chance(0.5) } })],
        () => [patch('Service', 's', { metadata: { labels: { team: this.#choose.one(['a', 'b']) } } })],
        () => [backend(`later-${this.#choose.whole(0, 99)}`)],
        () => [patch('Pod', 'b0', { metadata: { labels: { app: this.#choose.one(['web', 'api']) } } })],
        () => [remove('Service', 's')],
      ],
    );
  }

  #budget(): Step[] {
    const which = this.#choose.one(['minAvailable', 'maxUnavailable']);
    const kind = this.#choose.one(['ReplicaSet', 'StatefulSet', 'Deployment']);
    const spec: JsonObject = {
      replicas: this.#choose.whole(1, 5),
      selector,
      template: template({ run: this.#run() }),
    };
    const budget = (name: string) =>
      create('PodDisruptionBudget', name, {
        spec: {
          ...this.#choose.maybe(0.9, () => ({ selector })),
          [which]: this.#choose.one([0, 1, 2, 4, '0%', '30%', '50%', '100%']),
          ...this.#choose.maybe(0.4, () => ({
            unhealthyPodEvictionPolicy: this.#choose.one(['AlwaysAllow', 'IfHealthyBudget']),
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
        () => (kind === 'StatefulSet' ? [evict] : [scale(kind, 's', this.#choose.whole(0, 5))]),
        () => [budget('second')],
        () => [patch('PodDisruptionBudget', 'b', { spec: { [which]: this.#choose.amount() } })],
        () => [pod('bare', { labels: { app: 'web' } })],
        () => [remove('PodDisruptionBudget', 'b')],
      ],
    );
  }

  #quota(): Step[] {
    const hard = (): JsonObject => ({
      ...this.#choose.maybe(0.5, () => ({ pods: String(this.#choose.whole(1, 4)) })),
      ...this.#choose.maybe(0.4, () => ({ 'requests.cpu': this.#choose.one(['1', '500m', '2500m']) })),
      ...this.#choose.maybe(0.3, () => ({ 'limits.memory': this.#choose.one(['1Gi', '600Mi']) })),
      ...this.#choose.maybe(0.3, () => ({ services: '1' })),
      ...this.#choose.maybe(0.3, () => ({ 'count/configmaps': String(this.#choose.whole(1, 4)) })),
      ...this.#choose.maybe(0.3, () => ({ 'count/deployments.apps': '1' })),
      ...this.#choose.maybe(0.3, () => ({ 'requests.storage': '3Gi', persistentvolumeclaims: '2' })),
    });
    const scopes = (): JsonObject =>
      this.#choose.maybe(0.3, () => ({
        scopes: [this.#choose.one(['BestEffort', 'NotBestEffort', 'Terminating', 'NotTerminating'])],
      }));
    const quota = (name: string) => create('ResourceQuota', name, { spec: { hard: hard(), ...scopes() } });
    const resources = (): JsonObject =>
      this.#choose.maybe(0.8, () => ({
        resources: {
          requests: { cpu: this.#choose.one(['100m', '400m', '1']) },
          ...this.#choose.maybe(0.6, () => ({
            limits: { cpu: '1', memory: this.#choose.one(['100Mi', '400Mi']) },
          })),
        },
      }));
    const podOf = (name: string) =>
      pod(name, {
        labels: { app: 'web' },
        run: this.#choose.one(['ready', 'succeed', 'ready;linger']),
        spec: {
          containers: this.#choose.times(1, 2, (at) => ({ name: `c${at}`, image: 'img:1', ...resources() })),
          ...this.#choose.maybe(0.3, () => ({
            initContainers: [
              {
                name: 'i',
                image: 'img:1',
                ...this.#choose.maybe(0.5, () => ({ restartPolicy: 'Always' })),
                ...resources(),
              },
            ],
          })),
          ...this.#choose.maybe(0.3, () => ({ activeDeadlineSeconds: 1000 })),
        },
      });
    const things = (at: number): Step[] => [
      this.#choose.one([
        () => podOf(`p${at}`),
        () => podOf(`p${at}`),
        () => create('ConfigMap', `m${at}`),
        () =>
          create('Service', `s${at}`, {
            spec: {
              ports: [{ port: 80 }],
              type: this.#choose.one(['ClusterIP', 'NodePort', 'LoadBalancer']),
            },
          }),
        () =>
          create('PersistentVolumeClaim', `k${at}`, {
            spec: {
              accessModes: ['ReadWriteOnce'],
              resources: { requests: { storage: this.#choose.one(['1Gi', '2Gi']) } },
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
        ...(this.#choose.chance(0.5)
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
        ...this.#choose.times(1, 5, things).flat(),
      ],
      [
        () => things(50 + this.#choose.whole(0, 40)),
        () => [patch('ResourceQuota', 'q', { spec: { hard: hard() } })],
        () => [quota(`q${this.#choose.whole(2, 9)}`), { wait: 600 }],
        () => [this.#act(['delete', 'succeed', 'fail:1'])],
        () => [remove('ConfigMap', `m${this.#choose.whole(0, 4)}`)],
        () => [remove('ResourceQuota', 'q')],
      ],
    );
  }
}
