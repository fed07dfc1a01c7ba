/**
 * What the type language costs per object: `node scripts/node26.mjs bench/schema.ts`. Absolute figures depend on the
 * machine and on what else it does; the best of several rounds is shown.
 */

import { Pod } from '@coxswain/api/core/v1/pod.ts';
import { Deployment } from '@coxswain/api/apps/v1/deployment.ts';
import { ConfigMap } from '@coxswain/api/core/v1/config-map.ts';
import {
  applyDefaults,
  applyStrategicMergePatch,
  compileCustomType,
  decode,
  decodeEnvelope,
  decodeProtobuf,
  decodeValue,
  encode,
  encodeProtobuf,
  excludeFields,
  FieldManager,
  parseJson,
  setOf,
  type StructType,
} from '@coxswain/schema';

const now = '2026-01-02T03:04:05Z';

/** Microseconds per call, the best of several rounds. */
function microsecondsOf(run: () => unknown): number {
  const [warmUps, rounds, calls] = [2_000, 7, 1_000];
  for (let call = 0; call < warmUps; call++) run();
  let bestMs = Infinity;
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    for (let call = 0; call < calls; call++) run();
    bestMs = Math.min(bestMs, performance.now() - start);
  }
  return (bestMs / calls) * 1_000;
}

function report(name: string, run: () => unknown): void {
  console.log(`  ${name.padEnd(44)} ${microsecondsOf(run).toFixed(1).padStart(8)} µs`);
}

interface Case {
  readonly name: string;
  readonly type: StructType;
  readonly apiVersion: string;
  readonly sample: object;
  /** What a client may apply, patch and change. */
  readonly config: object;
  readonly patch: object;
  readonly hasProtobuf: boolean;
}

function measure({ name, type, apiVersion, sample, config, patch, hasProtobuf }: Case): void {
  const object = decodeValue(type, sample).object as { kind?: string; metadata: Record<string, unknown> };
  applyDefaults(type, object);
  object.metadata = {
    ...object.metadata,
    uid: 'b1b1b1b1-aaaa-bbbb-cccc-000000000001',
    creationTimestamp: now,
  };
  const text = encode(type, object);
  const bytes = new TextEncoder().encode(text);
  const unordered = JSON.stringify(JSON.parse(text), (_name, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
  console.log(
    `\n${name}: ${text.length} bytes of JSON${hasProtobuf ? `, ${encodeProtobuf(type, object).length} of protobuf` : ''}`,
  );
  report('JSON.parse', () => JSON.parse(text));
  report('JSON.stringify', () => JSON.stringify(object));
  report('parse and prove that nothing was lost', () => parseJson(bytes));
  report('decode, all in all', () => decode(type, bytes));
  report('decode, members sorted by name', () => decode(type, unordered));
  report('decode with an unknown member (exact)', () => decode(type, `{"?":1,${text.slice(1)}`));
  report('decode plain values', () => decodeValue(type, object));
  report('default', () => applyDefaults(type, object));
  report('encode', () => encode(type, object));
  measureWrites({ type, apiVersion, config, patch }, object, text);
  if (!hasProtobuf) return;
  const message = encodeProtobuf(type, object);
  report('protobuf encode', () => encodeProtobuf(type, object));
  report('protobuf decode', () => decodeProtobuf(type, decodeEnvelope(message)));
}

function measureWrites(
  { type, apiVersion, config, patch }: Pick<Case, 'type' | 'apiVersion' | 'config' | 'patch'>,
  object: { metadata: Record<string, unknown> },
  text: string,
): void {
  const fields = new FieldManager({
    type,
    apiVersion,
    resetFields: { [apiVersion]: excludeFields(setOf(['status'])) },
  });
  report('managed fields of a create', () =>
    fields.update({ live: undefined, next: object, manager: 'm', now }),
  );
  const managedFields = fields.update({ live: undefined, next: object, manager: 'm', now });
  const live = { ...object, metadata: { ...object.metadata, managedFields } };
  const next = decode(type, text).object as { metadata: Record<string, unknown> };
  next.metadata = { ...next.metadata, labels: { changed: 'yes' }, managedFields };
  report('managed fields of an update', () => fields.update({ live, next, manager: 'other', now }));
  if (!type.isCustom) report('strategic merge patch', () => applyStrategicMergePatch(type, live, patch));
  const first = fields.apply({ live, config, manager: 'one', force: true, now });
  const applied = decodeValue(type, first.object).object as { metadata: Record<string, unknown> };
  applied.metadata = { ...applied.metadata, managedFields: first.managedFields };
  report('apply, nothing new', () =>
    fields.apply({ live: applied, config, manager: 'one', force: true, now }),
  );
  report('apply, taking a field from another', () =>
    fields.apply({ live, config, manager: 'one', force: true, now }),
  );
}

const container = (name: string): object => ({
  name,
  image: 'registry.example/team/app:1.2.3',
  args: ['--config=/etc/app/config.yaml', '--v=2', '--port=8080'],
  ports: [
    { name: 'http', containerPort: 8080, protocol: 'TCP' },
    { name: 'metrics', containerPort: 9090, protocol: 'TCP' },
  ],
  env: [
    { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    { name: 'MODE', value: 'production' },
    { name: 'TOKEN', valueFrom: { secretKeyRef: { name: 's', key: 'token' } } },
  ],
  resources: { limits: { cpu: '500m', memory: '512Mi' }, requests: { cpu: '100m', memory: '128Mi' } },
  volumeMounts: [
    { name: 'config', readOnly: true, mountPath: '/etc/app' },
    { name: 'data', mountPath: '/data' },
  ],
  livenessProbe: { httpGet: { path: '/healthz', port: 8080 }, initialDelaySeconds: 5, periodSeconds: 10 },
  readinessProbe: { httpGet: { path: '/readyz', port: 'http' }, periodSeconds: 5 },
  securityContext: {
    capabilities: { drop: ['ALL'] },
    readOnlyRootFilesystem: true,
    allowPrivilegeEscalation: false,
  },
});

const labels = { app: 'web', tier: 'front', 'pod-template-hash': '7d9c5b8f6d' };
const podSpec = {
  volumes: [
    { name: 'config', configMap: { name: 'web-config' } },
    { name: 'data', emptyDir: {} },
  ],
  containers: [container('app'), container('sidecar')],
  nodeSelector: { 'kubernetes.io/os': 'linux' },
  serviceAccountName: 'default',
  tolerations: [
    { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
  ],
};
const conditions = ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
  type,
  status: 'True',
  lastProbeTime: null,
  lastTransitionTime: now,
}));
const smallTemplate = { spec: { containers: [{ name: 'app', image: 'registry.example/team/app:2' }] } };

const customType = compileCustomType(
  { group: 'example.com', version: 'v1', kind: 'Widget' },
  {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          size: { type: 'integer', default: 3 },
          parts: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['name'],
            items: {
              type: 'object',
              properties: { name: { type: 'string' }, count: { type: 'integer' }, note: { type: 'string' } },
            },
          },
        },
      },
    },
  },
);
const parts = Array.from({ length: 20 }, (_, index) => ({
  count: index,
  name: `part-${index}`,
  note: 'x'.repeat(40),
}));

console.log(`Node ${process.version}`);
measure({
  name: 'Pod',
  type: Pod.type,
  apiVersion: 'v1',
  sample: {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web-7d9c5b8f6d-abcde', namespace: 'default', labels },
    spec: podSpec,
    status: { phase: 'Running', conditions, podIP: '10.1.0.5', podIPs: [{ ip: '10.1.0.5' }] },
  },
  config: {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', labels: { tier: 'back' } },
    ...smallTemplate,
  },
  patch: { metadata: { labels: { x: 'y' } }, ...smallTemplate },
  hasProtobuf: true,
});
measure({
  name: 'Deployment',
  type: Deployment.type,
  apiVersion: 'apps/v1',
  sample: {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'default', labels },
    spec: {
      replicas: 3,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: podSpec },
    },
  },
  config: {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { replicas: 4, template: smallTemplate },
  },
  patch: { spec: { template: smallTemplate } },
  hasProtobuf: true,
});
measure({
  name: 'ConfigMap',
  type: ConfigMap.type,
  apiVersion: 'v1',
  sample: {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'c', namespace: 'default', labels },
    data: Object.fromEntries(parts.slice(0, 8).map(({ name }) => [name, 'v'.repeat(100)])),
  },
  config: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { 'part-1': 'new' } },
  patch: { data: { 'part-1': 'new' } },
  hasProtobuf: true,
});
measure({
  name: 'a custom resource',
  type: customType,
  apiVersion: 'example.com/v1',
  sample: {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'w', labels },
    spec: { size: 1, parts },
  },
  config: {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'w' },
    spec: { size: 4, parts: parts.slice(0, 3) },
  },
  patch: {},
  hasProtobuf: false,
});
