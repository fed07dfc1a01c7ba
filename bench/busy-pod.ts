/** A typical pod of 4 KB: two containers, probes, volumes, a status. */

const container = (name: string): object => ({
  name,
  image: 'registry.example/team/app:1.2.3',
  args: ['--config=/etc/app/config.yaml', '--v=2', '--port=8080'],
  ports: [
    { name: 'http', containerPort: 8080, protocol: 'TCP' },
    { name: 'metrics', containerPort: 9090, protocol: 'TCP' },
  ],
  env: [
    { name: 'POD_NAME', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } },
    { name: 'MODE', value: 'production' },
    { name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'app-token', key: 'token' } } },
  ],
  resources: { limits: { cpu: '500m', memory: '512Mi' }, requests: { cpu: '100m', memory: '128Mi' } },
  volumeMounts: [
    { name: 'config', readOnly: true, mountPath: '/etc/app' },
    { name: 'data', mountPath: '/data' },
  ],
  livenessProbe: { httpGet: { path: '/healthz', port: 8080 }, initialDelaySeconds: 5, periodSeconds: 10 },
  readinessProbe: { httpGet: { path: '/readyz', port: 'http' }, periodSeconds: 5 },
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
  imagePullPolicy: 'IfNotPresent',
  securityContext: {
    capabilities: { drop: ['ALL'] },
    readOnlyRootFilesystem: true,
    allowPrivilegeEscalation: false,
  },
});

const time = '2026-01-02T03:04:05Z';

const containerStatus = (name: string): object => ({
  name,
  state: { running: { startedAt: time } },
  lastState: {},
  ready: true,
  restartCount: 0,
  image: 'registry.example/team/app:1.2.3',
  imageID:
    'registry.example/team/app@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
  containerID: 'containerd://0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
  started: true,
});

export const busyPod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'web-7d9c5b8f6d-abcde',
    generateName: 'web-7d9c5b8f6d-',
    namespace: 'default',
    uid: 'b1b1b1b1-aaaa-4bbb-8ccc-000000000001',
    creationTimestamp: time,
    labels: { app: 'web', tier: 'front', 'pod-template-hash': '7d9c5b8f6d' },
    annotations: { 'example.com/checksum': '0123456789abcdef0123456789abcdef' },
    ownerReferences: [
      {
        apiVersion: 'apps/v1',
        kind: 'ReplicaSet',
        name: 'web-7d9c5b8f6d',
        uid: 'b1b1b1b1-aaaa-4bbb-8ccc-000000000002',
        controller: true,
        blockOwnerDeletion: true,
      },
    ],
  },
  spec: {
    volumes: [
      { name: 'config', configMap: { name: 'web-config', defaultMode: 420 } },
      { name: 'data', emptyDir: {} },
    ],
    containers: [container('app'), container('sidecar')],
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    nodeSelector: { 'kubernetes.io/os': 'linux' },
    serviceAccountName: 'default',
    serviceAccount: 'default',
    nodeName: 'node-1',
    securityContext: {},
    schedulerName: 'default-scheduler',
    tolerations: [
      {
        key: 'node.kubernetes.io/not-ready',
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: 300,
      },
      {
        key: 'node.kubernetes.io/unreachable',
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: 300,
      },
    ],
    priority: 0,
    enableServiceLinks: true,
    preemptionPolicy: 'PreemptLowerPriority',
  },
  status: {
    phase: 'Running',
    conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
      type,
      status: 'True',
      lastProbeTime: null,
      lastTransitionTime: time,
    })),
    hostIP: '192.0.2.10',
    hostIPs: [{ ip: '192.0.2.10' }],
    podIP: '10.1.0.5',
    podIPs: [{ ip: '10.1.0.5' }],
    startTime: time,
    containerStatuses: [containerStatus('app'), containerStatus('sidecar')],
    qosClass: 'Burstable',
  },
} as const;
