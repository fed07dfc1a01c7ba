import * as t from '@coxswain/schema';
import { Signal } from './signal.ts';

export const ExecAction = t.struct('core/v1.ExecAction', {
  command: t.optional(1, t.atomicList(t.string)),
});
export interface ExecAction extends t.Static<typeof ExecAction> {}

export const GRPCAction = t.struct('core/v1.GRPCAction', {
  port: t.always(1, t.int32, { required: true }),
  service: t.nullable(2, t.string, { default: '', defaultPublished: true }),
});
export interface GRPCAction extends t.Static<typeof GRPCAction> {}

export const HTTPHeader = t.struct('core/v1.HTTPHeader', {
  name: t.always(1, t.string, { required: true }),
  value: t.always(2, t.string, { required: true }),
});
export interface HTTPHeader extends t.Static<typeof HTTPHeader> {}

export const HTTPGetAction = t.struct('core/v1.HTTPGetAction', {
  path: t.optional(1, t.string, { default: '/' }),
  port: t.always(2, t.intOrString, { required: true }),
  host: t.optional(3, t.string),
  scheme: t.optional(4, t.named('v1.URIScheme', t.oneOf(['HTTP', 'HTTPS'])), { default: 'HTTP' }),
  httpHeaders: t.optional(5, t.atomicList(HTTPHeader), { go: 'HTTPHeaders' }),
});
export interface HTTPGetAction extends t.Static<typeof HTTPGetAction> {}

export const TCPSocketAction = t.struct('core/v1.TCPSocketAction', {
  port: t.always(1, t.intOrString, { required: true }),
  host: t.optional(2, t.string),
});
export interface TCPSocketAction extends t.Static<typeof TCPSocketAction> {}

export const SleepAction = t.struct('core/v1.SleepAction', {
  seconds: t.always(1, t.int64, { required: true }),
});
export interface SleepAction extends t.Static<typeof SleepAction> {}

export const LifecycleHandler = t.struct('core/v1.LifecycleHandler', {
  exec: t.pointer(1, ExecAction),
  httpGet: t.pointer(2, HTTPGetAction, { go: 'HTTPGet' }),
  tcpSocket: t.pointer(3, TCPSocketAction, { go: 'TCPSocket' }),
  sleep: t.pointer(4, SleepAction),
});
export interface LifecycleHandler extends t.Static<typeof LifecycleHandler> {}

export const Lifecycle = t.struct('core/v1.Lifecycle', {
  postStart: t.pointer(1, LifecycleHandler),
  preStop: t.pointer(2, LifecycleHandler),
  stopSignal: t.pointer(3, Signal, { gate: 'ContainerStopSignals', dropsEmptyParent: true }),
});
export interface Lifecycle extends t.Static<typeof Lifecycle> {}

export const ProbeHandler = t.struct('core/v1.ProbeHandler', {
  exec: t.pointer(1, ExecAction),
  httpGet: t.pointer(2, HTTPGetAction, { go: 'HTTPGet' }),
  tcpSocket: t.pointer(3, TCPSocketAction, { go: 'TCPSocket' }),
  grpc: t.pointer(4, GRPCAction, { go: 'GRPC' }),
});
export interface ProbeHandler extends t.Static<typeof ProbeHandler> {}

export const Probe = t.struct('core/v1.Probe', {
  probeHandler: t.embedded(1, ProbeHandler),
  initialDelaySeconds: t.optional(2, t.int32),
  timeoutSeconds: t.optional(3, t.int32, { default: 1 }),
  periodSeconds: t.optional(4, t.int32, { default: 10 }),
  successThreshold: t.optional(5, t.int32, { default: 1 }),
  failureThreshold: t.optional(6, t.int32, { default: 3 }),
  terminationGracePeriodSeconds: t.pointer(7, t.int64),
});
export interface Probe extends t.Static<typeof Probe> {}
