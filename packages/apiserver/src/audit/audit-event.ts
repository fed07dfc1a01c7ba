/** What an audit log tells of one stage of a request (`audit.k8s.io/v1` Event), and who takes it. */
import type { Status } from '@coxswain/apimachinery';
import type { UserInfo } from '../user.ts';

/** From nothing to everything; each level has what the one before it has. */
export const auditLevels = ['None', 'Metadata', 'Request', 'RequestResponse'] as const;
export type AuditLevel = (typeof auditLevels)[number];

/** `ResponseStarted` is told of long-running requests only, `Panic` in place of `ResponseComplete`. */
export const auditStages = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const;
export type AuditStage = (typeof auditStages)[number];

/** What a request is about, as far as its path and its body tell; empty members are left out. */
export interface ObjectReference {
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly apiGroup: string;
  readonly apiVersion: string;
  readonly resourceVersion: string;
  readonly subresource: string;
}

export type ResponseStatus = Partial<Pick<Status, 'status' | 'message' | 'reason' | 'details' | 'code'>>;

/** The request goes on and with it this value: a back end that keeps it, keeps a copy. */
export interface AuditEvent {
  readonly level: AuditLevel;
  readonly auditId: string;
  readonly stage: AuditStage;
  readonly requestUri: string;
  readonly verb: string;
  /** Absent when nobody could be authenticated. */
  readonly user: UserInfo | undefined;
  readonly impersonatedUser: UserInfo | undefined;
  /** The verb under which a constrained impersonation was allowed. */
  readonly impersonationConstraint: string;
  readonly sourceIps: readonly string[];
  readonly userAgent: string;
  readonly objectRef: ObjectReference | undefined;
  readonly responseStatus: ResponseStatus | undefined;
  /** JSON, or what was sent as a patch. */
  readonly requestObject: string | undefined;
  readonly responseObject: string | undefined;
  /** Milliseconds since the epoch. */
  readonly receivedAtMs: number;
  readonly stageAtMs: number;
  /** Never changed, only exchanged; frozen where several events share them. */
  readonly annotations: Readonly<Record<string, string>> | undefined;
  /** Kept by who writes the event as JSON: the id, as it stands in quotes. */
  idText?: string | undefined;
  /** The same until it changes: who asks for what. */
  requestText?: string | undefined;
}

/** Where audit events go. */
export interface AuditBackend {
  /** The name in metrics and logs. */
  readonly name: string;
  /** False when events are lost; a promise when the request has to wait for them to be kept. */
  process(events: readonly AuditEvent[]): boolean | Promise<boolean>;
  /** Resolves when all that was taken has been written; called last when the server stops. */
  flush(): Promise<void>;
}

export const copyOfEvent = (event: AuditEvent): AuditEvent => ({
  level: event.level,
  auditId: event.auditId,
  stage: event.stage,
  requestUri: event.requestUri,
  verb: event.verb,
  user: event.user,
  impersonatedUser: event.impersonatedUser,
  impersonationConstraint: event.impersonationConstraint,
  sourceIps: event.sourceIps,
  userAgent: event.userAgent,
  objectRef: event.objectRef,
  responseStatus: event.responseStatus,
  requestObject: event.requestObject,
  responseObject: event.responseObject,
  receivedAtMs: event.receivedAtMs,
  stageAtMs: event.stageAtMs,
  annotations: event.annotations,
});
