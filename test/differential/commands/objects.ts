/** Objects with much in them, for commands that show them. */

const labels = { app: 'web', tier: 'front' };

const probe = { failureThreshold: 5, initialDelaySeconds: 3, periodSeconds: 7, timeoutSeconds: 2 };

const podSpec = {
  serviceAccountName: 'default',
  nodeSelector: { disk: 'fast', zone: 'a' },
  priority: 0,
  tolerations: [
    { key: 'dedicated', operator: 'Equal', value: 'web', effect: 'NoSchedule' },
    { operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 60 },
  ],
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: 'zone',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: labels },
    },
  ],
  readinessGates: [{ conditionType: 'example.com/ready' }],
  initContainers: [
    { name: 'prepare', image: 'busybox:1', command: ['sh', '-c', 'echo one\necho two'] },
    { name: 'side', image: 'busybox:1', restartPolicy: 'Always' },
  ],
  containers: [
    {
      name: 'main',
      image: 'nginx:1.27',
      args: ['--verbose', '--colour=never'],
      ports: [
        { containerPort: 80, name: 'http' },
        { containerPort: 53, protocol: 'UDP', hostPort: 5353 },
      ],
      env: [
        { name: 'PLAIN', value: 'value with blanks' },
        { name: 'EMPTY', value: '' },
        { name: 'LINES', value: 'one\ntwo' },
        { name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
        { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', containerName: 'main' } } },
        { name: 'KEY', valueFrom: { configMapKeyRef: { name: 'settings', key: 'colour', optional: true } } },
        { name: 'PASSWORD', valueFrom: { secretKeyRef: { name: 'secret', key: 'password' } } },
      ],
      envFrom: [
        { configMapRef: { name: 'settings' }, prefix: 'S_' },
        { secretRef: { name: 'secret', optional: true } },
      ],
      resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '250m', memory: '64Mi' } },
      livenessProbe: { ...probe, httpGet: { path: '/healthy', port: 'http', scheme: 'HTTP' } },
      readinessProbe: { ...probe, exec: { command: ['cat', '/ready'] } },
      startupProbe: { ...probe, tcpSocket: { port: 80 } },
      volumeMounts: [
        { name: 'cache', mountPath: '/cache' },
        { name: 'settings', mountPath: '/settings', readOnly: true, subPath: 'a' },
      ],
    },
    { name: 'grpc', image: 'busybox', livenessProbe: { ...probe, grpc: { port: 9000, service: 'x' } } },
  ],
  volumes: [
    { name: 'cache', emptyDir: { medium: 'Memory', sizeLimit: '1Gi' } },
    { name: 'settings', configMap: { name: 'settings', optional: true } },
    { name: 'secret', secret: { secretName: 'secret' } },
    { name: 'claim', persistentVolumeClaim: { claimName: 'claim', readOnly: true } },
    { name: 'host', hostPath: { path: '/var', type: 'Directory' } },
    {
      name: 'all',
      projected: {
        sources: [
          { configMap: { name: 'settings' } },
          { secret: { name: 'secret' } },
          { downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } },
          { serviceAccountToken: { path: 'token', expirationSeconds: 3600 } },
        ],
      },
    },
    { name: 'down', downwardAPI: { items: [{ path: 'name', fieldRef: { fieldPath: 'metadata.name' } }] } },
    { name: 'nfs', nfs: { server: 'nfs.example.com', path: '/x' } },
  ],
};

const template = { metadata: { labels, annotations: { 'example.com/a': 'b' } }, spec: podSpec };

const time = '2024-05-06T07:08:09Z';

const runningStatus = {
  phase: 'Running',
  podIP: '192.168.0.7',
  podIPs: [{ ip: '192.168.0.7' }, { ip: 'fd00::7' }],
  hostIP: '192.168.1.1',
  startTime: time,
  qosClass: 'Burstable',
  conditions: [
    { type: 'Ready', status: 'False', reason: 'ContainersNotReady', lastTransitionTime: time },
    { type: 'PodScheduled', status: 'True', lastTransitionTime: time },
  ],
  containerStatuses: [
    {
      name: 'main',
      image: 'nginx:1.27',
      imageID: 'sha256:1',
      containerID: 'containerd://1',
      ready: true,
      restartCount: 3,
      state: { running: { startedAt: time } },
      lastState: {
        terminated: {
          exitCode: 137,
          reason: 'OOMKilled',
          signal: 9,
          startedAt: time,
          finishedAt: time,
          message: 'gone',
        },
      },
    },
    {
      name: 'grpc',
      image: 'busybox',
      imageID: '',
      ready: false,
      restartCount: 0,
      state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off' } },
    },
  ],
  initContainerStatuses: [
    {
      name: 'prepare',
      image: 'busybox:1',
      imageID: 'sha256:2',
      ready: true,
      restartCount: 0,
      state: { terminated: { exitCode: 0, reason: 'Completed', startedAt: time, finishedAt: time } },
    },
  ],
};

const meta = (name: string, more: object = {}) => ({ name, labels, ...more });

export const richObjects: readonly object[] = [
  {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'robot' },
    imagePullSecrets: [{ name: 'pull' }],
  },
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: meta('settings'),
    data: { colour: 'blue', 'file.txt': 'a\nb\n' },
    binaryData: { raw: 'AAEC' },
  },
  {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: meta('secret'),
    type: 'Opaque',
    data: { password: 'c2VjcmV0', user: 'bWU=' },
  },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: meta('rich', { annotations: { 'example.com/note': 'a note', long: 'x'.repeat(200) } }),
    spec: { ...podSpec, nodeName: 'node-1' },
    status: runningStatus,
  },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'plain' },
    spec: { containers: [{ name: 'c', image: 'busybox' }] },
  },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'failed', labels: { app: 'job' } },
    spec: { nodeName: 'node-2', containers: [{ name: 'c', image: 'busybox' }] },
    status: { phase: 'Failed', reason: 'Evicted', message: 'too much' },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: meta('web', { annotations: { 'deployment.kubernetes.io/revision': '2' } }),
    spec: {
      replicas: 3,
      minReadySeconds: 4,
      selector: { matchLabels: { app: 'web' } },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '30%', maxUnavailable: 1 } },
      template,
    },
    status: {
      replicas: 3,
      updatedReplicas: 2,
      readyReplicas: 1,
      availableReplicas: 1,
      unavailableReplicas: 2,
      observedGeneration: 1,
      conditions: [
        {
          type: 'Available',
          status: 'False',
          reason: 'MinimumReplicasUnavailable',
          lastTransitionTime: time,
          lastUpdateTime: time,
        },
      ],
    },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'small' },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: 'small' } },
      template: {
        metadata: { labels: { app: 'small' } },
        spec: {
          containers: [
            { name: 'c', image: 'busybox:1' },
            { name: 'd', image: 'nginx:1' },
          ],
        },
      },
    },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: meta('set'),
    spec: { replicas: 2, selector: { matchLabels: { app: 'web' } }, template },
    status: { replicas: 2, readyReplicas: 1, availableReplicas: 1 },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: meta('db'),
    spec: {
      serviceName: 'db',
      replicas: 2,
      selector: { matchLabels: { app: 'web' } },
      template,
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } },
      volumeClaimTemplates: [
        {
          metadata: { name: 'data', annotations: { a: 'b' } },
          spec: {
            accessModes: ['ReadWriteOnce'],
            storageClassName: 'fast',
            resources: { requests: { storage: '1Gi' } },
          },
        },
      ],
    },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: meta('agent'),
    spec: { selector: { matchLabels: { app: 'web' } }, template },
    status: {
      currentNumberScheduled: 2,
      desiredNumberScheduled: 3,
      numberMisscheduled: 0,
      numberReady: 1,
      numberAvailable: 1,
      updatedNumberScheduled: 1,
    },
  },
  {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: meta('once'),
    spec: {
      parallelism: 2,
      completions: 4,
      backoffLimit: 3,
      activeDeadlineSeconds: 500,
      ttlSecondsAfterFinished: 60,
      completionMode: 'Indexed',
      template: {
        spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command: ['true'] }] },
      },
    },
  },
  {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: meta('nightly'),
    spec: {
      schedule: '0 3 * * *',
      timeZone: 'Etc/UTC',
      concurrencyPolicy: 'Forbid',
      startingDeadlineSeconds: 30,
      jobTemplate: {
        spec: {
          template: { spec: { restartPolicy: 'OnFailure', containers: [{ name: 'c', image: 'busybox' }] } },
        },
      },
    },
  },
  {
    apiVersion: 'v1',
    kind: 'ReplicationController',
    metadata: meta('old'),
    spec: {
      replicas: 1,
      selector: { app: 'old' },
      template: {
        metadata: { labels: { app: 'old' } },
        spec: { containers: [{ name: 'c', image: 'busybox' }] },
      },
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: meta('web'),
    spec: {
      selector: { app: 'web' },
      ports: [
        { name: 'http', port: 80, targetPort: 'http' },
        { name: 'dns', port: 53, protocol: 'UDP' },
      ],
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'outside' },
    spec: { type: 'ExternalName', externalName: 'example.com' },
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'headless' },
    spec: {
      clusterIP: 'None',
      selector: { app: 'web' },
      ports: [{ port: 80 }],
      publishNotReadyAddresses: true,
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { name: 'manual' },
    subsets: [
      {
        addresses: [{ ip: '192.168.3.1' }, { ip: '192.168.3.2', targetRef: { kind: 'Pod', name: 'x' } }],
        notReadyAddresses: [{ ip: '192.168.3.3' }],
        ports: [
          { port: 80, name: 'http' },
          { port: 443, name: 'https' },
        ],
      },
    ],
  },
  {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'slice', labels: { 'kubernetes.io/service-name': 'web' } },
    addressType: 'IPv4',
    endpoints: [
      {
        addresses: ['192.168.4.1'],
        conditions: { ready: true },
        nodeName: 'node-1',
        zone: 'a',
        hints: { forZones: [{ name: 'a' }] },
      },
      { addresses: ['192.168.4.2'], conditions: { ready: false }, targetRef: { kind: 'Pod', name: 'rich' } },
    ],
    ports: [{ name: 'http', port: 80, protocol: 'TCP' }, { port: 9000 }],
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: meta('entry', { annotations: { 'example.com/rewrite': '/' } }),
    spec: {
      ingressClassName: 'edge',
      defaultBackend: { service: { name: 'web', port: { number: 80 } } },
      tls: [{ hosts: ['a.example.com', 'b.example.com'], secretName: 'tls' }, { hosts: ['c.example.com'] }],
      rules: [
        {
          host: 'a.example.com',
          http: {
            paths: [
              {
                path: '/',
                pathType: 'Prefix',
                backend: { service: { name: 'web', port: { name: 'http' } } },
              },
              {
                path: '/x',
                pathType: 'Exact',
                backend: { service: { name: 'missing', port: { number: 8080 } } },
              },
            ],
          },
        },
        {
          http: {
            paths: [
              {
                path: '/y',
                pathType: 'ImplementationSpecific',
                backend: { resource: { apiGroup: 'example.com', kind: 'Bucket', name: 'b' } },
              },
            ],
          },
        },
      ],
    },
    status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }, { hostname: 'lb.example.com' }] } },
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: meta('walls'),
    spec: {
      podSelector: { matchLabels: { app: 'web' } },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [
        {
          from: [
            { podSelector: { matchLabels: { app: 'a' } }, namespaceSelector: {} },
            { ipBlock: { cidr: '192.0.2.0/24', except: ['192.0.2.8/30'] } },
          ],
          ports: [{ port: 80 }, { port: 'http', protocol: 'UDP' }, { port: 32000, endPort: 32768 }],
        },
        {},
      ],
      egress: [{ to: [{ namespaceSelector: { matchLabels: { team: 'x' } } }] }],
    },
  },
  {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: meta('budget'),
    spec: { minAvailable: '50%', selector: { matchLabels: { app: 'web' } } },
  },
  {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: meta('scaler'),
    spec: {
      minReplicas: 1,
      maxReplicas: 9,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      metrics: [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } },
        },
        {
          type: 'Pods',
          pods: { metric: { name: 'requests' }, target: { type: 'AverageValue', averageValue: '10' } },
        },
      ],
      behavior: { scaleDown: { policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] } },
    },
  },
  {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: meta('claim'),
    spec: {
      accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
      storageClassName: 'fast',
      resources: { requests: { storage: '2Gi' } },
      dataSource: { kind: 'PersistentVolumeClaim', name: 'other' },
    },
  },
  {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: meta('quota'),
    spec: { hard: { pods: '100', 'requests.cpu': '50', configmaps: '100' }, scopes: ['NotBestEffort'] },
  },
  {
    apiVersion: 'v1',
    kind: 'LimitRange',
    metadata: meta('limits'),
    spec: {
      limits: [
        { type: 'PersistentVolumeClaim', max: { storage: '10Gi' }, min: { storage: '1Gi' } },
        { type: 'Pod', max: { cpu: '8' } },
      ],
    },
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: meta('reader'),
    rules: [
      { apiGroups: ['', 'apps'], resources: ['pods', 'deployments'], verbs: ['get', 'list'] },
      { apiGroups: [''], resources: ['secrets'], resourceNames: ['one', 'two'], verbs: ['get'] },
      { apiGroups: [''], resources: ['pods'], verbs: ['watch'] },
    ],
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: meta('readers'),
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
    subjects: [
      { kind: 'User', name: 'alice', apiGroup: 'rbac.authorization.k8s.io' },
      { kind: 'Group', name: 'team', apiGroup: 'rbac.authorization.k8s.io' },
      { kind: 'ServiceAccount', name: 'robot' },
    ],
  },
  {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: meta('lease'),
    spec: { holderIdentity: 'me', leaseDurationSeconds: 15, renewTime: '2024-05-06T07:08:09.000000Z' },
  },
  {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'rich.1' },
    involvedObject: { apiVersion: 'v1', kind: 'Pod', name: 'rich' },
    reason: 'Pulled',
    message: 'Image pulled  ',
    type: 'Normal',
    count: 3,
    firstTimestamp: time,
    lastTimestamp: time,
    source: { component: 'kubelet', host: 'node-1' },
  },
  { apiVersion: 'v1', kind: 'PodTemplate', metadata: meta('mould'), template },
  {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: meta('revision'),
    revision: 3,
    data: { a: 1 },
  },
];
