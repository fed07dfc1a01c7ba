import type { JsonObject, Scenario, Step } from '../scenario.ts';
import {
  create,
  item,
  patch,
  pod,
  podReady,
  remove,
  scale,
  scenario,
  selector,
  template,
  view,
  wait,
} from './building.ts';

const quota = (hard: JsonObject, more: JsonObject = {}): Step =>
  create('ResourceQuota', 'q', { spec: { hard, ...more } });
const seen = (name: string) => view(name, 'ResourceQuota');
const limited = (name: string, resources: JsonObject, spec: JsonObject = {}) =>
  pod(name, { spec: { containers: [{ name: 'c', image: 'i', resources }], ...spec } });
const requests = { requests: { cpu: '300m', memory: '100Mi' }, limits: { cpu: '1', memory: '200Mi' } };
const claim = (name: string, storage: string, className?: string): Step =>
  create('PersistentVolumeClaim', name, {
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: className,
      resources: { requests: { storage } },
    },
  });
const service = (name: string, spec: JsonObject): Step =>
  create('Service', name, { spec: { ports: [{ port: 80 }], ...spec } });
const priority = (operator: string, values?: string[]) => ({
  scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator, values }] },
});

export const quotaScenarios: readonly Scenario[] = [
  scenario(
    'limits-and-requests',
    quota({
      'requests.cpu': '1',
      'limits.cpu': '2',
      'requests.memory': '1Gi',
      'limits.memory': '1Gi',
      cpu: '1',
      memory: '1Gi',
    }),
    wait(800),
    limited('a', requests),
    limited('b', requests),
    limited('c', requests),
    limited('d', {}),
    seen('after'),
    remove('Pod', 'a'),
    seen('one gone'),
  ),
  scenario(
    'counts-of-many-kinds',
    quota({
      pods: '4',
      services: '2',
      secrets: '3',
      configmaps: '3',
      persistentvolumeclaims: '1',
      replicationcontrollers: '1',
      resourcequotas: '1',
      'services.nodeports': '1',
      'services.loadbalancers': '1',
    }),
    wait(800),
    service('a', { type: 'NodePort' }),
    service('b', { type: 'LoadBalancer' }),
    service('c', {}),
    create('Secret', 's'),
    claim('p', '1Gi'),
    create('ReplicationController', 'r', {
      spec: { replicas: 0, selector: { a: 'b' }, template: template({ labels: { a: 'b' } }) },
    }),
    seen('after'),
  ),
  scenario(
    'count-of-groups',
    quota({
      'count/deployments.apps': '1',
      'count/replicasets.apps': '2',
      'count/jobs.batch': '0',
      'count/leases.coordination.k8s.io': '1',
    }),
    wait(800),
    create('Deployment', 'd', { spec: { replicas: 0, selector, template: template() } }),
    create('Deployment', 'e', { spec: { replicas: 0, selector, template: template() } }),
    create('Job', 'j', {
      spec: {
        template: template({ spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } }),
      },
    }),
    create('Lease', 'l', { spec: {} }),
    seen('after'),
  ),
  scenario(
    'storage-classes',
    quota({
      'requests.storage': '10Gi',
      'gold.storageclass.storage.k8s.io/requests.storage': '3Gi',
      'gold.storageclass.storage.k8s.io/persistentvolumeclaims': '2',
    }),
    wait(800),
    claim('a', '2Gi', 'gold'),
    claim('b', '2Gi', 'gold'),
    claim('c', '5Gi', 'silver'),
    claim('d', '9Gi', 'silver'),
    seen('after'),
    remove('PersistentVolumeClaim', 'a'),
    seen('freed'),
  ),
  scenario(
    'scope-best-effort',
    quota({ pods: '1' }, { scopes: ['BestEffort'] }),
    wait(800),
    limited('a', {}),
    limited('b', {}),
    limited('c', requests),
    seen('after'),
  ),
  scenario(
    'scope-not-terminating',
    quota({ pods: '1', 'requests.cpu': '1' }, { scopes: ['NotTerminating'] }),
    wait(800),
    limited('a', requests, { activeDeadlineSeconds: 600 }),
    limited('b', requests),
    limited('c', requests),
    seen('after'),
  ),
  scenario(
    'scope-not-best-effort',
    quota({ pods: '1', 'limits.memory': '1Gi' }, { scopes: ['NotBestEffort'] }),
    wait(800),
    limited('a', {}),
    limited('b', requests),
    limited('c', { requests: { cpu: '1' } }),
    seen('after'),
  ),
  scenario(
    'scope-priority-in',
    quota({ pods: '0' }, priority('In', ['system-cluster-critical'])),
    wait(800),
    limited('a', {}),
    limited('b', {}, { priorityClassName: 'system-cluster-critical' }),
    seen('after'),
  ),
  scenario(
    'scope-priority-exists',
    quota({ pods: '1' }, priority('Exists')),
    wait(800),
    limited('a', {}),
    limited('b', {}, { priorityClassName: 'system-node-critical' }),
    limited('c', {}, { priorityClassName: 'system-node-critical' }),
    seen('after'),
  ),
  scenario(
    'scope-cross-namespace-affinity',
    quota({ pods: '0' }, { scopes: ['CrossNamespacePodAffinity'] }),
    wait(800),
    limited(
      'a',
      {},
      {
        affinity: {
          podAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              { weight: 1, podAffinityTerm: { topologyKey: 'x', namespaces: ['other'], labelSelector: {} } },
            ],
          },
        },
      },
    ),
    limited('b', {}),
    seen('after'),
  ),
  scenario(
    'several-quotas',
    quota({ pods: '3' }),
    create('ResourceQuota', 'r', { spec: { hard: { pods: '1' } } }),
    wait(800),
    pod('a'),
    pod('b'),
    seen('after'),
  ),
  scenario(
    'lowered-below-use',
    pod('a'),
    pod('b'),
    quota({ pods: '2' }),
    seen('before'),
    patch('ResourceQuota', 'q', { spec: { hard: { pods: '1' } } }),
    seen('lowered'),
    pod('c'),
  ),
  scenario(
    'hard-changed',
    pod('a'),
    create('ConfigMap', 'm'),
    quota({ pods: '2' }),
    seen('before'),
    patch('ResourceQuota', 'q', { spec: { hard: { pods: null, configmaps: '4' } } }),
    seen('after'),
  ),
  scenario(
    'init-and-sidecar',
    quota({ 'requests.cpu': '4', 'limits.cpu': '9' }),
    wait(800),
    pod('a', {
      spec: {
        initContainers: [
          { name: 'i', image: 'i', resources: { requests: { cpu: '2' }, limits: { cpu: '3' } } },
          {
            name: 's',
            image: 'i',
            restartPolicy: 'Always',
            resources: { requests: { cpu: '500m' }, limits: { cpu: '1' } },
          },
        ],
        containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '1' }, limits: { cpu: '1' } } }],
      },
    }),
    seen('after'),
  ),
  scenario(
    'pod-level-resources',
    quota({ 'requests.cpu': '4', 'limits.memory': '2Gi' }),
    wait(800),
    pod('a', {
      spec: {
        resources: { requests: { cpu: '2' }, limits: { memory: '1Gi' } },
        containers: [{ name: 'c', image: 'i' }],
      },
    }),
    seen('after'),
  ),
  scenario(
    'ephemeral-storage-and-hugepages',
    quota({
      'requests.ephemeral-storage': '2Gi',
      'limits.ephemeral-storage': '4Gi',
      'requests.hugepages-2Mi': '4Mi',
    }),
    wait(800),
    limited('a', {
      requests: { 'ephemeral-storage': '1Gi', 'hugepages-2Mi': '2Mi', memory: '1Mi' },
      limits: { 'ephemeral-storage': '2Gi', 'hugepages-2Mi': '2Mi' },
    }),
    seen('after'),
  ),
  scenario(
    'finished-and-failed',
    quota({ pods: '3', 'requests.cpu': '3', 'count/pods': '5' }),
    wait(800),
    limited('a', requests),
    limited('b', requests),
    podReady('a'),
    podReady('b'),
    { pods: { selector: 'name=a', do: 'succeed' } },
    { pods: { selector: 'name=b', do: 'fail:1' } },
    seen('after'),
  ),
  scenario(
    'scaled-service-changed',
    quota({ 'services.nodeports': '3', 'services.loadbalancers': '1' }),
    wait(800),
    service('a', { type: 'ClusterIP' }),
    patch('Service', 'a', { spec: { type: 'NodePort' } }),
    seen('node port'),
    patch('Service', 'a', { spec: { type: 'LoadBalancer' } }),
    seen('load balancer'),
    patch('Service', 'a', { spec: { type: 'ClusterIP' } }),
    seen('back'),
  ),
  scenario(
    'deployment-fills-up',
    quota({ pods: '2', 'count/replicasets.apps': '1' }),
    wait(800),
    create('Deployment', 'd', { spec: { replicas: 2, selector, template: template() } }),
    seen('before'),
    patch('Deployment', 'd', {
      spec: { template: { spec: { containers: [{ name: 'c', image: 'img:2' }] } } },
    }),
    view('after', 'ResourceQuota', 'Deployment'),
    scale('Deployment', 'd', 0),
    seen('down'),
  ),
  scenario(
    'volume-attributes-class',
    quota(
      { persistentvolumeclaims: '1' },
      {
        scopeSelector: {
          matchExpressions: [{ scopeName: 'VolumeAttributesClass', operator: 'In', values: ['gold'] }],
        },
      },
    ),
    wait(800),
    claim('a', '1Gi'),
    create('PersistentVolumeClaim', 'b', {
      spec: {
        accessModes: ['ReadWriteOnce'],
        volumeAttributesClassName: 'gold',
        resources: { requests: { storage: '1Gi' } },
      },
    }),
    seen('after'),
  ),
  scenario(
    'quota-deleted',
    quota({ pods: '0' }),
    wait(800),
    pod('a'),
    remove('ResourceQuota', 'q'),
    pod('b'),
    seen('after'),
  ),
  scenario(
    'resize',
    quota({ 'requests.cpu': '1' }),
    wait(800),
    limited('a', { requests: { cpu: '500m' } }),
    podReady('a'),
    {
      req: `PATCH ${item('Pod', 'a')}/resize`,
      type: 'application/strategic-merge-patch+json',
      body: { spec: { containers: [{ name: 'c', resources: { requests: { cpu: '900m' } } }] } },
    },
    seen('resized'),
    {
      req: `PATCH ${item('Pod', 'a')}/resize`,
      type: 'application/strategic-merge-patch+json',
      body: { spec: { containers: [{ name: 'c', resources: { requests: { cpu: '1900m' } } }] } },
    },
    seen('refused'),
  ),
  scenario(
    'claim-devices',
    quota({
      'gpu-$id.deviceclass.resource.k8s.io/devices': '2',
      'count/resourceclaims.resource.k8s.io': '2',
    }),
    wait(800),
    create('ResourceClaim', 'a', {
      spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu-$id', count: 2 } }] } },
    }),
    create('ResourceClaim', 'b', {
      spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu-$id', count: 1 } }] } },
    }),
    seen('after'),
  ),
];
