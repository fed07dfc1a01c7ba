/** A small object of every kind that is served for the sake of Kubernetes 1.20, and its current form. */

export interface LegacyKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly clusterScoped?: boolean;
  /** The object without type and metadata. */
  readonly given: object;
  /** The defaults that the old version adds. */
  readonly defaults?: object;
  /** The current version's form. Absent for kinds without one. */
  readonly now?: { readonly apiVersion: string; readonly as: object };
  readonly name?: string;
}

const template = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'web', image: 'web:1' }] },
};
const selector = { matchLabels: { app: 'web' } };
const cluster = { clusterScoped: true } as const;

const workload = (apiVersion: string, kind: string, given: object, defaults: object): LegacyKind => ({
  apiVersion,
  kind,
  plural: `${kind.toLowerCase()}s`,
  given: { spec: { template, ...given } },
  defaults: { metadata: { labels: { app: 'web' } }, spec: { selector, ...defaults } },
  now: { apiVersion: 'apps/v1', as: { spec: { selector, ...defaults } } },
});

const selected = (apiVersion: string, kind: string, given: object, defaults: object): LegacyKind => ({
  ...workload(apiVersion, kind, { selector, ...given }, defaults),
  defaults: { spec: defaults },
});

const rolling = (count: number | string) => ({
  type: 'RollingUpdate',
  rollingUpdate: { maxUnavailable: count, maxSurge: count },
});

const workloads: readonly LegacyKind[] = [
  workload(
    'extensions/v1beta1',
    'Deployment',
    {},
    {
      strategy: rolling(1),
      revisionHistoryLimit: 2147483647,
      progressDeadlineSeconds: 2147483647,
    },
  ),
  workload(
    'apps/v1beta1',
    'Deployment',
    {},
    {
      strategy: rolling('25%'),
      revisionHistoryLimit: 2,
      progressDeadlineSeconds: 600,
    },
  ),
  selected(
    'apps/v1beta2',
    'Deployment',
    {},
    {
      strategy: rolling('25%'),
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
    },
  ),
  workload('extensions/v1beta1', 'DaemonSet', {}, { updateStrategy: { type: 'OnDelete' } }),
  selected(
    'apps/v1beta2',
    'DaemonSet',
    {},
    { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } } },
  ),
  workload('extensions/v1beta1', 'ReplicaSet', {}, { replicas: 1 }),
  selected('apps/v1beta2', 'ReplicaSet', {}, { replicas: 1 }),
  workload(
    'apps/v1beta1',
    'StatefulSet',
    { serviceName: 's' },
    { updateStrategy: { type: 'OnDelete' }, podManagementPolicy: 'OrderedReady' },
  ),
  selected(
    'apps/v1beta2',
    'StatefulSet',
    { serviceName: 's' },
    { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } } },
  ),
  ...['apps/v1beta1', 'apps/v1beta2'].map((apiVersion) => ({
    apiVersion,
    kind: 'ControllerRevision',
    plural: 'controllerrevisions',
    given: { revision: 1, data: { a: 'b' } },
    now: { apiVersion: 'apps/v1', as: { revision: 1, data: { a: 'b' } } },
  })),
  {
    apiVersion: 'batch/v1beta1',
    kind: 'CronJob',
    plural: 'cronjobs',
    given: {
      spec: {
        schedule: '@daily',
        jobTemplate: { spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } } },
      },
    },
    defaults: { spec: { concurrencyPolicy: 'Allow', successfulJobsHistoryLimit: 3, suspend: false } },
    now: { apiVersion: 'batch/v1', as: { spec: { schedule: '@daily' } } },
  },
];

const oldIngress = (apiVersion: string): LegacyKind => ({
  apiVersion,
  kind: 'Ingress',
  plural: 'ingresses',
  given: {
    spec: {
      backend: { serviceName: 'web', servicePort: 80 },
      rules: [
        { host: 'a.example', http: { paths: [{ backend: { serviceName: 'b', servicePort: 'http' } }] } },
      ],
    },
  },
  defaults: { spec: { rules: [{ http: { paths: [{ pathType: 'ImplementationSpecific' }] } }] } },
  now: {
    apiVersion: 'networking.k8s.io/v1',
    as: {
      spec: {
        defaultBackend: { service: { name: 'web', port: { number: 80 } } },
        rules: [{ http: { paths: [{ backend: { service: { name: 'b', port: { name: 'http' } } } }] } }],
      },
    },
  },
});

const network: readonly LegacyKind[] = [
  oldIngress('extensions/v1beta1'),
  oldIngress('networking.k8s.io/v1beta1'),
  {
    ...cluster,
    apiVersion: 'networking.k8s.io/v1beta1',
    kind: 'IngressClass',
    plural: 'ingressclasses',
    given: { spec: { controller: 'example.com/c' } },
    now: { apiVersion: 'networking.k8s.io/v1', as: { spec: { controller: 'example.com/c' } } },
  },
  {
    apiVersion: 'extensions/v1beta1',
    kind: 'NetworkPolicy',
    plural: 'networkpolicies',
    given: { spec: { podSelector: {}, egress: [{}] } },
    defaults: { spec: { policyTypes: ['Ingress', 'Egress'] } },
    now: { apiVersion: 'networking.k8s.io/v1', as: { spec: { egress: [{}] } } },
  },
  {
    apiVersion: 'discovery.k8s.io/v1beta1',
    kind: 'EndpointSlice',
    plural: 'endpointslices',
    given: {
      addressType: 'IPv4',
      endpoints: [
        {
          addresses: ['10.1.2.3'],
          nodeName: 'n',
          topology: { 'topology.kubernetes.io/zone': 'z', 'kubernetes.io/hostname': 'n', rack: 'r' },
        },
      ],
      ports: [{ port: 80 }],
    },
    defaults: { ports: [{ name: '', protocol: 'TCP' }] },
    now: {
      apiVersion: 'discovery.k8s.io/v1',
      as: { endpoints: [{ nodeName: 'n', zone: 'z', deprecatedTopology: { rack: 'r' } }] },
    },
  },
];

const role = { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] };
const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' };

const rbac: readonly LegacyKind[] = ['v1beta1', 'v1alpha1'].flatMap((version) =>
  ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'].map((kind): LegacyKind => {
    const isBinding = kind.endsWith('Binding');
    const isAlpha = version === 'v1alpha1';
    return {
      ...(kind.startsWith('Cluster') && cluster),
      apiVersion: `rbac.authorization.k8s.io/${version}`,
      kind,
      plural: `${kind.toLowerCase()}s`,
      given: isBinding ? { roleRef, subjects: [{ kind: 'User', name: isAlpha ? '*' : 'bob' }] } : role,
      now: {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        as: isBinding
          ? {
              subjects: [
                isAlpha
                  ? { kind: 'Group', name: 'system:authenticated', apiGroup: roleRef.apiGroup }
                  : { kind: 'User', name: 'bob', apiGroup: roleRef.apiGroup },
              ],
            }
          : role,
      },
    };
  }),
);

const attachment = { attacher: 'a.example', nodeName: 'node', source: { persistentVolumeName: 'volume' } };

const storage: readonly LegacyKind[] = [
  ...(
    [
      [
        'v1beta1',
        'StorageClass',
        'storageclasses',
        { provisioner: 'a.example' },
        { reclaimPolicy: 'Delete' },
      ],
      ['v1beta1', 'CSIDriver', 'csidrivers', { spec: {} }, { spec: { attachRequired: true } }],
      ['v1beta1', 'CSINode', 'csinodes', { spec: { drivers: [{ name: 'a', nodeID: 'n' }] } }, {}],
      ['v1beta1', 'VolumeAttachment', 'volumeattachments', { spec: attachment }, {}],
      ['v1alpha1', 'VolumeAttachment', 'volumeattachments', { spec: attachment }, {}],
    ] as const
  ).map(([version, kind, plural, given, defaults]) => ({
    ...cluster,
    apiVersion: `storage.k8s.io/${version}`,
    kind,
    plural,
    given,
    defaults,
    now: { apiVersion: 'storage.k8s.io/v1', as: defaults },
  })),
  ...['v1beta1', 'v1alpha1'].map((version) => ({
    apiVersion: `storage.k8s.io/${version}`,
    kind: 'CSIStorageCapacity',
    plural: 'csistoragecapacities',
    given: { storageClassName: 'fast' },
    now: { apiVersion: 'storage.k8s.io/v1', as: { storageClassName: 'fast' } },
  })),
];

const level = (version: string, member: string): LegacyKind => ({
  ...cluster,
  apiVersion: `flowcontrol.apiserver.k8s.io/${version}`,
  kind: 'PriorityLevelConfiguration',
  plural: 'prioritylevelconfigurations',
  given: { spec: { type: 'Limited', limited: { [member]: 7, limitResponse: { type: 'Reject' } } } },
  now: {
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    as: { spec: { limited: { nominalConcurrencyShares: 7 } } },
  },
});

const flowcontrol: readonly LegacyKind[] = [
  level('v1beta1', 'assuredConcurrencyShares'),
  level('v1beta2', 'assuredConcurrencyShares'),
  level('v1beta3', 'nominalConcurrencyShares'),
  ...['v1beta1', 'v1beta2', 'v1beta3'].map((version) => ({
    ...cluster,
    apiVersion: `flowcontrol.apiserver.k8s.io/${version}`,
    kind: 'FlowSchema',
    plural: 'flowschemas',
    given: { spec: { priorityLevelConfiguration: { name: 'global-default' } } },
    defaults: { spec: { matchingPrecedence: 1000 } },
    now: { apiVersion: 'flowcontrol.apiserver.k8s.io/v1', as: { spec: { matchingPrecedence: 1000 } } },
  })),
];

const scaled = { scaleTargetRef: { kind: 'Deployment', name: 'web', apiVersion: 'apps/v1' }, maxReplicas: 3 };
const cpuTarget = { type: 'Utilization', averageUtilization: 80 };

const autoscaling: readonly LegacyKind[] = [
  {
    apiVersion: 'autoscaling/v2beta1',
    kind: 'HorizontalPodAutoscaler',
    plural: 'horizontalpodautoscalers',
    given: { spec: scaled },
    defaults: {
      spec: { minReplicas: 1, metrics: [{ resource: { name: 'cpu', targetAverageUtilization: 80 } }] },
    },
    now: {
      apiVersion: 'autoscaling/v2',
      as: { spec: { metrics: [{ type: 'Resource', resource: { name: 'cpu', target: cpuTarget } }] } },
    },
  },
  {
    apiVersion: 'autoscaling/v2beta2',
    kind: 'HorizontalPodAutoscaler',
    plural: 'horizontalpodautoscalers',
    given: { spec: { ...scaled, behavior: { scaleDown: {} } } },
    defaults: { spec: { minReplicas: 1, behavior: { scaleDown: { selectPolicy: 'Max' } } } },
    now: { apiVersion: 'autoscaling/v2', as: { spec: { behavior: { scaleDown: { selectPolicy: 'Max' } } } } },
  },
];

const webhook = {
  name: 'a.example.com',
  clientConfig: { url: 'https://a.example/hook' },
  rules: [{ apiGroups: ['a.example'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['things'] }],
};
const webhookDefaults = {
  webhooks: [
    {
      failurePolicy: 'Ignore',
      matchPolicy: 'Exact',
      sideEffects: 'Unknown',
      timeoutSeconds: 30,
      admissionReviewVersions: ['v1beta1'],
    },
  ],
};

const servers: readonly LegacyKind[] = [
  ...['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'].map((kind) => ({
    ...cluster,
    apiVersion: 'admissionregistration.k8s.io/v1beta1',
    kind,
    plural: `${kind.toLowerCase()}s`,
    given: { webhooks: [webhook] },
    defaults: webhookDefaults,
    now: { apiVersion: 'admissionregistration.k8s.io/v1', as: webhookDefaults },
  })),
  {
    ...cluster,
    apiVersion: 'apiextensions.k8s.io/v1beta1',
    kind: 'CustomResourceDefinition',
    plural: 'customresourcedefinitions',
    name: 'things.a.example',
    given: {
      spec: {
        group: 'a.example',
        version: 'v1',
        names: { plural: 'things', kind: 'Thing' },
        subresources: { status: {} },
        additionalPrinterColumns: [{ name: 'X', type: 'string', JSONPath: '.spec.x' }],
        validation: { openAPIV3Schema: { properties: { spec: {} } } },
      },
    },
    defaults: { spec: { preserveUnknownFields: true, scope: 'Namespaced', versions: [{ name: 'v1' }] } },
    now: {
      apiVersion: 'apiextensions.k8s.io/v1',
      as: {
        spec: {
          versions: [
            {
              name: 'v1',
              subresources: { status: {} },
              additionalPrinterColumns: [{ jsonPath: '.spec.x' }],
              schema: { openAPIV3Schema: { properties: { spec: {} } } },
            },
          ],
        },
      },
    },
  },
  {
    ...cluster,
    apiVersion: 'apiregistration.k8s.io/v1beta1',
    kind: 'APIService',
    plural: 'apiservices',
    name: 'v1.b.example',
    given: {
      spec: {
        group: 'b.example',
        version: 'v1',
        groupPriorityMinimum: 100,
        versionPriority: 10,
        insecureSkipTLSVerify: true,
        service: { name: 's', namespace: 'default' },
      },
    },
    defaults: { spec: { service: { port: 443 } } },
    now: { apiVersion: 'apiregistration.k8s.io/v1', as: { spec: { service: { port: 443 } } } },
  },
];

const others: readonly LegacyKind[] = [
  {
    apiVersion: 'policy/v1beta1',
    kind: 'PodDisruptionBudget',
    plural: 'poddisruptionbudgets',
    given: { spec: { minAvailable: 1, selector: {} } },
    now: {
      apiVersion: 'policy/v1',
      as: {
        spec: {
          selector: {
            matchExpressions: [
              { key: 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match', operator: 'Exists' },
            ],
          },
        },
      },
    },
  },
  {
    apiVersion: 'coordination.k8s.io/v1beta1',
    kind: 'Lease',
    plural: 'leases',
    given: { spec: { holderIdentity: 'me' } },
    now: { apiVersion: 'coordination.k8s.io/v1', as: { spec: { holderIdentity: 'me' } } },
  },
  {
    apiVersion: 'events.k8s.io/v1beta1',
    kind: 'Event',
    plural: 'events',
    given: {
      regarding: { kind: 'Pod', namespace: 'default', name: 'web' },
      note: 'hello',
      eventTime: null,
      deprecatedCount: 2,
    },
    now: { apiVersion: 'v1', as: { involvedObject: { name: 'web' }, message: 'hello', count: 2 } },
  },
  {
    ...cluster,
    apiVersion: 'scheduling.k8s.io/v1beta1',
    kind: 'PriorityClass',
    plural: 'priorityclasses',
    given: { value: 5 },
    defaults: { preemptionPolicy: 'PreemptLowerPriority' },
    now: { apiVersion: 'scheduling.k8s.io/v1', as: { value: 5 } },
  },
  {
    ...cluster,
    apiVersion: 'node.k8s.io/v1beta1',
    kind: 'RuntimeClass',
    plural: 'runtimeclasses',
    given: { handler: 'runc' },
    now: { apiVersion: 'node.k8s.io/v1', as: { handler: 'runc' } },
  },
  {
    ...cluster,
    apiVersion: 'node.k8s.io/v1alpha1',
    kind: 'RuntimeClass',
    plural: 'runtimeclasses',
    given: { spec: { runtimeHandler: 'runc', scheduling: { nodeSelector: { a: 'b' } } } },
    now: { apiVersion: 'node.k8s.io/v1', as: { handler: 'runc', scheduling: { nodeSelector: { a: 'b' } } } },
  },
];

const psp = {
  ...cluster,
  kind: 'PodSecurityPolicy',
  plural: 'podsecuritypolicies',
  given: {
    spec: {
      seLinux: { rule: 'RunAsAny' },
      runAsUser: { rule: 'MustRunAsNonRoot' },
      supplementalGroups: { rule: 'RunAsAny' },
      fsGroup: { rule: 'MustRunAs', ranges: [{ min: 1, max: 10 }] },
    },
  },
  defaults: { spec: { allowPrivilegeEscalation: true } },
};

/** Stored in their own version, since upstream has no replacement. */
const gone: readonly LegacyKind[] = [
  { ...psp, apiVersion: 'policy/v1beta1' },
  { ...psp, apiVersion: 'extensions/v1beta1' },
  {
    apiVersion: 'settings.k8s.io/v1alpha1',
    kind: 'PodPreset',
    plural: 'podpresets',
    given: { spec: { selector, env: [{ name: 'A', value: 'b' }] } },
  },
  {
    ...cluster,
    apiVersion: 'auditregistration.k8s.io/v1alpha1',
    kind: 'AuditSink',
    plural: 'auditsinks',
    given: {
      spec: {
        policy: { level: 'Metadata', stages: ['ResponseComplete'] },
        webhook: { clientConfig: { url: 'https://a.example' } },
      },
    },
    defaults: { spec: { webhook: { throttle: { qps: 10, burst: 15 } } } },
  },
];

export const legacyKinds: readonly LegacyKind[] = [
  ...workloads,
  ...network,
  ...rbac,
  ...storage,
  ...flowcontrol,
  ...autoscaling,
  ...servers,
  ...others,
  ...gone,
];
