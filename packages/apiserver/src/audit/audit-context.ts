/**
 * Collects the audit data of one request: handlers and filters add what they learn, and at every stage that the policy
 * includes the back end receives the event in its current state.
 */
import type { Clock, KubeObject, Status } from '@coxswain/apimachinery';
import { readYaml } from '@coxswain/apimachinery/yaml/read.ts';
import { writeAny } from '@coxswain/schema/json/write.ts';
import type { Decision } from '../authorization/authorizer.ts';
import type { AuditedRequest } from './audited-request.ts';
import { readHeader } from '../header-bytes.ts';
import type { UserInfo } from '../user.ts';
import type {
  AuditBackend,
  AuditEvent,
  AuditLevel,
  AuditStage,
  ObjectReference,
  ResponseStatus,
} from './audit-event.ts';
import type { AuditMetrics } from './audit-metrics.ts';
import { decisionAnnotations } from './decision-annotations.ts';
import type { EvaluatePolicy, RequestAudit } from './policy/request-audit.ts';
import { RequestLatencies, type LatencyPart } from './request-latencies.ts';
import { sourceAddresses } from './source-addresses.ts';
import { statusOfCode } from './status-of-code.ts';
import { withoutManagedFields } from './without-managed-fields.ts';

/** The audit configuration of a server, shared by all its requests. */
export interface Auditing {
  readonly evaluate: EvaluatePolicy;
  readonly backend: AuditBackend;
  readonly metrics: AuditMetrics;
  readonly clock: Clock;
  readonly log: (line: string) => void;
}

/** As upstream; latencies are reported only for slower requests. */
const slowRequestMs = 500;

/** The maximum number of characters of a user agent in an event. */
const userAgentLengthMax = 1024;

type Kept = void | Promise<void>;

/** Audit data that handlers in another thread collected. */
export interface AuditNotes {
  readonly objectRef: ObjectReference | undefined;
  readonly responseStatus: ResponseStatus | undefined;
  readonly requestObject: string | undefined;
  readonly responseObject: string | undefined;
  readonly annotations: Readonly<Record<string, string>> | undefined;
  readonly latencies: readonly (readonly [LatencyPart, number])[];
}

export class AuditContext implements AuditEvent {
  readonly #auditing: Auditing;
  readonly auditId: string;
  #rule: RequestAudit | undefined;
  stage: AuditStage = 'ResponseStarted';
  #request: AuditedRequest | undefined;
  user: UserInfo | undefined;
  impersonatedUser: UserInfo | undefined;
  impersonationConstraint = '';
  #objectRef: ObjectReference | undefined;
  responseStatus: ResponseStatus | undefined;
  requestObject: string | undefined;
  responseObject: string | undefined;
  receivedAtMs = 0;
  stageAtMs = 0;
  annotations: Readonly<Record<string, string>> | undefined;
  idText: string | undefined;
  requestText: string | undefined;
  #latencies: RequestLatencies | undefined;
  #removedRelease: string | undefined;

  /** @param isOwnId whether the server generated the id, so that it contains nothing that JSON would escape */
  constructor(auditing: Auditing, auditId: string, isOwnId: boolean) {
    this.#auditing = auditing;
    this.auditId = auditId;
    this.idText = isOwnId ? auditId : undefined;
  }

  /**
   * Creates the context for a thread that serves `request` on behalf of another thread, which evaluates the policy and
   * sends the event to the back end.
   */
  static elsewhere(
    request: AuditedRequest,
    rule: RequestAudit,
    { clock, log }: Pick<Auditing, 'clock' | 'log'>,
  ) {
    const context = new AuditContext({ clock, log } as Auditing, request.auditId, false);
    context.#rule = rule;
    context.#request = request;
    return context;
  }

  /** The policy's decision on the request; undefined until the policy is evaluated. */
  get rule(): RequestAudit | undefined {
    return this.#rule;
  }

  notes(): AuditNotes {
    const { responseStatus, requestObject, responseObject, annotations } = this;
    const latencies = this.#latencies?.parts ?? [];
    return {
      objectRef: this.#objectRef,
      responseStatus,
      requestObject,
      responseObject,
      annotations,
      latencies,
    };
  }

  adopt({ objectRef, annotations = {}, latencies, ...noted }: AuditNotes): void {
    Object.assign(this, noted);
    this.#objectRef = objectRef;
    for (const [key, value] of Object.entries(annotations)) this.annotate(key, value);
    for (const [part, ms] of latencies) this.latencies.add(part, ms);
  }

  /** The name of the back end that receives the events. */
  get backendName(): string {
    return this.#auditing.backend.name;
  }

  get level(): AuditLevel {
    return this.#rule?.level ?? 'None';
  }

  get requestUri(): string {
    if (this.#request === undefined) return '';
    const { path, query } = this.#request.incoming;
    return query === '' ? path : `${path}?${query}`;
  }

  get verb(): string {
    return this.#request?.info.verb ?? '';
  }

  get sourceIps(): readonly string[] {
    return this.#request === undefined ? [] : sourceAddresses(this.#request);
  }

  get userAgent(): string {
    return shortened(readHeader(this.#request?.header('user-agent') ?? ''));
  }

  get objectRef(): ObjectReference | undefined {
    if (this.#request?.info.isResourceRequest !== true) return undefined;
    return (this.#objectRef ??= referenceTo(this.#request));
  }

  /** Records the use of a deprecated API; annotated when the request completes. */
  noteDeprecated(removedRelease: string): void {
    this.#removedRelease = removedRelease;
  }

  /** Evaluates the policy. Returns false when the request is not audited. */
  begin(request: AuditedRequest, user: UserInfo | undefined): boolean {
    const { evaluate, metrics } = this.#auditing;
    this.#rule = evaluate(request.info, request.user);
    metrics.countLevel(this.#rule.level);
    if (this.#rule.level === 'None') return false;
    this.#request = request;
    this.user = user;
    this.receivedAtMs = request.receivedAtMs;
    return true;
  }

  /**
   * Adds an annotation; an existing value of the key is kept.
   * @param level the lowest level at which it is written; annotations made before the policy is evaluated are written
   * at any level
   */
  annotate(key: string, value: string, level: 'Metadata' | 'Request' = 'Metadata'): void {
    if (level === 'Request' && !this.#reports('Request')) return;
    const present = this.annotations?.[key];
    if (present === undefined) this.annotations = { ...this.annotations, [key]: value };
    else if (present !== value) {
      this.#auditing.log(
        `Failed to set annotations[${JSON.stringify(key)}] to ${JSON.stringify(value)} for audit:${JSON.stringify(this.auditId)}, it has already been set to ${JSON.stringify(present)}`,
      );
    }
  }

  /** Records authorization's decision and reason. */
  noteDecision(decision: Decision): void {
    const found = decisionAnnotations(decision);
    if (this.annotations === undefined) this.annotations = found;
    else for (const key of Object.keys(found)) this.annotate(key, found[key]!);
  }

  /** The durations of the request's parts; created on first use. */
  get latencies(): RequestLatencies {
    return (this.#latencies ??= new RequestLatencies(this.#auditing.clock));
  }

  noteImpersonation(user: UserInfo, constraint: string): void {
    this.impersonatedUser = user;
    this.impersonationConstraint = constraint;
    this.requestText = undefined;
  }

  /**
   * @param json returns the object's JSON in the version in which it was sent; called only when the level requires it
   */
  noteRequestObject(object: KubeObject, json: () => string): void {
    const { name = '', namespace = '', uid = '', resourceVersion = '' } = object.metadata ?? {};
    const reference = this.objectRef;
    if (reference !== undefined) {
      this.requestText = undefined;
      this.#objectRef = {
        ...reference,
        namespace: reference.namespace || namespace,
        name: reference.name || name,
        uid: reference.uid || uid,
        resourceVersion: reference.resourceVersion || resourceVersion,
      };
    }
    this.#noteRequest(json);
  }

  /** Options of a deletion have no metadata to take a reference from. */
  noteOptions(json: () => string): void {
    this.#noteRequest(json);
  }

  notePatch(bytes: Uint8Array): void {
    if (this.#reports('Request')) this.requestObject = patchText(new TextDecoder().decode(bytes));
  }

  /** @param json returns the response's JSON in the form in which it is sent; called only when the level requires it */
  noteResponse(json: () => string): void {
    if (this.#reports('RequestResponse')) this.responseObject = this.#managed(json());
  }

  /** Records a response that is a Status: a failure, or the result of an operation. */
  noteStatus({ status, message, reason, details, code }: Status, json: () => string): void {
    this.responseStatus = {
      ...(status && { status }),
      ...(message && { message }),
      ...(reason && { reason }),
      ...(details && { details }),
      ...(code && { code }),
    };
    this.noteResponse(json);
  }

  noteCode(code: number): void {
    this.responseStatus =
      this.responseStatus === undefined ? statusOfCode(code) : { ...this.responseStatus, code };
  }

  notePanic(message: string): void {
    this.responseStatus = { status: 'Failure', message, reason: 'InternalError', code: 500 };
  }

  /** Returns false when the request must be refused because its event could not be recorded. */
  received(): boolean | Promise<boolean> {
    const kept = this.#process('RequestReceived', this.receivedAtMs);
    return kept instanceof Promise ? kept.then((later) => this.#countKept(later)) : this.#countKept(kept);
  }

  started(): Kept {
    return settled(this.#process('ResponseStarted'));
  }

  completed(): Kept {
    if (this.#removedRelease !== undefined) {
      this.annotate('k8s.io/deprecated', 'true');
      if (this.#removedRelease !== '') this.annotate('k8s.io/removed-release', this.#removedRelease);
    }
    const atMs = this.#answeredAtMs();
    const totalMs = atMs - this.receivedAtMs;
    if (totalMs > slowRequestMs) this.#annotateLatencies(totalMs);
    return settled(this.#process('ResponseComplete', atMs));
  }

  panicked(): Kept {
    return settled(this.#process('Panic'));
  }

  #countKept(isKept: boolean): boolean {
    if (!isKept) this.#auditing.metrics.rejected.add();
    return isKept;
  }

  #reports(level: 'Request' | 'RequestResponse'): boolean {
    return this.#rule?.level === 'RequestResponse' || this.#rule?.level === level;
  }

  #noteRequest(json: () => string): void {
    if (this.#reports('Request')) this.requestObject = this.#managed(json());
  }

  #managed(json: string): string {
    const text = json.trimEnd();
    return this.#rule?.omitManagedFields ? withoutManagedFields(text) : text;
  }

  /** The time of the response if it was recorded; for long-running requests, the current time. */
  #answeredAtMs(): number {
    const { answeredAtMs, startedAtMs } = this.#request!;
    return answeredAtMs === 0
      ? this.#auditing.clock.now()
      : this.receivedAtMs + Math.trunc(answeredAtMs - startedAtMs);
  }

  #process(stage: AuditStage, atMs?: number): boolean | Promise<boolean> {
    if (this.#rule === undefined || this.#rule.omitStages.has(stage)) return true;
    const { backend, clock, metrics } = this.#auditing;
    this.stage = stage;
    this.stageAtMs = atMs ?? clock.now();
    metrics.events.add();
    return backend.process([this]);
  }

  /** Annotates a slow request with the durations of its parts. */
  #annotateLatencies(totalMs: number): void {
    const { authenticatedAtMs, startedAtMs } = this.#request!;
    if (this.user !== undefined) this.latencies.add('authentication', authenticatedAtMs - startedAtMs);
    for (const [key, value] of this.latencies.annotations(totalMs)) this.annotate(key, value);
  }
}

const settled = (kept: boolean | Promise<boolean>): Kept =>
  kept instanceof Promise ? kept.then(() => undefined) : undefined;

/** Returns the patch as sent if it is JSON; apply configurations are sent as YAML. */
function patchText(text: string): string {
  try {
    JSON.parse(text);
    return text.trim();
  } catch {
    return yamlAsJson(text);
  }
}

function yamlAsJson(text: string): string {
  try {
    return writeAny(readYaml(text));
  } catch {
    return JSON.stringify(text);
  }
}

const shortened = (userAgent: string): string =>
  userAgent.length > userAgentLengthMax ? `${userAgent.slice(0, userAgentLengthMax)}...TRUNCATED` : userAgent;

const referenceTo = ({ info }: AuditedRequest): ObjectReference => ({
  resource: info.resource,
  namespace: info.namespace,
  name: info.name,
  uid: '',
  apiGroup: info.group,
  apiVersion: info.version,
  resourceVersion: '',
  subresource: info.subresource,
});
