/** The admission attributes of a write. */
import type { KubeObject } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { AdmissionAttributes, AdmissionOperation } from '../admission/plugin.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { ResourceScope } from '../services/resource-scope.ts';
import { decodeManagers } from '@coxswain/schema/structured-merge/managers.ts';
import { operationOptions } from './options/operation-options.ts';
import { outgoingTraceParent } from '../tracing/outgoing-trace.ts';

export interface AdmittedWrite {
  readonly operation: AdmissionOperation;
  readonly name: string;
  readonly object: KubeObject | undefined;
  readonly oldObject: KubeObject | undefined;
  readonly options: object;
  readonly dryRun: boolean;
}

export const attributesOfWrite = (
  request: ApiRequest,
  scope: ResourceScope,
  write: AdmittedWrite,
): AdmissionAttributes => ({
  operation: write.operation,
  name: write.name,
  object: write.object,
  oldObject: write.oldObject,
  dryRun: write.dryRun,
  kind: { group: scope.kind.group, version: scope.kind.version, kind: scope.kind.kind },
  resource: { group: scope.group, version: scope.version, resource: scope.resource },
  subresource: scope.subresource,
  namespace: request.namespace,
  user: request.user,
  observer: request.observer,
  owner: request.owner,
  allowance: request.allowance,
  deadlineMs: request.deadlineMs,
  operationOptions: () => operationOptions(request, write),
  signal: () => request.signal,
  traceParent: () => outgoingTraceParent(request),
  warn: (text) => request.warn(text),
  annotate: (key, value, level = 'Metadata') => {
    request.audit?.annotate(key, value, level);
  },
  noteWait: (part, ms) => request.audit?.latencies.add(part, ms),
});

/** Runs the mutating plugins on the object and returns the result. */
export function mutated(
  request: ApiRequest,
  scope: ResourceScope,
  write: AdmittedWrite,
): KubeObject | Promise<KubeObject> {
  const { admission } = scope.services;
  if (!admission.handles(write.operation)) return write.object!;
  const attributes = attributesOfWrite(request, scope, write);
  const done = admission.mutate(attributes);
  const result = () => withReadableManagers(request, scope, write.object!, attributes.object!);
  return done instanceof Promise ? done.then(result) : result();
}

/** managedFields must stay readable, whatever a webhook or a policy does to them. */
function withReadableManagers(
  request: ApiRequest,
  { fields }: ResourceScope,
  before: KubeObject,
  after: KubeObject,
): KubeObject {
  if (after === before || fields === undefined) return after;
  try {
    decodeManagers(after.metadata?.managedFields ?? []);
    return after;
  } catch (failure) {
    request.warn(
      '.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated ' +
        `mutating admission controller; please fix your requests: ${messageOf(failure)}`,
    );
    const { managedFields: _, ...metadata } = after.metadata;
    const { managedFields } = before.metadata;
    return { ...after, metadata: { ...metadata, ...(managedFields && { managedFields }) } };
  }
}

/** Runs the validating plugins. */
export function validated(
  request: ApiRequest,
  scope: ResourceScope,
  write: AdmittedWrite,
): void | Promise<void> {
  const { admission } = scope.services;
  if (!admission.handles(write.operation)) return;
  return admission.validate(attributesOfWrite(request, scope, write));
}
