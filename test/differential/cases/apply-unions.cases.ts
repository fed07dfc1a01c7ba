/** Members of a union (volume sources, handlers, sources of variables) that managers add, change and withdraw. */
import { applyPatch, ask, mergePatch, strategicPatch, type DifferentialCase } from './case.ts';
import type { Step } from '../../../packages/kube-apiserver/test/oracle/case.ts';

type Json = Readonly<Record<string, unknown>>;

const deployments = '/apis/apps/v1/namespaces/$ns/deployments';
const podSpec = (spec: Json): Json => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'one' },
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: {
      metadata: { labels: { a: 'b' } },
      spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
    },
  },
});
const container = (more: Json): Json => podSpec({ containers: [{ name: 'c', image: 'i', ...more }] });

interface Union {
  readonly object: (member: Json) => Json;
  readonly members: Readonly<Record<string, Json>>;
}

const unions: Readonly<Record<string, Union>> = {
  volume: {
    object: (member) => podSpec({ volumes: [{ name: 'v', ...member }] }),
    members: {
      none: {},
      emptyDir: { emptyDir: {} },
      memory: { emptyDir: { medium: 'Memory' } },
      nullDir: { emptyDir: null },
      configMap: { configMap: { name: 'm' } },
      noConfigMap: { configMap: {} },
      items: { configMap: { name: 'm', items: [{ key: 'k', path: 'p' }] } },
      secret: { secret: { secretName: 's' } },
      projected: { projected: { sources: [{ configMap: { name: 'm' } }, { secret: { name: 's' } }] } },
      noSources: { projected: { sources: [] } },
      downward: { downwardAPI: { items: [{ path: 'p', fieldRef: { fieldPath: 'metadata.name' } }] } },
      hostPath: { hostPath: { path: '/p' } },
      ephemeral: {
        ephemeral: {
          volumeClaimTemplate: {
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        },
      },
      claim: { persistentVolumeClaim: { claimName: 'c' } },
      csi: { csi: { driver: 'd', volumeAttributes: { a: 'b' } } },
    },
  },
  probe: {
    object: (member) => container({ livenessProbe: member }),
    members: {
      none: {},
      exec: { exec: { command: ['a'] } },
      noCommand: { exec: {} },
      http: { httpGet: { port: 80 } },
      tcp: { tcpSocket: { port: 'p' } },
      grpc: { grpc: { port: 1 } },
      seconds: { periodSeconds: 5 },
    },
  },
  handler: {
    object: (member) => container({ lifecycle: { preStop: member } }),
    members: {
      none: {},
      exec: { exec: { command: ['a'] } },
      http: { httpGet: { port: 80 } },
      sleep: { sleep: { seconds: 1 } },
    },
  },
  variable: {
    object: (member) => container({ env: [{ name: 'V', ...member }] }),
    members: {
      none: {},
      value: { value: 'x' },
      empty: { value: '' },
      noSource: { valueFrom: {} },
      field: { valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      key: { valueFrom: { configMapKeyRef: { name: 'm', key: 'k' } } },
      secret: { valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
      resource: { valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
    },
  },
  claimOfPod: {
    object: (member) => podSpec({ resourceClaims: [{ name: 'c', ...member }] }),
    members: {
      none: {},
      claim: { resourceClaimName: 'a' },
      template: { resourceClaimTemplateName: 'b' },
      null: { resourceClaimName: null },
    },
  },
  security: {
    object: (member) => podSpec({ securityContext: member }),
    members: {
      none: {},
      user: { runAsUser: 0 },
      profile: { seccompProfile: { type: 'RuntimeDefault' } },
      local: { seccompProfile: { type: 'Localhost', localhostProfile: 'p' } },
      options: { seLinuxOptions: { level: 'l' } },
      noOptions: { seLinuxOptions: {} },
      sysctls: { sysctls: [{ name: 'a', value: 'b' }] },
      noSysctls: { sysctls: [] },
      groups: { supplementalGroups: [1, 2] },
    },
  },
  resources: {
    object: (member) => container({ resources: member }),
    members: {
      none: {},
      limits: { limits: { cpu: '1', memory: '1Gi' } },
      noLimits: { limits: {} },
      nullLimits: { limits: null },
      requests: { requests: { cpu: 1 } },
      both: { limits: { cpu: 2 }, requests: { cpu: '100m' } },
      claims: { claims: [] },
    },
  },
  affinity: {
    object: (member) => podSpec({ affinity: member }),
    members: {
      none: {},
      node: { nodeAffinity: {} },
      preferred: {
        nodeAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 1, preference: { matchExpressions: [{ key: 'a', operator: 'Exists' }] } },
          ],
        },
      },
      required: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }],
          },
        },
      },
      pod: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: 'z', labelSelector: { matchLabels: { a: 'b' } } },
          ],
        },
      },
      noPod: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [] } },
    },
  },
  ports: {
    object: (member) => container({ ports: [{ containerPort: 80, ...member }] }),
    members: {
      none: {},
      tcp: { protocol: 'TCP' },
      udp: { protocol: 'UDP' },
      named: { name: 'a' },
      host: { hostPort: 80, name: 'b' },
      other: { containerPort: 81 },
      empty: { name: '' },
      null: { name: null },
    },
  },
  secrets: {
    object: (member) => podSpec({ imagePullSecrets: [member] }),
    members: { none: {}, a: { name: 'a' }, b: { name: 'b' }, empty: { name: '' } },
  },
  mounts: {
    object: (member) =>
      podSpec({
        containers: [{ name: 'c', image: 'i', volumeMounts: [{ mountPath: '/p', name: 'v', ...member }] }],
        volumes: [{ name: 'v', emptyDir: {} }],
      }),
    members: {
      none: {},
      readOnly: { readOnly: true },
      writable: { readOnly: false },
      path: { subPath: 's' },
      noPath: { subPath: '' },
      other: { mountPath: '/q' },
    },
  },
  annotations: {
    object: (member) => ({ ...podSpec({}), metadata: { name: 'one', ...member } }),
    members: {
      none: {},
      a: { annotations: { a: '1' } },
      b: { annotations: { b: '', a: '2' }, labels: { x: 'y' } },
      empty: { annotations: {} },
      null: { annotations: null, labels: null },
      nullValue: { annotations: { a: null } },
      finalizers: { finalizers: [] },
    },
  },
  strategy: {
    object: (member) => {
      const body = podSpec({});
      return { ...body, spec: { ...(body['spec'] as Json), strategy: member } };
    },
    members: {
      none: {},
      recreate: { type: 'Recreate' },
      rolling: { type: 'RollingUpdate' },
      surge: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2 } },
      noType: { rollingUpdate: { maxUnavailable: 3 } },
      empty: { rollingUpdate: {} },
    },
  },
};

/** Who writes what, given two members and the object without the list or struct that has them. */
const sequences: Readonly<Record<string, (one: Json, two: Json, without: Json) => readonly Step[]>> = {
  switches: (one, two) => [apply('a', one), apply('a', two), apply('a', one)],
  withdraws: (one, two, without) => [
    apply('a', one),
    apply('b', two),
    apply('a', without),
    apply('b', without),
  ],
  forces: (one, two, without) => [
    apply('a', one),
    apply('b', two, '&force=true'),
    apply('b', without),
    apply('a', two),
  ],
  updates: (one, two, without) => [
    apply('a', one),
    put('u', two),
    apply('a', without),
    put('u', one),
    apply('a', two),
  ],
  patches: (one, two, without) => [
    put('u', one),
    patch('p', two, strategicPatch),
    apply('a', one),
    patch('p', two, mergePatch),
    apply('a', without),
  ],
};

const apply = (manager: string, body: Json, more = ''): Step =>
  ask(`PATCH ${deployments}/one?fieldManager=${manager}${more}`, body, applyPatch);
const put = (manager: string, body: Json): Step =>
  ask(`PUT ${deployments}/one?fieldManager=${manager}`, body);
const patch = (manager: string, body: Json, type: Partial<Step>): Step =>
  ask(`PATCH ${deployments}/one?fieldManager=${manager}`, body, type);

const remove = ask(`DELETE ${deployments}/one`, undefined, { quiet: true });

/** An object for each pair, one after the other: a member with those one and three places further. */
export const cases: readonly DifferentialCase[] = Object.entries(unions).flatMap(
  ([union, { object, members }]) => {
    const all = Object.values(members);
    return Object.keys(members).flatMap((nameOne, at) =>
      Object.entries(sequences).map(([sequence, writes]): DifferentialCase => ({
        name: `${union}-${sequence}-${nameOne}`,
        steps: [1, 3].flatMap((further) => [
          ask(`POST ${deployments}`, podSpec({}), { quiet: true }),
          ...writes(object(all[at]!), object(all[(at + further) % all.length]!), podSpec({})),
          remove,
        ]),
      })),
    );
  },
);
