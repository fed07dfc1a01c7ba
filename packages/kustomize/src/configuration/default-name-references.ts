/** The fields of built-in kinds that hold the name of another object, by the kind of that object. */
import { inPodSpecs } from './pod-spec-paths.ts';
import type { NameReference } from './name-reference.ts';

const templatedKinds = ['PodTemplate', 'Deployment', 'ReplicaSet', 'DaemonSet', 'StatefulSet', 'Job'];
const allKinds = ['Pod', 'StatefulSet', 'Deployment', 'ReplicationController', 'CronJob', 'Job', 'DaemonSet'];

const configMapPaths = [
  'volumes/configMap/name',
  'containers/env/valueFrom/configMapKeyRef/name',
  'initContainers/env/valueFrom/configMapKeyRef/name',
  'containers/envFrom/configMapRef/name',
  'initContainers/envFrom/configMapRef/name',
  'volumes/projected/sources/configMap/name',
];
const secretPaths = [
  'volumes/secret/secretName',
  'containers/env/valueFrom/secretKeyRef/name',
  'initContainers/env/valueFrom/secretKeyRef/name',
  'containers/envFrom/secretRef/name',
  'initContainers/envFrom/secretRef/name',
  'imagePullSecrets/name',
  'volumes/projected/sources/secret/name',
];

/** Upstream's order of the paths in CronJobs. */
const projectedSecond = ([first, ...paths]: readonly string[]): readonly string[] => [
  first!,
  paths.at(-1)!,
  ...paths.slice(0, -1),
];

export const nameReferenceSpecs: readonly NameReference[] = [
  ...['Deployment', 'ReplicationController', 'ReplicaSet', 'StatefulSet'].map((kind) => ({
    kind,
    fieldSpecs: [{ path: 'spec/scaleTargetRef/name', kind: 'HorizontalPodAutoscaler' }],
  })),
  {
    version: 'v1',
    kind: 'ConfigMap',
    fieldSpecs: [
      ...inPodSpecs(['Pod'], configMapPaths).map((spec) => ({ ...spec, version: 'v1' })),
      ...inPodSpecs(templatedKinds, configMapPaths),
      ...inPodSpecs(['CronJob'], projectedSecond(configMapPaths)),
      { path: 'spec/configSource/configMap', kind: 'Node' },
      { path: 'rules/resourceNames', kind: 'Role' },
      { path: 'rules/resourceNames', kind: 'ClusterRole' },
      {
        path: 'metadata/annotations/nginx.ingress.kubernetes.io\\/fastcgi-params-configmap',
        kind: 'Ingress',
      },
    ],
  },
  {
    version: 'v1',
    kind: 'Secret',
    fieldSpecs: [
      ...inPodSpecs(['Pod'], secretPaths).map((spec) => ({ ...spec, version: 'v1' })),
      ...inPodSpecs(templatedKinds, secretPaths),
      ...inPodSpecs(['CronJob'], projectedSecond(secretPaths)),
      { path: 'spec/tls/secretName', kind: 'Ingress' },
      { path: 'metadata/annotations/ingress.kubernetes.io\\/auth-secret', kind: 'Ingress' },
      { path: 'metadata/annotations/nginx.ingress.kubernetes.io\\/auth-secret', kind: 'Ingress' },
      { path: 'metadata/annotations/nginx.ingress.kubernetes.io\\/auth-tls-secret', kind: 'Ingress' },
      { path: 'spec/tls/secretName', kind: 'Ingress' },
      { path: 'imagePullSecrets/name', kind: 'ServiceAccount' },
      { path: 'parameters/secretName', kind: 'StorageClass' },
      { path: 'parameters/adminSecretName', kind: 'StorageClass' },
      { path: 'parameters/userSecretName', kind: 'StorageClass' },
      { path: 'parameters/secretRef', kind: 'StorageClass' },
      { path: 'rules/resourceNames', kind: 'Role' },
      { path: 'rules/resourceNames', kind: 'ClusterRole' },
      {
        path: 'spec/template/spec/containers/env/valueFrom/secretKeyRef/name',
        group: 'serving.knative.dev',
        version: 'v1',
        kind: 'Service',
      },
      { path: 'spec/azureFile/secretName', kind: 'PersistentVolume' },
    ],
  },
  {
    version: 'v1',
    kind: 'Service',
    fieldSpecs: [
      { path: 'spec/serviceName', group: 'apps', kind: 'StatefulSet' },
      { path: 'spec/rules/http/paths/backend/serviceName', kind: 'Ingress' },
      { path: 'spec/backend/serviceName', kind: 'Ingress' },
      { path: 'spec/rules/http/paths/backend/service/name', kind: 'Ingress' },
      { path: 'spec/defaultBackend/service/name', kind: 'Ingress' },
      { path: 'spec/service/name', group: 'apiregistration.k8s.io', kind: 'APIService' },
      {
        path: 'webhooks/clientConfig/service',
        group: 'admissionregistration.k8s.io',
        kind: 'ValidatingWebhookConfiguration',
      },
      {
        path: 'webhooks/clientConfig/service',
        group: 'admissionregistration.k8s.io',
        kind: 'MutatingWebhookConfiguration',
      },
    ],
  },
  {
    group: 'rbac.authorization.k8s.io',
    kind: 'Role',
    fieldSpecs: [{ path: 'roleRef/name', group: 'rbac.authorization.k8s.io', kind: 'RoleBinding' }],
  },
  {
    group: 'rbac.authorization.k8s.io',
    kind: 'ClusterRole',
    fieldSpecs: [
      { path: 'roleRef/name', group: 'rbac.authorization.k8s.io', kind: 'RoleBinding' },
      { path: 'roleRef/name', group: 'rbac.authorization.k8s.io', kind: 'ClusterRoleBinding' },
    ],
  },
  {
    version: 'v1',
    kind: 'ServiceAccount',
    fieldSpecs: [
      { path: 'subjects', group: 'rbac.authorization.k8s.io', kind: 'RoleBinding' },
      { path: 'subjects', group: 'rbac.authorization.k8s.io', kind: 'ClusterRoleBinding' },
      ...inPodSpecs(allKinds, ['serviceAccountName']),
    ],
  },
  {
    version: 'v1',
    kind: 'PersistentVolumeClaim',
    fieldSpecs: [...inPodSpecs(allKinds, ['volumes/persistentVolumeClaim/claimName'])],
  },
  {
    version: 'v1',
    kind: 'PersistentVolume',
    fieldSpecs: [
      { path: 'spec/volumeName', kind: 'PersistentVolumeClaim' },
      { path: 'rules/resourceNames', kind: 'ClusterRole' },
    ],
  },
  {
    group: 'storage.k8s.io',
    version: 'v1',
    kind: 'StorageClass',
    fieldSpecs: [
      { path: 'spec/storageClassName', kind: 'PersistentVolume' },
      { path: 'spec/storageClassName', kind: 'PersistentVolumeClaim' },
      { path: 'spec/volumeClaimTemplates/spec/storageClassName', kind: 'StatefulSet' },
    ],
  },
  {
    group: 'scheduling.k8s.io',
    version: 'v1',
    kind: 'PriorityClass',
    fieldSpecs: [...inPodSpecs(allKinds, ['priorityClassName'])],
  },
  {
    group: 'networking.k8s.io/v1',
    version: 'v1',
    kind: 'IngressClass',
    fieldSpecs: [{ path: 'spec/ingressClassName', kind: 'Ingress' }],
  },
  {
    group: 'admissionregistration.k8s.io',
    kind: 'ValidatingAdmissionPolicy',
    fieldSpecs: [
      {
        path: 'spec/policyName',
        group: 'admissionregistration.k8s.io',
        kind: 'ValidatingAdmissionPolicyBinding',
      },
    ],
  },
];
