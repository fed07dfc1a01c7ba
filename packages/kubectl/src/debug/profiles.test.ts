import { expect, test } from 'vitest';
import type { DebugPod } from './debug-pod.ts';
import { profileNamed, type DebugStyle } from './profiles.ts';

const kept = {
  labels: false,
  annotations: false,
  liveness: false,
  readiness: false,
  startup: false,
  initContainers: true,
};

const pod: DebugPod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', labels: { app: 'web' }, annotations: { note: 'x' } },
  spec: {
    containers: [
      { name: 'main', livenessProbe: {}, readinessProbe: {} },
      { name: 'debugger', securityContext: { runAsUser: 7, capabilities: { add: ['KILL'] } } },
    ],
  },
};

const profiled = (name: string, style: DebugStyle, keep: Partial<typeof kept> = {}): DebugPod =>
  profileNamed(name)[style].reduce((before, step) => step(before, 'debugger', { ...kept, ...keep }), pod);

const security = ({ spec }: DebugPod) => spec.containers[1]?.securityContext;

test('the general profile lets an ephemeral container trace processes, in addition to its own capabilities', () => {
  expect(security(profiled('general', 'ephemeral'))).toEqual({
    runAsUser: 7,
    capabilities: { add: ['KILL', 'SYS_PTRACE'] },
  });
});

test('a copy has neither labels nor probes unless they are kept', () => {
  const copy = profiled('general', 'copy');
  expect(copy.metadata).toEqual({ name: 'p' });
  expect(copy.spec.containers[0]).toEqual({ name: 'main' });
  const full = profiled('general', 'copy', { labels: true, liveness: true });
  expect(full.metadata.labels).toEqual({ app: 'web' });
  expect(full.spec.containers[0]).toEqual({ name: 'main', livenessProbe: {} });
});

test('the restricted profile replaces all rights by those that pod security allows', () => {
  expect(security(profiled('restricted', 'ephemeral'))).toEqual({
    runAsNonRoot: true,
    capabilities: { drop: ['ALL'] },
    allowPrivilegeEscalation: false,
    seccompProfile: { type: 'RuntimeDefault' },
  });
});

test('a sysadmin on a node is privileged, in the namespaces of the host, and sees its files', () => {
  const { spec } = profiled('sysadmin', 'node');
  expect(spec).toMatchObject({ hostNetwork: true, hostPID: true, hostIPC: true });
  expect(spec.volumes).toEqual([{ name: 'host-root', hostPath: { path: '/' } }]);
  expect(spec.containers[1]).toMatchObject({
    securityContext: { privileged: true },
    volumeMounts: [{ name: 'host-root', mountPath: '/host' }],
  });
});

test('a name that is no profile is refused', () => {
  expect(() => profileNamed('constructor')).toThrow('unknown profile: constructor');
});
