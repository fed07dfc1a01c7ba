/** The default configuration of priority and fairness: the flow schemas, and the capacity of each level. */

import {
  mandatoryFlowSchemaSpecs,
  mandatoryPriorityLevelSpecs,
} from '@coxswain/api/flowcontrol/mandatory-specs.ts';
import type { BootstrapObject } from '../bootstrap-object.ts';

const group = 'flowcontrol.apiserver.k8s.io';
/** The field manager of these objects. */
export const flowControlProducer = 'api-priority-and-fairness-config-producer-v1';

interface Level {
  readonly shares: number;
  readonly lendablePercent: number;
  /** `[queues, hand size, queue length]` */
  readonly queuing: readonly [number, number, number];
}

const levels: Readonly<Record<string, Level>> = {
  'global-default': { shares: 20, lendablePercent: 50, queuing: [128, 6, 50] },
  'leader-election': { shares: 10, lendablePercent: 0, queuing: [16, 4, 50] },
  'node-high': { shares: 40, lendablePercent: 25, queuing: [64, 6, 50] },
  system: { shares: 30, lendablePercent: 33, queuing: [64, 6, 50] },
  'workload-high': { shares: 40, lendablePercent: 50, queuing: [128, 6, 50] },
  'workload-low': { shares: 100, lendablePercent: 90, queuing: [128, 6, 50] },
};

interface Flow {
  readonly level: string;
  readonly precedence: number;
  readonly distinguish?: 'ByUser' | 'ByNamespace';
  readonly subjects: readonly unknown[];
  readonly resourceRules?: readonly unknown[];
  readonly nonResourceRules?: readonly unknown[];
}

const groupSubject = (name: string) => ({ kind: 'Group', group: { name } });
const userSubject = (name: string) => ({ kind: 'User', user: { name } });
const systemServiceAccounts = {
  kind: 'ServiceAccount',
  serviceAccount: { namespace: 'kube-system', name: '*' },
};
const everybody = [groupSubject('system:unauthenticated'), groupSubject('system:authenticated')];

const everyResource = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] },
];
const everything = {
  resourceRules: everyResource,
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
};

const flows: Readonly<Record<string, Flow>> = {
  probes: {
    level: 'exempt',
    precedence: 2,
    subjects: everybody,
    nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] }],
  },
  'system-leader-election': {
    level: 'leader-election',
    precedence: 100,
    distinguish: 'ByUser',
    subjects: [
      userSubject('system:kube-controller-manager'),
      userSubject('system:kube-scheduler'),
      systemServiceAccounts,
    ],
    resourceRules: [
      {
        verbs: ['get', 'create', 'update'],
        apiGroups: ['coordination.k8s.io'],
        resources: ['leases'],
        namespaces: ['*'],
      },
    ],
  },
  'system-node-high': {
    level: 'node-high',
    precedence: 400,
    distinguish: 'ByUser',
    subjects: [groupSubject('system:nodes')],
    resourceRules: [
      {
        verbs: ['*'],
        apiGroups: [''],
        resources: ['nodes', 'nodes/status'],
        clusterScope: true,
        namespaces: ['*'],
      },
      { verbs: ['*'], apiGroups: ['coordination.k8s.io'], resources: ['leases'], namespaces: ['*'] },
    ],
  },
  'system-nodes': {
    level: 'system',
    precedence: 500,
    distinguish: 'ByUser',
    subjects: [groupSubject('system:nodes')],
    ...everything,
  },
  'kube-controller-manager': {
    level: 'workload-high',
    precedence: 800,
    distinguish: 'ByNamespace',
    subjects: [userSubject('system:kube-controller-manager')],
    ...everything,
  },
  'kube-scheduler': {
    level: 'workload-high',
    precedence: 800,
    distinguish: 'ByNamespace',
    subjects: [userSubject('system:kube-scheduler')],
    ...everything,
  },
  'kube-system-service-accounts': {
    level: 'workload-high',
    precedence: 900,
    distinguish: 'ByNamespace',
    subjects: [systemServiceAccounts],
    ...everything,
  },
  'service-accounts': {
    level: 'workload-low',
    precedence: 9000,
    distinguish: 'ByUser',
    subjects: [groupSubject('system:serviceaccounts')],
    ...everything,
  },
  'global-default': {
    level: 'global-default',
    precedence: 9900,
    distinguish: 'ByUser',
    subjects: everybody,
    ...everything,
  },
};

export const flowControlObjects = (): BootstrapObject[] => [
  ...[...mandatoryPriorityLevelSpecs].map(([name, spec]) => levelObject(name, spec)),
  ...Object.entries(levels).map(([name, level]) => levelObject(name, levelSpec(level))),
  ...[...mandatoryFlowSchemaSpecs].map(([name, spec]) => schemaObject(name, spec)),
  ...Object.entries(flows).map(([name, flow]) => schemaObject(name, flowSpec(flow))),
];

const levelObject = (name: string, spec: unknown): BootstrapObject =>
  wrap('prioritylevelconfigurations', 'PriorityLevelConfiguration', name, spec);

const schemaObject = (name: string, spec: unknown): BootstrapObject =>
  wrap('flowschemas', 'FlowSchema', name, spec);

const levelSpec = ({ shares, lendablePercent, queuing }: Level) => ({
  type: 'Limited',
  limited: {
    nominalConcurrencyShares: shares,
    limitResponse: {
      type: 'Queue',
      queuing: { queues: queuing[0], handSize: queuing[1], queueLengthLimit: queuing[2] },
    },
    lendablePercent,
  },
});

const flowSpec = ({ level, precedence, distinguish, subjects, resourceRules, nonResourceRules }: Flow) => ({
  priorityLevelConfiguration: { name: level },
  matchingPrecedence: precedence,
  ...(distinguish === undefined ? {} : { distinguisherMethod: { type: distinguish } }),
  rules: [
    {
      subjects,
      ...(resourceRules === undefined ? {} : { resourceRules }),
      ...(nonResourceRules === undefined ? {} : { nonResourceRules }),
    },
  ],
});

const wrap = (resource: string, kind: string, name: string, spec: unknown): BootstrapObject => ({
  group,
  version: 'v1',
  resource,
  manager: flowControlProducer,
  object: {
    apiVersion: `${group}/v1`,
    kind,
    metadata: { name, annotations: { 'apf.kubernetes.io/autoupdate-spec': 'true' } },
    spec,
  },
});
