import {
  always,
  atomicList,
  embedded,
  int32,
  int64,
  intOrString,
  nullable,
  oneOf,
  optional,
  pointer,
  string,
  struct,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { Signal } from './signal.ts';

export const ExecAction = struct('core/v1.ExecAction', {
  command: optional(1, atomicList(string)),
});
export interface ExecAction extends Static<typeof ExecAction> {}

export const GRPCAction = struct('core/v1.GRPCAction', {
  port: always(1, int32, { required: true }),
  service: nullable(2, string, { default: '', defaultPublished: true }),
});
export interface GRPCAction extends Static<typeof GRPCAction> {}

export const HTTPHeader = struct('core/v1.HTTPHeader', {
  name: always(1, string, { required: true }),
  value: always(2, string, { required: true }),
});
export interface HTTPHeader extends Static<typeof HTTPHeader> {}

export const HTTPGetAction = struct('core/v1.HTTPGetAction', {
  path: optional(1, string, { default: '/' }),
  port: always(2, intOrString, { required: true }),
  host: optional(3, string),
  scheme: optional(4, named('v1.URIScheme', oneOf(['HTTP', 'HTTPS'])), { default: 'HTTP' }),
  httpHeaders: optional(5, atomicList(HTTPHeader), { go: 'HTTPHeaders' }),
});
export interface HTTPGetAction extends Static<typeof HTTPGetAction> {}

export const TCPSocketAction = struct('core/v1.TCPSocketAction', {
  port: always(1, intOrString, { required: true }),
  host: optional(2, string),
});
export interface TCPSocketAction extends Static<typeof TCPSocketAction> {}

export const SleepAction = struct('core/v1.SleepAction', {
  seconds: always(1, int64, { required: true }),
});
export interface SleepAction extends Static<typeof SleepAction> {}

export const LifecycleHandler = struct('core/v1.LifecycleHandler', {
  exec: pointer(1, ExecAction),
  httpGet: pointer(2, HTTPGetAction, { go: 'HTTPGet' }),
  tcpSocket: pointer(3, TCPSocketAction, { go: 'TCPSocket' }),
  sleep: pointer(4, SleepAction),
});
export interface LifecycleHandler extends Static<typeof LifecycleHandler> {}

export const Lifecycle = struct('core/v1.Lifecycle', {
  postStart: pointer(1, LifecycleHandler),
  preStop: pointer(2, LifecycleHandler),
  stopSignal: pointer(3, Signal, { gate: 'ContainerStopSignals', dropsEmptyParent: true }),
});
export interface Lifecycle extends Static<typeof Lifecycle> {}

export const ProbeHandler = struct('core/v1.ProbeHandler', {
  exec: pointer(1, ExecAction),
  httpGet: pointer(2, HTTPGetAction, { go: 'HTTPGet' }),
  tcpSocket: pointer(3, TCPSocketAction, { go: 'TCPSocket' }),
  grpc: pointer(4, GRPCAction, { go: 'GRPC' }),
});
export interface ProbeHandler extends Static<typeof ProbeHandler> {}

export const Probe = struct('core/v1.Probe', {
  probeHandler: embedded(1, ProbeHandler),
  initialDelaySeconds: optional(2, int32),
  timeoutSeconds: optional(3, int32, { default: 1 }),
  periodSeconds: optional(4, int32, { default: 10 }),
  successThreshold: optional(5, int32, { default: 1 }),
  failureThreshold: optional(6, int32, { default: 3 }),
  terminationGracePeriodSeconds: pointer(7, int64),
});
export interface Probe extends Static<typeof Probe> {}
