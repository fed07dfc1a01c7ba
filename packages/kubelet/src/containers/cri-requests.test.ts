/** The CRI requests that a pod leads to, with every field as upstream sets it. */
import { expect, test } from 'vitest';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { notFound } from '@coxswain/apimachinery';
import { recordOf } from '../cri/shared-messages.ts';
import { containerConfig } from './container-config.ts';
import { containerHash } from './container-hash.ts';
import { podDns } from './dns-config.ts';
import { podFieldText, resourceText } from '../pod/downward-api.ts';
import { containerEnvironment } from '../pod/environment.ts';
import { expandVariables } from '../pod/expand-variables.ts';
import { hostsFileText } from './hosts-file.ts';
import { containerResources, oomScoreAdjustment } from '../resources/linux-resources.ts';
import { kernelHostname, podHostname } from './pod-hostname.ts';
import { sandboxConfig } from './sandbox-config.ts';
import { refuseRoot } from './security-context.ts';
import { serviceVariables } from '../pod/service-variables.ts';

const machine = {
  memoryBytes: 8 * 2 ** 30,
  hugepageSizes: ['1GB', '2MB'],
  limitsSwap: false,
  isCgroupV2: false,
  killsGroup: true,
  cpuCfsQuota: true,
  cpuCfsQuotaPeriodUs: 100_000,
};
const security = { seccompDefault: false, seccompRoot: '/var/lib/kubelet/seccomp', processorPaths: [] };
const facts = {
  hostIps: ['192.0.2.1'],
  podIps: ['10.0.0.5', 'fd00::5'],
  allocatable: { cpu: '4', memory: '6Gi' },
};

const pod = (spec: object = {}, metadata: object = {}): Pod =>
  ({
    metadata: {
      name: 'web',
      namespace: 'shop',
      uid: 'u1',
      labels: { app: 'web' },
      annotations: { note: 'x' },
      ...metadata,
    },
    spec: {
      dnsPolicy: 'ClusterFirst',
      terminationGracePeriodSeconds: 30,
      securityContext: {},
      containers: [{ name: 'c' }],
      ...spec,
    },
  }) as unknown as Pod;

test('a sandbox is named, labelled and placed by its pod', () => {
  const config = sandboxConfig(
    pod({
      securityContext: {
        runAsUser: 7,
        fsGroup: 9,
        supplementalGroups: [11],
        sysctls: [{ name: 'net.core.somaxconn', value: '1' }],
      },
      containers: [
        { name: 'c', ports: [{ containerPort: 80, hostPort: 8080, protocol: 'UDP', hostIP: '127.0.0.1' }] },
      ],
    }),
    {
      attempt: 2,
      hostname: 'web',
      logDirectory: '/logs',
      dns: { servers: [], searches: [], options: [] },
      cgroupParent: '/kubepods/besteffort/podu1',
      machine,
    },
  );
  expect(config).toMatchObject({
    metadata: { name: 'web', namespace: 'shop', uid: 'u1', attempt: 2 },
    hostname: 'web',
    logDirectory: '/logs',
    portMappings: [{ protocol: 1, containerPort: 80, hostPort: 8080, hostIp: '127.0.0.1' }],
    annotations: [{ key: 'note', value: 'x' }],
    linux: {
      cgroupParent: '/kubepods/besteffort/podu1',
      sysctls: [{ key: 'net.core.somaxconn', value: '1' }],
      securityContext: {
        runAsUser: { value: 7 },
        supplementalGroups: [9, 11],
        privileged: false,
        seccomp: { profileType: 0 },
        namespaceOptions: { network: 0, pid: 1, ipc: 0 },
      },
    },
  });
  expect(recordOf(config.labels as never)).toEqual({
    app: 'web',
    'io.kubernetes.pod.name': 'web',
    'io.kubernetes.pod.namespace': 'shop',
    'io.kubernetes.pod.uid': 'u1',
  });
});

test('on the newer control groups, a container ends as a whole when its memory is used up, unless it is not to', () => {
  const container = { name: 'c', resources: {} };
  const unified = (killsGroup: boolean) =>
    containerResources(pod({ containers: [container] }), container as never, {
      ...machine,
      isCgroupV2: true,
      limitsSwap: true,
      killsGroup,
    }).unified;
  const noSwap = { key: 'memory.swap.max', value: '0' };
  expect(unified(true)).toEqual([{ key: 'memory.oom.group', value: '1' }, noSwap]);
  expect(unified(false)).toEqual([noSwap]);
});

test('a container gets its command expanded, its resources in units of the kernel, and the marks of its kubelet', () => {
  const container = {
    name: 'c',
    image: 'busybox',
    command: ['echo', '$(GREETING)', '$(NOBODY)', '$$(GREETING)'],
    workingDir: '/w',
    tty: true,
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    resources: { requests: { cpu: '250m', memory: '1Gi' }, limits: { cpu: '500m', memory: '2Gi' } },
    securityContext: {
      privileged: true,
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { add: ['NET_ADMIN'], drop: ['ALL'] },
    },
  };
  const config = containerConfig(pod({ containers: [container] }), container as never, {
    restarts: 3,
    imageRef: 'sha256:1',
    imageUser: { uid: 0 },
    environment: new Map([['GREETING', 'hello']]),
    mounts: [],
    devices: [],
    machine,
    security,
  });
  expect(config).toMatchObject({
    metadata: { name: 'c', attempt: 3 },
    image: { image: 'sha256:1', userSpecifiedImage: 'busybox' },
    command: ['echo', 'hello', '$(NOBODY)', '$(GREETING)'],
    workingDir: '/w',
    envs: [{ key: 'GREETING', value: 'hello' }],
    logPath: 'c/3.log',
    tty: true,
    linux: {
      resources: {
        cpuShares: 256,
        cpuQuota: 50_000,
        cpuPeriod: 100_000,
        memoryLimitInBytes: 2 * 2 ** 30,
        oomScoreAdj: 875,
      },
      securityContext: {
        privileged: true,
        readonlyRootfs: true,
        noNewPrivs: true,
        runAsUser: { value: 0 },
        capabilities: { addCapabilities: ['NET_ADMIN'], dropCapabilities: ['ALL'] },
        seccomp: { profileType: 1 },
      },
    },
  });
  expect(recordOf(config.annotations as never)).toEqual({
    'io.kubernetes.container.hash': containerHash(container),
    'io.kubernetes.container.restartCount': '3',
    'io.kubernetes.container.terminationMessagePath': '/dev/termination-log',
    'io.kubernetes.container.terminationMessagePolicy': 'File',
    'io.kubernetes.pod.terminationGracePeriod': '30',
  });
});

test("the hash of a container equals upstream's", () => {
  // From a Go program that hashes {"image":"b","name":"a"} as the kubelet does.
  expect(containerHash({ name: 'a', image: 'b' })).toBe('646fef1b');
});

test('who dies first when memory is short follows from requests', () => {
  const one = (resources: object, more: object = {}) =>
    pod({ containers: [{ name: 'c', resources }], ...more });
  const score = (of: Pod) => oomScoreAdjustment(of, of.spec!.containers[0]!, machine.memoryBytes);
  expect(score(one({}))).toBe(1000);
  const whole = { cpu: '1', memory: '1Gi' };
  expect(score(one({ requests: whole, limits: whole }))).toBe(-997);
  expect(score(one({ requests: { memory: '4Gi' } }))).toBe(500);
  expect(score(one({ requests: { memory: '1Ki' } }))).toBe(999);
  expect(score(one({ requests: { memory: '64Gi' } }))).toBe(3);
  expect(score(one({}, { priority: 2_000_001_000 }))).toBe(-997);
});

test('variables come from all sources, later ones see earlier ones, and missing sources are reported', async () => {
  const container = {
    name: 'c',
    envFrom: [
      { prefix: 'P_', configMapRef: { name: 'settings' } },
      { secretRef: { name: 'gone', optional: true } },
    ],
    env: [
      { name: 'A', value: 'a' },
      { name: 'B', value: '$(A)-$(P_colour)-$(WEB_SERVICE_HOST)' },
      { name: 'KEY', valueFrom: { secretKeyRef: { name: 'keys', key: 'k' } } },
      { name: 'IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
      { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
      { name: 'NONE', valueFrom: { configMapKeyRef: { name: 'settings', key: 'x', optional: true } } },
    ],
  };
  const sources = {
    configMap: async () => ({ colour: 'red' }),
    secret: async (_namespace: string, name: string) => {
      if (name === 'gone') throw notFound({ group: '', resource: 'secret' }, name);
      return { k: new TextEncoder().encode('s3cret') };
    },
    serviceVariables: new Map([['WEB_SERVICE_HOST', '10.96.0.9']]),
    facts,
  };
  const variables = await containerEnvironment(pod({ containers: [container] }), container as never, sources);
  expect(Object.fromEntries(variables)).toEqual({
    P_colour: 'red',
    A: 'a',
    B: 'a-red-10.96.0.9',
    KEY: 's3cret',
    IP: '10.0.0.5',
    CPU: '4',
    WEB_SERVICE_HOST: '10.96.0.9',
  });
  const broken = {
    name: 'c',
    env: [{ name: 'X', valueFrom: { configMapKeyRef: { name: 'settings', key: 'x' } } }],
  };
  await expect(containerEnvironment(pod(), broken as never, sources)).rejects.toThrow(
    "couldn't find key x in ConfigMap shop/settings",
  );
});

test('services are described by their addresses, ports and protocols', () => {
  const service = (name: string, namespace: string, spec: object) =>
    ({ metadata: { name, namespace }, spec }) as never;
  const all = [
    service('kubernetes', 'default', {
      clusterIP: '10.96.0.1',
      ports: [{ name: 'https', port: 443, protocol: 'TCP' }],
    }),
    service('my-db', 'shop', { clusterIP: '10.96.0.7', ports: [{ port: 53, protocol: 'UDP' }] }),
    service('headless', 'shop', { clusterIP: 'None', ports: [] }),
    service('other', 'elsewhere', { clusterIP: '10.96.0.8', ports: [{ port: 1 }] }),
  ];
  const variables = Object.fromEntries(serviceVariables(all, 'shop', true));
  expect(variables).toMatchObject({
    KUBERNETES_SERVICE_HOST: '10.96.0.1',
    KUBERNETES_SERVICE_PORT_HTTPS: '443',
    MY_DB_SERVICE_PORT: '53',
    MY_DB_PORT_53_UDP: 'udp://10.96.0.7:53',
    MY_DB_PORT_53_UDP_ADDR: '10.96.0.7',
  });
  expect(Object.keys(variables).some((name) => /HEADLESS|OTHER/.test(name))).toBe(false);
  expect(
    [...serviceVariables(all, 'shop', false).keys()].every((name) => name.startsWith('KUBERNETES')),
  ).toBe(true);
});

test('each DNS policy leads to its own resolv.conf', () => {
  const settings = {
    clusterDns: ['10.96.0.10'],
    clusterDomain: 'cluster.local',
    host: { servers: ['1.1.1.1'], searches: ['lan'], options: ['rotate'] },
  };
  const of = (spec: object) => podDns(pod(spec), settings).config;
  expect(of({})).toEqual({
    servers: ['10.96.0.10'],
    searches: ['shop.svc.cluster.local', 'svc.cluster.local', 'cluster.local', 'lan'],
    options: ['ndots:5'],
  });
  expect(of({ hostNetwork: true })).toEqual(settings.host);
  expect(of({ hostNetwork: true, dnsPolicy: 'ClusterFirstWithHostNet' }).servers).toEqual(['10.96.0.10']);
  expect(of({ dnsPolicy: 'Default' })).toEqual(settings.host);
  const own = { nameservers: ['9.9.9.9'], searches: ['x'], options: [{ name: 'ndots', value: '2' }] };
  expect(of({ dnsPolicy: 'None', dnsConfig: own })).toEqual({
    servers: ['9.9.9.9'],
    searches: ['x'],
    options: ['ndots:2'],
  });
  expect(podDns(pod(), { ...settings, clusterDns: [] }).warnings[0]?.reason).toBe('MissingClusterDNS');
});

test('the host name is the pod’s, its own, or the whole name of its subdomain', () => {
  const name = (spec: object) => kernelHostname(pod(spec), podHostname(pod(spec), 'cluster.local'));
  expect(name({})).toBe('web');
  expect(name({ hostname: 'h', subdomain: 's' })).toBe('h');
  expect(name({ hostname: 'h', subdomain: 's', setHostnameAsFQDN: true })).toBe('h.s.shop.svc.cluster.local');
  expect(name({ hostname: `${'a'.repeat(62)}-b` })).toBe('a'.repeat(62));
  const text = hostsFileText(pod({ hostAliases: [{ ip: '1.2.3.4', hostnames: ['a', 'b'] }] }), ['10.0.0.5'], {
    hostname: 'h',
    domain: 's.d',
  });
  expect(text).toContain('10.0.0.5\th.s.d\th\n\n# Entries added by HostAliases.\n1.2.3.4\ta\tb\n');
});

test('the downward API returns fields, and resources in the requested unit', () => {
  expect(podFieldText(pod(), 'metadata.labels', facts)).toBe('app="web"');
  expect(podFieldText(pod(), "metadata.annotations['note']", facts)).toBe('x');
  expect(podFieldText(pod(), 'status.podIPs', facts)).toBe('10.0.0.5,fd00::5');
  expect(() => podFieldText(pod(), 'spec.foo', facts)).toThrow('unsupported fieldPath: spec.foo');
  const container = { name: 'c', resources: { limits: { cpu: '1500m', memory: '100Mi' } } } as never;
  expect(resourceText(pod(), container, { resource: 'limits.cpu' }, facts)).toBe('2');
  expect(resourceText(pod(), container, { resource: 'limits.cpu', divisor: '1m' }, facts)).toBe('1500');
  expect(resourceText(pod(), container, { resource: 'limits.memory', divisor: '1Mi' }, facts)).toBe('100');
  expect(resourceText(pod(), container, { resource: 'requests.cpu' }, facts)).toBe('0');
});

test('an image that would run as root is refused where the pod forbids it', () => {
  const strict = pod({ securityContext: { runAsNonRoot: true } });
  const container = strict.spec!.containers[0]!;
  expect(() => refuseRoot(strict, container, { uid: 0 })).toThrow(
    'container has runAsNonRoot and image will run as root (pod: "web_shop(u1)", container: c)',
  );
  expect(() => refuseRoot(strict, container, { username: 'www' })).toThrow('non-numeric user (www)');
  expect(() => refuseRoot(strict, container, { uid: 5 })).not.toThrow();
});

test('variables in text are replaced once, and a dollar sign can be had', () => {
  const value = (name: string) => ({ A: 'x', B: '$(A)' })[name];
  expect(expandVariables('$(A)/$(B)/$(C)/$$(A)/$/$(A', value)).toBe('x/$(A)/$(C)/$(A)/$/$(A');
});
