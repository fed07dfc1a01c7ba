import * as t from '@coxswain/schema';

export const PodAttachOptions = t.kind('core/v1.PodAttachOptions', 'v1', undefined, {
  stdin: t.optional(1, t.bool),
  stdout: t.optional(2, t.bool),
  stderr: t.optional(3, t.bool),
  tty: t.optional(4, t.bool, { go: 'TTY' }),
  container: t.optional(5, t.string),
});
export interface PodAttachOptions extends t.Static<typeof PodAttachOptions> {}

export const PodExecOptions = t.kind('core/v1.PodExecOptions', 'v1', undefined, {
  stdin: t.optional(1, t.bool),
  stdout: t.optional(2, t.bool),
  stderr: t.optional(3, t.bool),
  tty: t.optional(4, t.bool, { go: 'TTY' }),
  container: t.optional(5, t.string),
  command: t.always(6, t.atomicList(t.string)),
});
export interface PodExecOptions extends t.Static<typeof PodExecOptions> {}

export const PodLogOptions = t.kind('core/v1.PodLogOptions', 'v1', undefined, {
  container: t.optional(1, t.string),
  follow: t.optional(2, t.bool),
  previous: t.optional(3, t.bool),
  sinceSeconds: t.pointer(4, t.int64),
  sinceTime: t.pointer(5, t.time),
  timestamps: t.optional(6, t.bool),
  tailLines: t.pointer(7, t.int64),
  limitBytes: t.pointer(8, t.int64),
  insecureSkipTLSVerifyBackend: t.optional(9, t.bool),
  stream: t.pointer(10, t.string, { gate: 'PodLogsQuerySplitStreams' }),
});
export interface PodLogOptions extends t.Static<typeof PodLogOptions> {}

export const PodPortForwardOptions = t.kind('core/v1.PodPortForwardOptions', 'v1', undefined, {
  ports: t.optional(1, t.atomicList(t.int32)),
});
export interface PodPortForwardOptions extends t.Static<typeof PodPortForwardOptions> {}

export const PodProxyOptions = t.kind('core/v1.PodProxyOptions', 'v1', undefined, {
  path: t.optional(1, t.string),
});
export interface PodProxyOptions extends t.Static<typeof PodProxyOptions> {}

export interface PodOptions {
  /** Whether it is a pod rather than a template. */
  readonly isPod: boolean;
  readonly allowPrivileged: boolean;
  readonly restartAllContainers: boolean;
  readonly tolerationComparisons: boolean;
  readonly hostNetworkUserNamespaces: boolean;
  /** Whether volumes may be mounted with their SELinux label. */
  readonly volumeLabelsByMount: boolean;
  /** Set when the stored object already has them. */
  readonly invalidLabelValuesInSelectors: boolean;
  readonly invalidLabelValuesInNodeAffinity: boolean;
  readonly indivisibleHugePages: boolean;
  readonly invalidDeletionCost: boolean;
  readonly nonLocalTokenPaths: boolean;
  readonly hostNamespaceSysctls: boolean;
  readonly volumeDevicesInUserNamespaces: boolean;
  readonly restartingInitContainerResize: boolean;
  readonly invalidSpreadSelectors: boolean;
  /**
   * Whether spread constraints' keys that are also in the selector are validated by the rule from before they were
   * merged.
   */
  readonly legacySpreadKeys: boolean;
}
