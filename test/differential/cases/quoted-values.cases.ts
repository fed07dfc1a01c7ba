/** Values that errors quote: upstream prints text quoted and its types of text as JSON. */
import { ask, type DifferentialCase } from './case.ts';

const core = '/api/v1/namespaces/$ns';
const container = { name: 'c', image: 'i' };
const labels = { a: 'b' };
const values = ['<&>', '>', 'a\u0001', 'é\u2028', '"\\'];

type Body = Readonly<Record<string, unknown>>;

const pod = (spec: (value: string) => Body) => ({
  path: `${core}/pods`,
  make: (value: string): Body => ({
    apiVersion: 'v1',
    kind: 'Pod',
    spec: { containers: [container], ...spec(value) },
  }),
});
const inContainer = (fields: (value: string) => Body) =>
  pod((value) => ({ containers: [{ ...container, ...fields(value) }] }));
const nodeTerm = (expression: Body) => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [expression] }],
      },
    },
  },
});
const service = (spec: (value: string) => Body) => ({
  path: `${core}/services`,
  make: (value: string): Body => ({
    apiVersion: 'v1',
    kind: 'Service',
    spec: { selector: labels, ports: [{ port: 80 }], ...spec(value) },
  }),
});

const places: Readonly<Record<string, { path: string; make: (value: string) => Body }>> = {
  'restart-policy': pod((value) => ({ restartPolicy: value })),
  'dns-policy': pod((value) => ({ dnsPolicy: value })),
  'operating-system': pod((value) => ({ os: { name: value } })),
  'node-name': pod((value) => ({ nodeName: value })),
  'toleration-operator': pod((value) => ({ tolerations: [{ key: 'k', operator: value }] })),
  'toleration-effect': pod((value) => ({ tolerations: [{ key: 'k', operator: 'Exists', effect: value }] })),
  'toleration-value': pod((value) => ({ tolerations: [{ key: 'k', value }] })),
  'node-operator': pod((value) => nodeTerm({ key: 'k', operator: value })),
  'node-key': pod((value) => nodeTerm({ key: value, operator: 'Exists' })),
  'node-value': pod((value) => nodeTerm({ key: 'k', operator: 'In', values: [value] })),
  'image-pull-policy': inContainer((value) => ({ imagePullPolicy: value })),
  'port-protocol': inContainer((value) => ({ ports: [{ containerPort: 1, protocol: value }] })),
  'resource-name': inContainer((value) => ({ resources: { requests: { [value]: '1' } } })),
  'resize-policy': inContainer((value) => ({
    resizePolicy: [{ resourceName: 'cpu', restartPolicy: value }],
  })),
  capability: inContainer((value) => ({ securityContext: { capabilities: { add: [value] } } })),
  'environment-name': inContainer((value) => ({ env: [{ name: `=${value}`, value: 'a' }] })),
  'service-type': service((value) => ({ type: value })),
  'session-affinity': service((value) => ({ sessionAffinity: value })),
  'traffic-policy': service((value) => ({ externalTrafficPolicy: value, type: 'NodePort' })),
  'selector-operator': {
    path: '/apis/apps/v1/namespaces/$ns/deployments',
    make: (value) => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      spec: {
        selector: { matchLabels: labels, matchExpressions: [{ key: 'a', operator: value }] },
        template: { metadata: { labels }, spec: { containers: [container] } },
      },
    }),
  },
  'strategy-type': {
    path: '/apis/apps/v1/namespaces/$ns/deployments',
    make: (value) => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      spec: {
        strategy: { type: value },
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [container] } },
      },
    }),
  },
  'quota-scope': {
    path: `${core}/resourcequotas`,
    make: (value) => ({
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      spec: { scopeSelector: { matchExpressions: [{ scopeName: value, operator: 'Exists' }] } },
    }),
  },
  'quota-scopes': {
    path: `${core}/resourcequotas`,
    make: (value) => ({ apiVersion: 'v1', kind: 'ResourceQuota', spec: { scopes: [value] } }),
  },
  'access-mode': {
    path: `${core}/persistentvolumeclaims`,
    make: (value) => ({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      spec: { accessModes: [value], resources: { requests: { storage: '1' } } },
    }),
  },
  'policy-type': {
    path: '/apis/networking.k8s.io/v1/namespaces/$ns/networkpolicies',
    make: (value) => ({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      spec: { podSelector: {}, policyTypes: [value] },
    }),
  },
  'concurrency-policy': {
    path: '/apis/batch/v1/namespaces/$ns/cronjobs',
    make: (value) => ({
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      spec: {
        schedule: value,
        concurrencyPolicy: value,
        jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } } },
      },
    }),
  },
  'time-zone': {
    path: '/apis/batch/v1/namespaces/$ns/cronjobs',
    make: (value) => ({
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      spec: {
        schedule: '@daily',
        timeZone: value,
        jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } } },
      },
    }),
  },
  'condition-type': {
    path: '/apis/batch/v1/namespaces/$ns/jobs',
    make: (value) => ({
      apiVersion: 'batch/v1',
      kind: 'Job',
      spec: {
        template: { spec: { restartPolicy: 'Never', containers: [container] } },
        podFailurePolicy: {
          rules: [{ action: 'Ignore', onPodConditions: [{ type: value, status: 'True' }] }],
        },
      },
    }),
  },
  'taint-effect': {
    path: '/api/v1/nodes',
    make: (value) => ({ apiVersion: 'v1', kind: 'Node', spec: { taints: [{ key: 'k', effect: value }] } }),
  },
  'lease-strategy': {
    path: '/apis/coordination.k8s.io/v1/namespaces/$ns/leases',
    make: (value) => ({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', spec: { strategy: value } }),
  },
  'measured-resource': {
    path: '/apis/autoscaling/v2/namespaces/$ns/horizontalpodautoscalers',
    make: (value) => ({
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      spec: {
        maxReplicas: 2,
        scaleTargetRef: { kind: 'Deployment', name: 'a' },
        metrics: [
          {
            type: 'ContainerResource',
            containerResource: {
              name: value,
              container: 'c',
              target: { type: 'Utilization', averageUtilization: 5 },
            },
          },
        ],
      },
    }),
  },
  'disruption-budget': {
    path: '/apis/policy/v1/namespaces/$ns/poddisruptionbudgets',
    make: (value) => ({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      spec: { minAvailable: value, selector: { matchLabels: labels } },
    }),
  },
  'rolling-update': {
    path: '/apis/apps/v1/namespaces/$ns/deployments',
    make: (value) => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      spec: {
        strategy: { rollingUpdate: { maxSurge: value, maxUnavailable: value } },
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [container] } },
      },
    }),
  },
  overhead: {
    path: '/apis/node.k8s.io/v1/runtimeclasses',
    make: (value) => ({
      apiVersion: 'node.k8s.io/v1',
      kind: 'RuntimeClass',
      handler: 'h',
      overhead: { podFixed: { [value]: '1' } },
    }),
  },
  label: {
    path: `${core}/configmaps`,
    make: (value) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { labels: { a: value } } }),
  },
};

export const cases: readonly DifferentialCase[] = Object.entries(places).map(([name, { path, make }]) => ({
  name,
  steps: values.map((value) => {
    const body = make(value);
    const metadata = { name: 'a', ...(body['metadata'] as object | undefined) };
    return ask(`POST ${path}?dryRun=All`, { ...body, metadata }, { ignore: ['metadata.managedFields'] });
  }),
}));
