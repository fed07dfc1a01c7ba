/** Replays the requests in an audit log: which of the allowed ones would the policies deny now? */
import type { KubeObject } from '@coxswain/apimachinery';
import type { CaseRequest, Requester } from './suite.ts';
import { startTrialCluster } from './trial-cluster.ts';

/** The relevant fields of an audit event (`audit.k8s.io/v1`). */
export interface RecordedEvent {
  readonly stage?: string;
  readonly verb?: string;
  readonly user?: {
    readonly username?: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
  readonly objectRef?: { readonly name?: string; readonly namespace?: string; readonly subresource?: string };
  readonly requestObject?: KubeObject;
  readonly responseStatus?: { readonly code?: number };
}

export interface ReplayedRequest {
  readonly user: string;
  readonly verb: string;
  /** `Deployment default/web` */
  readonly what: string;
  /** The message of the denial; undefined for a request that would still be allowed. */
  readonly denied: string | undefined;
  readonly warnings: readonly string[];
}

export interface Replay {
  readonly requests: readonly ReplayedRequest[];
  /**
   * The number of writes that were skipped because the log lacks their object (at a level below Request), or because
   * they depend on former state.
   */
  readonly passedOver: number;
}

/** @throws StatusError for an object that the server refuses */
export async function replayAudit(
  objects: readonly KubeObject[],
  events: Iterable<RecordedEvent>,
): Promise<Replay> {
  const cluster = await startTrialCluster();
  try {
    await cluster.prepare(objects);
    const requests: ReplayedRequest[] = [];
    let passedOver = 0;
    for (const event of events) {
      if (!isAllowedWrite(event)) continue;
      const request = requestOf(event);
      if (request === undefined) {
        passedOver++;
        continue;
      }
      const { status, message, warnings } = await cluster.ask(request, requesterOf(event));
      const { kind, metadata } = request.object;
      const place = metadata.namespace === undefined ? '' : `${metadata.namespace}/`;
      requests.push({
        user: event.user?.username ?? '',
        verb: event.verb ?? '',
        what: `${kind} ${place}${metadata.name ?? metadata.generateName ?? ''}`,
        denied: status >= 400 ? message : undefined,
        warnings,
      });
    }
    return { requests, passedOver };
  } finally {
    await cluster.stop();
  }
}

const writes = new Set(['create', 'update', 'patch', 'delete']);

const isAllowedWrite = ({ stage, verb = '', objectRef, responseStatus }: RecordedEvent): boolean =>
  (stage === undefined || stage === 'ResponseComplete') &&
  writes.has(verb) &&
  (objectRef?.subresource ?? '') === '' &&
  (responseStatus?.code ?? 200) < 400;

/** A create can be repeated as it was, and an update as one that changes nothing else. */
function requestOf({ verb, objectRef, requestObject }: RecordedEvent): CaseRequest | undefined {
  if (requestObject?.kind === undefined || (verb !== 'create' && verb !== 'update')) return undefined;
  const { namespace } = objectRef ?? {};
  const { resourceVersion: _version, uid: _uid, managedFields: _fields, ...kept } = requestObject.metadata;
  const metadata = { ...kept, ...(namespace ? { namespace } : {}) };
  const object = { ...requestObject, metadata } as KubeObject;
  return verb === 'create' ? { verb, object } : { verb, before: object, object };
}

const requesterOf = ({ user }: RecordedEvent): Requester | undefined =>
  user?.username === undefined
    ? undefined
    : {
        user: user.username,
        ...(user.uid === undefined ? {} : { uid: user.uid }),
        groups: user.groups ?? [],
        ...(user.extra === undefined ? {} : { extra: user.extra }),
      };
