import {
  always,
  atomicList,
  bool,
  int32,
  int64,
  kind,
  optional,
  pointer,
  string,
  time,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const PodAttachOptions = kind('core/v1.PodAttachOptions', 'v1', undefined, {
  stdin: optional(1, bool),
  stdout: optional(2, bool),
  stderr: optional(3, bool),
  tty: optional(4, bool, { go: 'TTY' }),
  container: optional(5, string),
});
export interface PodAttachOptions extends Static<typeof PodAttachOptions> {}

export const PodExecOptions = kind('core/v1.PodExecOptions', 'v1', undefined, {
  stdin: optional(1, bool),
  stdout: optional(2, bool),
  stderr: optional(3, bool),
  tty: optional(4, bool, { go: 'TTY' }),
  container: optional(5, string),
  command: always(6, atomicList(string)),
});
export interface PodExecOptions extends Static<typeof PodExecOptions> {}

export const PodLogOptions = kind('core/v1.PodLogOptions', 'v1', undefined, {
  container: optional(1, string),
  follow: optional(2, bool),
  previous: optional(3, bool),
  sinceSeconds: pointer(4, int64),
  sinceTime: pointer(5, time),
  timestamps: optional(6, bool),
  tailLines: pointer(7, int64),
  limitBytes: pointer(8, int64),
  insecureSkipTLSVerifyBackend: optional(9, bool),
  stream: pointer(10, string, { gate: 'PodLogsQuerySplitStreams' }),
});
export interface PodLogOptions extends Static<typeof PodLogOptions> {}

export const PodPortForwardOptions = kind('core/v1.PodPortForwardOptions', 'v1', undefined, {
  ports: optional(1, atomicList(int32)),
});
export interface PodPortForwardOptions extends Static<typeof PodPortForwardOptions> {}

export const PodProxyOptions = kind('core/v1.PodProxyOptions', 'v1', undefined, {
  path: optional(1, string),
});
export interface PodProxyOptions extends Static<typeof PodProxyOptions> {}
