/** Short ways to write the steps of a scenario. */
import type { EventFilter, Json, JsonObject, Scenario, Step, View } from '../scenario.ts';

/** Where objects of a kind are asked for: group and version, resource, and whether they stand outside namespaces. */
const places: Readonly<Record<string, readonly [apiVersion: string, resource: string, clusterWide?: true]>> =
  {
    Pod: ['v1', 'pods'],
    Service: ['v1', 'services'],
    Endpoints: ['v1', 'endpoints'],
    ConfigMap: ['v1', 'configmaps'],
    Secret: ['v1', 'secrets'],
    ServiceAccount: ['v1', 'serviceaccounts'],
    ResourceQuota: ['v1', 'resourcequotas'],
    ReplicationController: ['v1', 'replicationcontrollers'],
    PersistentVolumeClaim: ['v1', 'persistentvolumeclaims'],
    PersistentVolume: ['v1', 'persistentvolumes', true],
    Namespace: ['v1', 'namespaces', true],
    Node: ['v1', 'nodes', true],
    Deployment: ['apps/v1', 'deployments'],
    ReplicaSet: ['apps/v1', 'replicasets'],
    StatefulSet: ['apps/v1', 'statefulsets'],
    DaemonSet: ['apps/v1', 'daemonsets'],
    ControllerRevision: ['apps/v1', 'controllerrevisions'],
    Job: ['batch/v1', 'jobs'],
    CronJob: ['batch/v1', 'cronjobs'],
    HorizontalPodAutoscaler: ['autoscaling/v2', 'horizontalpodautoscalers'],
    PodDisruptionBudget: ['policy/v1', 'poddisruptionbudgets'],
    EndpointSlice: ['discovery.k8s.io/v1', 'endpointslices'],
    NetworkPolicy: ['networking.k8s.io/v1', 'networkpolicies'],
    IPAddress: ['networking.k8s.io/v1', 'ipaddresses', true],
    ServiceCIDR: ['networking.k8s.io/v1', 'servicecidrs', true],
    PriorityClass: ['scheduling.k8s.io/v1', 'priorityclasses', true],
    StorageClass: ['storage.k8s.io/v1', 'storageclasses', true],
    VolumeAttachment: ['storage.k8s.io/v1', 'volumeattachments', true],
    CSINode: ['storage.k8s.io/v1', 'csinodes', true],
    CSIDriver: ['storage.k8s.io/v1', 'csidrivers', true],
    ClusterRole: ['rbac.authorization.k8s.io/v1', 'clusterroles', true],
    CertificateSigningRequest: ['certificates.k8s.io/v1', 'certificatesigningrequests', true],
    ResourceClaim: ['resource.k8s.io/v1', 'resourceclaims'],
    ResourceClaimTemplate: ['resource.k8s.io/v1', 'resourceclaimtemplates'],
    ResourceSlice: ['resource.k8s.io/v1', 'resourceslices', true],
    DeviceClass: ['resource.k8s.io/v1', 'deviceclasses', true],
    Lease: ['coordination.k8s.io/v1', 'leases'],
    LimitRange: ['v1', 'limitranges'],
    Role: ['rbac.authorization.k8s.io/v1', 'roles'],
    IngressClass: ['networking.k8s.io/v1', 'ingressclasses', true],
    APIService: ['apiregistration.k8s.io/v1', 'apiservices', true],
    CustomResourceDefinition: ['apiextensions.k8s.io/v1', 'customresourcedefinitions', true],
    ValidatingAdmissionPolicy: ['admissionregistration.k8s.io/v1', 'validatingadmissionpolicies', true],
    ValidatingAdmissionPolicyBinding: [
      'admissionregistration.k8s.io/v1',
      'validatingadmissionpolicybindings',
      true,
    ],
  };

export function collection(kind: string, namespace = '$ns'): string {
  const [apiVersion, resource, clusterWide] = places[kind]!;
  const root = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`;
  return clusterWide ? `${root}/${resource}` : `${root}/namespaces/${namespace}/${resource}`;
}

export const item = (kind: string, name: string, namespace?: string): string =>
  `${collection(kind, namespace)}/${name}`;

/** An object with metadata beside its name, and whatever else it has. */
export function object(kind: string, name: string, rest: JsonObject = {}): JsonObject {
  const { metadata, ...others } = rest;
  return { apiVersion: places[kind]![0], kind, metadata: { name, ...(metadata as JsonObject) }, ...others };
}

export const create = (
  kind: string,
  name: string,
  rest: JsonObject = {},
  more: Partial<Step> = {},
): Step => ({
  req: `POST ${collection(kind)}`,
  body: object(kind, name, rest),
  ...more,
});

export const patch = (kind: string, name: string, body: JsonObject, sub = ''): Step => ({
  req: `PATCH ${item(kind, name)}${sub}`,
  body,
});

export const scale = (kind: string, name: string, replicas: number): Step =>
  patch(kind, name, { spec: { replicas } }, '/scale');

export const remove = (kind: string, name: string, options: JsonObject = {}): Step => ({
  req: `DELETE ${item(kind, name)}`,
  body: { apiVersion: 'v1', kind: 'DeleteOptions', ...options },
});

/** How long nothing may change before a view counts, in milliseconds. */
const calmMs = 1300;
const patienceMs = 15_000;

/** What stands there once nothing changes any more. */
export const view = (name: string, ...kinds: (string | View)[]): Step => ({
  name,
  every: calmMs,
  stableMs: patienceMs,
  snapshot: kinds.map((kind) =>
    typeof kind === 'string' && !kind.startsWith('/') ? collection(kind) : kind,
  ),
});

export const events = (filter: true | EventFilter = true): Step => ({ name: 'events', events: filter });

export const wait = (ms: number): Step => ({ wait: ms });

export const until = (get: string, ...where: string[]): Step => ({ settle: { until: [{ get, where }] } });

export const untilGone = (get: string): Step => ({ settle: { until: [{ get, where: 'gone' }] } });

export const podReady = (name: string): Step => until(item('Pod', name), 'status.phase==Running');

export const scenario = (name: string, ...steps: Step[]): Scenario => ({ name, steps });

export const onNodes = (name: string, nodes: Scenario['nodes'], ...steps: Step[]): Scenario => ({
  name,
  nodes,
  steps,
});

/** One container that asks for what is given. */
export function container(requests?: Readonly<Record<string, string>>, rest: JsonObject = {}): JsonObject {
  return { name: 'c', image: 'img:1', ...(requests ? { resources: { requests } } : {}), ...rest };
}

export interface PodParts {
  readonly labels?: JsonObject;
  /** What its simulated kubelet does with it. */
  readonly run?: string;
  readonly requests?: Readonly<Record<string, string>>;
  readonly spec?: JsonObject;
  readonly metadata?: JsonObject;
}

export function template({ labels, run, requests, spec, metadata }: PodParts = {}): JsonObject {
  return {
    metadata: {
      labels: labels ?? { app: 'web' },
      ...(run ? { annotations: { 'sim/run': run } } : {}),
      ...metadata,
    },
    spec: { containers: [container(requests)], ...spec },
  };
}

export function pod(name: string, parts: PodParts = {}): Step {
  const { metadata, spec } = template({ labels: {}, ...parts });
  return create('Pod', name, { metadata, spec });
}

export const selector = { matchLabels: { app: 'web' } };

/** What the scheduler is asked about most often. */
export const placed: View = {
  get: collection('Pod'),
  pick: [
    'metadata.name',
    'metadata.labels',
    'spec.nodeName',
    'spec.priority',
    'spec.schedulingGates',
    'status.phase',
    'status.nominatedNodeName',
    'status.conditions',
    'status.resourceClaimStatuses',
  ],
};

export const asJson = (value: unknown): Json => value as Json;
