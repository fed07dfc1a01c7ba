/** The building blocks of profiles: single changes to a pod or its debugging container. */
import { withContainer, withSpec, without, type DebugPod, type SecurityContext } from './debug-pod.ts';

export interface KeptParts {
  readonly labels: boolean;
  readonly annotations: boolean;
  readonly liveness: boolean;
  readonly readiness: boolean;
  readonly startup: boolean;
  readonly initContainers: boolean;
}

export type ProfileStep = (pod: DebugPod, container: string, kept: KeptParts) => DebugPod;

const hostVolume = 'host-root';

/** Mounts the node's file system at /host. */
export const mountHost: ProfileStep = (pod, container) => {
  const { volumes = [] } = pod.spec;
  const mounted = withSpec(pod, { volumes: [...volumes, { name: hostVolume, hostPath: { path: '/' } }] });
  return withContainer(mounted, container, (one) => ({
    ...one,
    volumeMounts: [...(one.volumeMounts ?? []), { name: hostVolume, mountPath: '/host' }],
  }));
};

export const useHostNamespaces: ProfileStep = (pod) =>
  withSpec(pod, { hostNetwork: true, hostPID: true, hostIPC: true });

/** Applies unless the pod specifies it itself. */
export const shareProcesses: ProfileStep = (pod) =>
  pod.spec.shareProcessNamespace === undefined ? withSpec(pod, { shareProcessNamespace: true }) : pod;

export const removeLabels: ProfileStep = (pod) => ({ ...pod, metadata: without(pod.metadata, 'labels') });

/** Removes what a copy doesn't keep unless requested. */
export const removeUnkept: ProfileStep = (pod, _container, kept) => {
  const metadata = without(
    pod.metadata,
    ...(kept.labels ? [] : (['labels'] as const)),
    ...(kept.annotations ? [] : (['annotations'] as const)),
  );
  const containers = pod.spec.containers.map((one) =>
    without(
      one,
      ...(kept.liveness ? [] : (['livenessProbe'] as const)),
      ...(kept.readiness ? [] : (['readinessProbe'] as const)),
      ...(kept.startup ? [] : (['startupProbe'] as const)),
    ),
  );
  const spec = { ...pod.spec, containers };
  return { ...pod, metadata, spec: kept.initContainers ? spec : without(spec, 'initContainers') };
};

export const clearSecurity: ProfileStep = (pod, container) =>
  withContainer(pod, container, (one) => without(one, 'securityContext'));

const secured =
  (change: (before: SecurityContext) => SecurityContext): ProfileStep =>
  (pod, container) =>
    withContainer(pod, container, (one) => ({ ...one, securityContext: change(one.securityContext ?? {}) }));

export const privileged = secured((before) => ({ ...before, privileged: true }));

/** Satisfies the restricted Pod Security Standard. */
export const restrict = secured((before) => ({
  ...before,
  runAsNonRoot: true,
  capabilities: { ...without(before.capabilities ?? {}, 'add'), drop: ['ALL'] },
  allowPrivilegeEscalation: false,
  seccompProfile: { type: 'RuntimeDefault' },
}));

export const addCapabilities = (...names: readonly string[]): ProfileStep =>
  secured((before) => ({
    ...before,
    capabilities: { ...before.capabilities, add: [...(before.capabilities?.add ?? []), ...names] },
  }));
