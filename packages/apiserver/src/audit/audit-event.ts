/** The audit event of one stage of a request (`audit.k8s.io/v1` Event), and the back ends that receive it. */
import type { Status } from '@coxswain/apimachinery';
import type { UserInfo } from '../user.ts';

/** Audit levels in increasing order of detail. */
export const auditLevels = ['None', 'Metadata', 'Request', 'RequestResponse'] as const;
export type AuditLevel = (typeof auditLevels)[number];

/** `ResponseStarted` occurs only for long-running requests, `Panic` in place of `ResponseComplete`. */
export const auditStages = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const;
export type AuditStage = (typeof auditStages)[number];

/** The object of a request, as far as its path and its body identify it; empty members are left out. */
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

/** An audit event. It changes as the request proceeds, so a back end that keeps it must copy it. */
export interface AuditEvent {
  readonly level: AuditLevel;
  readonly auditId: string;
  readonly stage: AuditStage;
  readonly requestUri: string;
  readonly verb: string;
  /** Absent when authentication failed. */
  readonly user: UserInfo | undefined;
  readonly impersonatedUser: UserInfo | undefined;
  /** The verb that allowed a constrained impersonation. */
  readonly impersonationConstraint: string;
  readonly sourceIps: readonly string[];
  readonly userAgent: string;
  readonly objectRef: ObjectReference | undefined;
  readonly responseStatus: ResponseStatus | undefined;
  /** JSON, or the patch as it was sent. */
  readonly requestObject: string | undefined;
  readonly responseObject: string | undefined;
  /** Milliseconds since the epoch. */
  readonly receivedAtMs: number;
  readonly stageAtMs: number;
  /** Replaced, never changed in place; frozen where several events share it. */
  readonly annotations: Readonly<Record<string, string>> | undefined;
  /** Cached by the JSON writer: the quoted id. */
  idText?: string | undefined;
  /** Cached by the JSON writer until it changes: the text of user and request. */
  requestText?: string | undefined;
}

/** A destination of audit events. */
export interface AuditBackend {
  /** The name in metrics and logs. */
  readonly name: string;
  /** Returns false when events were lost, or a promise when the request must wait for them to be written. */
  process(events: readonly AuditEvent[]): boolean | Promise<boolean>;
  /** Resolves when all accepted events have been written; called last when the server stops. */
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
