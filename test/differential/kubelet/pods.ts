/** Pods of many kinds, small enough that each shows one thing. */
import { busyboxImage } from '../../nodes/busybox-image.ts';

export interface PodCase {
  readonly name: string;
  readonly spec: object;
  readonly metadata?: object;
  /** What the pod is to be before it is compared: as long as it runs, or when it has ended. */
  readonly until: 'Running' | 'Ready' | 'Succeeded' | 'Failed' | 'waiting' | 'restarted' | 'nothing';
  /** A patch of `resize`, once it is as wanted. */
  readonly resize?: object;
}

const container = (name: string, script: string, more: object = {}): object => ({
  name,
  image: busyboxImage,
  imagePullPolicy: 'IfNotPresent',
  command: ['sh', '-c', script],
  ...more,
});
const stays = 'trap "exit 0" TERM; while true; do sleep 0.2; done';
const volumes = [
  { name: 'work', emptyDir: {} },
  { name: 'memory', emptyDir: { medium: 'Memory', sizeLimit: '8Mi' } },
  { name: 'settings', configMap: { name: 'settings' } },
  { name: 'hidden', secret: { secretName: 'hidden', defaultMode: 0o400 } },
  { name: 'host', hostPath: { path: '/usr/share', type: 'Directory' } },
  { name: 'down', downwardAPI: { items: [{ path: 'name', fieldRef: { fieldPath: 'metadata.name' } }] } },
];

export const podCases: readonly PodCase[] = [
  { name: 'plain', until: 'Running', spec: { containers: [container('c', stays)] } },
  {
    name: 'guaranteed',
    until: 'Running',
    spec: {
      containers: [container('c', stays, { resources: { limits: { cpu: '250m', memory: '32Mi' } } })],
    },
  },
  {
    name: 'burstable',
    until: 'Running',
    spec: {
      containers: [
        container('c', stays, {
          resources: { requests: { cpu: '100m', memory: '16Mi' }, limits: { memory: '64Mi' } },
        }),
        container('d', stays),
      ],
    },
  },
  {
    name: 'secured',
    until: 'Running',
    metadata: { annotations: { note: 'kept' }, labels: { app: 'secured' } },
    spec: {
      securityContext: {
        runAsUser: 1000,
        runAsGroup: 2000,
        fsGroup: 3000,
        supplementalGroups: [4000],
        seccompProfile: { type: 'RuntimeDefault' },
      },
      containers: [
        container('c', stays, {
          securityContext: {
            readOnlyRootFilesystem: true,
            allowPrivilegeEscalation: false,
            capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] },
          },
          workingDir: '/tmp',
        }),
      ],
    },
  },
  {
    name: 'privileged',
    until: 'Running',
    spec: {
      hostNetwork: true,
      hostPID: true,
      hostIPC: true,
      containers: [container('c', stays, { securityContext: { privileged: true, runAsUser: 0 } })],
    },
  },
  {
    name: 'shared',
    until: 'Running',
    spec: {
      shareProcessNamespace: true,
      hostname: 'inside',
      subdomain: 'sub',
      hostAliases: [{ ip: '192.0.2.7', hostnames: ['friend'] }],
      dnsPolicy: 'None',
      dnsConfig: {
        nameservers: ['192.0.2.53'],
        searches: ['example.org'],
        options: [{ name: 'ndots', value: '2' }],
      },
      setHostnameAsFQDN: false,
      containers: [container('c', stays, { stdin: true, stdinOnce: true, tty: true })],
    },
  },
  {
    name: 'mounted',
    until: 'Running',
    spec: {
      volumes,
      containers: [
        container('c', stays, {
          volumeMounts: [
            { name: 'work', mountPath: '/work' },
            { name: 'work', mountPath: '/part', subPath: 'part/of' },
            { name: 'memory', mountPath: '/memory' },
            { name: 'settings', mountPath: '/settings', readOnly: true },
            { name: 'settings', mountPath: '/one', subPath: 'key' },
            { name: 'hidden', mountPath: '/hidden' },
            { name: 'host', mountPath: '/host', readOnly: true },
            { name: 'down', mountPath: '/down' },
          ],
        }),
      ],
    },
  },
  {
    name: 'environment',
    until: 'Running',
    spec: {
      containers: [
        container('c', stays, {
          args: ['$(FROM_POD)', '$(NOT_THERE)', '$$(FROM_POD)'],
          envFrom: [
            { prefix: 'S_', configMapRef: { name: 'settings' } },
            { secretRef: { name: 'hidden', optional: true } },
          ],
          env: [
            { name: 'PLAIN', value: 'x' },
            { name: 'FROM_POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
            { name: 'ACCOUNT', valueFrom: { fieldRef: { fieldPath: 'spec.serviceAccountName' } } },
            { name: 'BOTH', value: '$(PLAIN)-$(FROM_POD)' },
            { name: 'KEY', valueFrom: { configMapKeyRef: { name: 'settings', key: 'key' } } },
            { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
          ],
        }),
      ],
    },
  },
  {
    name: 'ordered',
    until: 'Ready',
    spec: {
      initContainers: [
        container('first', 'true'),
        container('beside', stays, {
          restartPolicy: 'Always',
          startupProbe: { exec: { command: ['true'] }, periodSeconds: 1 },
        }),
        container('second', 'true'),
      ],
      containers: [container('c', stays)],
    },
  },
  {
    name: 'probed',
    until: 'Ready',
    spec: {
      containers: [
        container('c', stays, {
          readinessProbe: { exec: { command: ['true'] }, periodSeconds: 1, timeoutSeconds: 3 },
          livenessProbe: { exec: { command: ['true'] }, periodSeconds: 5 },
          ports: [
            { name: 'web', containerPort: 80 },
            { containerPort: 53, protocol: 'UDP' },
          ],
          lifecycle: {
            postStart: { exec: { command: ['true'] } },
            preStop: { exec: { command: ['sleep', '0.1'] } },
          },
        }),
      ],
    },
  },
  {
    name: 'succeeded',
    until: 'Succeeded',
    spec: {
      restartPolicy: 'Never',
      containers: [container('c', 'echo done > /dev/termination-log'), container('d', 'true')],
    },
  },
  {
    name: 'failed',
    until: 'Failed',
    spec: {
      restartPolicy: 'Never',
      containers: [container('c', 'echo why; exit 3', { terminationMessagePolicy: 'FallbackToLogsOnError' })],
    },
  },
  {
    name: 'crashing',
    until: 'restarted',
    spec: { containers: [container('c', 'sleep 0.5; exit 1')] },
  },
  {
    name: 'unpullable',
    until: 'waiting',
    spec: { containers: [container('c', stays, { image: '127.0.0.1:1/absent:1' })] },
  },
  {
    name: 'never-pulled',
    until: 'waiting',
    spec: {
      containers: [container('c', stays, { image: '127.0.0.1:1/absent:2', imagePullPolicy: 'Never' })],
    },
  },
  {
    name: 'misconfigured',
    until: 'waiting',
    spec: {
      containers: [
        container('c', stays, {
          env: [{ name: 'X', valueFrom: { configMapKeyRef: { name: 'nowhere', key: 'x' } } }],
        }),
      ],
    },
  },
  {
    name: 'unstartable',
    until: 'waiting',
    spec: { containers: [container('c', stays, { command: ['/no/such/program'] })] },
  },
  {
    name: 'resized',
    until: 'Running',
    spec: {
      containers: [
        container('c', stays, {
          resources: {
            requests: { cpu: '100m', memory: '16Mi' },
            limits: { cpu: '200m', memory: '32Mi' },
          },
        }),
      ],
    },
    resize: {
      spec: {
        containers: [
          {
            name: 'c',
            resources: {
              requests: { cpu: '150m', memory: '16Mi' },
              limits: { cpu: '300m', memory: '48Mi' },
            },
          },
        ],
      },
    },
  },
  {
    name: 'memory-hog',
    until: 'Failed',
    spec: {
      restartPolicy: 'Never',
      containers: [
        container('c', 'exec tail /dev/zero', { resources: { limits: { memory: '16Mi', cpu: '500m' } } }),
      ],
    },
  },
  {
    name: 'late',
    until: 'Failed',
    spec: { activeDeadlineSeconds: 2, restartPolicy: 'Never', containers: [container('c', stays)] },
  },
  {
    name: 'unlike-users',
    until: 'waiting',
    spec: { containers: [container('c', stays, { securityContext: { runAsNonRoot: true } })] },
  },
  {
    name: 'own-users',
    until: 'nothing',
    spec: { hostUsers: false, containers: [container('c', stays)] },
  },
  {
    name: 'with-token',
    until: 'Running',
    spec: { automountServiceAccountToken: true, containers: [container('c', stays)] },
  },
  {
    name: 'anew',
    until: 'restarted',
    spec: {
      volumes: [{ name: 'state', emptyDir: {} }],
      initContainers: [container('first', 'true')],
      containers: [
        container('asking', `[ -e /state/asked ] || { touch /state/asked; sleep 1; exit 88; }; ${stays}`, {
          restartPolicy: 'Never',
          restartPolicyRules: [
            { action: 'RestartAllContainers', exitCodes: { operator: 'In', values: [88] } },
          ],
          volumeMounts: [{ name: 'state', mountPath: '/state' }],
        }),
        container('other', stays),
      ],
    },
  },
  {
    name: 'own-rule',
    until: 'restarted',
    spec: {
      restartPolicy: 'Never',
      containers: [
        container('c', 'sleep 0.5; exit 42', {
          restartPolicy: 'Never',
          restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [42] } }],
        }),
      ],
    },
  },
  {
    name: 'all-projected',
    until: 'Running',
    spec: {
      volumes: [
        {
          name: 'all',
          projected: {
            defaultMode: 0o440,
            sources: [
              { configMap: { name: 'settings', items: [{ key: 'key', path: 'deep/er/key', mode: 0o400 }] } },
              { secret: { name: 'hidden' } },
              { downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } },
              { serviceAccountToken: { path: 'token', audience: 'somebody', expirationSeconds: 600 } },
              { configMap: { name: 'nowhere', optional: true } },
            ],
          },
        },
        { name: 'work', emptyDir: {} },
      ],
      containers: [
        container('c', stays, {
          env: [{ name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
          volumeMounts: [
            { name: 'all', mountPath: '/all', readOnly: true },
            { name: 'work', mountPath: '/work', subPathExpr: 'of-$(POD)' },
          ],
        }),
      ],
    },
  },
  {
    name: 'failed-hook',
    until: 'restarted',
    spec: {
      containers: [
        container('c', stays, { lifecycle: { postStart: { exec: { command: ['sh', '-c', 'exit 7'] } } } }),
      ],
    },
  },
  {
    name: 'slow-starter',
    until: 'Ready',
    spec: {
      containers: [
        container('c', `sleep 1; touch /tmp/up; ${stays}`, {
          startupProbe: {
            exec: { command: ['test', '-e', '/tmp/up'] },
            periodSeconds: 1,
            failureThreshold: 30,
          },
          livenessProbe: { exec: { command: ['true'] }, periodSeconds: 2 },
        }),
      ],
    },
  },
  {
    name: 'unhealthy',
    until: 'restarted',
    spec: {
      terminationGracePeriodSeconds: 1,
      containers: [
        container('c', stays, {
          livenessProbe: { exec: { command: ['false'] }, periodSeconds: 1, failureThreshold: 2 },
        }),
      ],
    },
  },
  {
    name: 'no-grpc-there',
    until: 'restarted',
    spec: {
      terminationGracePeriodSeconds: 1,
      containers: [
        container('c', stays, {
          livenessProbe: { grpc: { port: 9000, service: 'x' }, periodSeconds: 1, failureThreshold: 1 },
        }),
      ],
    },
  },
  {
    name: 'host-ports',
    until: 'Running',
    spec: {
      containers: [
        container('c', stays, {
          ports: [
            { containerPort: 80, hostPort: 20_080 },
            { containerPort: 53, hostPort: 20_053, protocol: 'UDP', hostIP: '127.0.0.1' },
          ],
        }),
      ],
    },
  },
  {
    name: 'spread',
    until: 'Running',
    metadata: { labels: { app: 'spread' } },
    spec: {
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: 'kubernetes.io/hostname',
          whenUnsatisfiable: 'ScheduleAnyway',
          labelSelector: { matchLabels: { app: 'spread' } },
        },
      ],
      securityContext: { sysctls: [{ name: 'net.ipv4.ip_unprivileged_port_start', value: '1' }] },
      setHostnameAsFQDN: true,
      hostname: 'spread',
      subdomain: 'out',
      containers: [container('c', stays)],
    },
  },
  {
    name: 'failed-init',
    until: 'Failed',
    spec: {
      restartPolicy: 'Never',
      initContainers: [container('first', 'echo no > /dev/termination-log; exit 4')],
      containers: [container('c', stays)],
    },
  },
  {
    name: 'whole-pod',
    until: 'Running',
    spec: {
      resources: { requests: { cpu: '100m', memory: '32Mi' }, limits: { cpu: '200m', memory: '64Mi' } },
      containers: [
        container('c', stays),
        container('d', stays, { resources: { limits: { memory: '32Mi' } } }),
      ],
    },
  },
  {
    name: 'unsafe-kernel',
    until: 'nothing',
    spec: {
      securityContext: { sysctls: [{ name: 'kernel.msgmax', value: '65536' }] },
      containers: [container('c', stays)],
    },
  },
];
