/** Plays one case over a transport and returns its responses in comparable form. */
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { spellOutHeaders } from '@coxswain/apiserver/header-bytes.ts';
import type { ApiResponse } from '@coxswain/apiserver/http/api-response.ts';
import type { Transport, TransportResponse } from '@coxswain/client/transport.ts';
import { viewAnswers, type RawAnswer } from './answer-view.ts';
import type { AnswerView, Case, Impersonation, Step } from './case.ts';
import { fillReferences, type Scope } from './references.ts';
import { valueAt } from './value-path.ts';

export interface NamedAnswer extends AnswerView {
  readonly name: string;
}

export interface Played {
  readonly answers: readonly NamedAnswer[];
  /** What ended the case early. */
  readonly problem?: string;
}

/** The users of a case's `as`; the server under test knows the same tokens. */
export const testUsers = {
  admin: { token: 'oracle-admin-token', uid: 'uid-admin', groups: ['system:masters'] },
  alice: { token: 'oracle-alice-token', uid: 'uid-alice', groups: ['dev'] },
  bob: { token: 'oracle-bob-token', uid: 'uid-bob', groups: ['ops'] },
} as const;

const watchMsDefault = 5_000;
const answerMsMax = 60_000;
const retryMsDefault = 30_000;
const retryPauseMs = 50;

interface Answer {
  readonly status: number;
  readonly headers: TransportResponse['headers'];
  readonly body: unknown;
  readonly stream?: string;
}

export async function playCase(testCase: Case, transport: Transport): Promise<Played> {
  const scope: Player['scope'] = {
    ns: testCase.cluster ? undefined : `ns-${randomText(8)}`,
    id: `x${randomText(7)}`,
    answers: new Map(),
  };
  const player = new Player(transport, scope);
  const problem = await player.playAll(testCase).then(
    () => undefined,
    (error: Error) => error.message,
  );
  for (const step of testCase.cleanup ?? []) await player.ask(step).catch(() => {});
  if (scope.ns !== undefined)
    await player.ask({ name: '', req: `DELETE /api/v1/namespaces/${scope.ns}` }).catch(() => {});
  const played = player.answers.filter((answer) => answer !== undefined);
  const views = viewAnswers(played, {
    ns: scope.ns,
    id: scope.id,
    source: JSON.stringify(sourceOf(testCase)),
  });
  const answers = views.map((view, i) => ({ name: played[i]!.step.name, ...view }));
  return problem === undefined ? { answers } : { answers, problem };
}

const sourceOf = (testCase: Case): object => ({ ...testCase, answers: undefined });

class Player {
  readonly scope: Scope & { readonly answers: Map<string, Answer> };
  readonly answers: (RawAnswer | undefined)[] = [];
  readonly #transport: Transport;

  constructor(transport: Transport, scope: Player['scope']) {
    this.#transport = transport;
    this.scope = scope;
  }

  async playAll({ namespaceLabels, steps }: Case): Promise<void> {
    if (this.scope.ns !== undefined) await this.#createNamespace(this.scope.ns, namespaceLabels);
    for (const step of steps) await this.#play(step);
  }

  async #createNamespace(name: string, labels: Case['namespaceLabels']): Promise<void> {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, ...(labels && { labels }) } };
    const answer = await this.ask({ name: '', req: 'POST /api/v1/namespaces', body });
    if (answer.status !== 201) throw new Error(`namespace: ${answer.status} ${JSON.stringify(answer.body)}`);
  }

  async #play(step: Step): Promise<void> {
    // The place is reserved before the steps inside a watch take theirs.
    const place = this.answers.push(undefined) - 1;
    try {
      const answer = await this.#answerTo(step);
      this.answers[place] = { step, ...answer };
      this.scope.answers.set(step.name, answer);
    } catch (error) {
      throw new Error(`step ${step.name}: ${messageOf(error)}`, { cause: error });
    }
    if (step.pauseMs !== undefined) await sleep(step.pauseMs);
  }

  #answerTo(step: Step): Promise<Answer> | Answer {
    if (step.jwt !== undefined) return this.#decodeToken(step.jwt);
    if (step.watch !== undefined) return this.#watch(step, step.watch);
    return step.retry === undefined ? this.ask(step) : this.#askUntil(step, step.retry);
  }

  async ask(step: Step): Promise<Answer> {
    const response = await this.#send(step, AbortSignal.timeout(answerMsMax));
    const bytes = await response.bytes();
    // Transports over a network have unpacked it already, and keep the header.
    const isPacked = response.headers['content-encoding'] === 'gzip' && bytes[0] === 0x1f;
    const body = isPacked ? gunzipSync(bytes) : bytes;
    const headers = { ...response.headers };
    // As a client reads them from the wire: one character per byte.
    spellOutHeaders(headers as ApiResponse['headers']);
    return { status: response.status, headers, body: bodyOf(response, body, step) };
  }

  async #askUntil(
    step: Step,
    { until, timeoutMs = retryMsDefault }: NonNullable<Step['retry']>,
  ): Promise<Answer> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const answer = await this.ask(step);
      if (holds(until, answer)) return answer;
      if (Date.now() > deadline)
        throw new Error(`"${until}" never held; the last answer was ${answer.status}`);
      await sleep(retryPauseMs);
    }
  }

  async #watch(
    step: Step,
    { take = Infinity, timeoutMs = watchMsDefault }: NonNullable<Step['watch']>,
  ): Promise<Answer> {
    const controller = new AbortController();
    const opened = await this.#send(step, controller.signal);
    const events: unknown[] = [];
    const head = { status: opened.status, headers: opened.headers };
    const reading = readLines(opened, events, take, controller.signal);
    // Steps inside the watch may refer to the events so far.
    this.scope.answers.set(step.name, { ...head, body: events });
    const limit = new AbortController();
    try {
      for (const inner of step.during ?? []) await this.#play(inner);
      const stream = await Promise.race([
        reading,
        sleep(timeoutMs, 'open after timeout', { signal: limit.signal }).catch(() => ''),
      ]);
      const seen = [...events];
      const [first] = seen as { type?: unknown; object?: unknown }[];
      const isPlainAnswer = seen.length === 1 && (!first?.type || first.object === undefined);
      return isPlainAnswer ? { ...head, body: seen[0] } : { ...head, stream, body: seen };
    } finally {
      limit.abort();
      controller.abort();
      await reading.catch(() => {});
    }
  }

  async #send(step: Step, signal: AbortSignal): Promise<TransportResponse> {
    const filled = fillReferences(step.req, this.scope, encodeReference) as string;
    const [, method, path] = /^(\S+)\s+(.*)$/.exec(filled)!;
    const body = step.body === undefined ? undefined : bytesOf(step.body, this.scope);
    return this.#transport.send({
      method: method!,
      path: path!,
      headers: headersOf(step, this.scope, body?.length),
      ...(body === undefined ? {} : { body }),
      signal,
    });
  }

  /** Not a request: decodes a token of an earlier response; times are shown relative to its issue. */
  #decodeToken(reference: string): Answer {
    const token = fillReferences(`$${reference}`, this.scope) as string;
    const [header, claims] = token
      .split('.')
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>);
    const shown = { ...header, kid: header!.kid === undefined ? undefined : '<kid>' };
    return {
      status: 200,
      headers: {},
      body: { header: shown, claims: relativeTo(claims!.iat as number, claims) },
    };
  }
}

const tokenLifeMsMax = 10 * 365 * 86_400;

function relativeTo(issued: number, value: unknown): unknown {
  if (typeof value === 'number') return Math.abs(value - issued) < tokenLifeMsMax ? value - issued : value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, relativeTo(issued, child)]));
}

async function readLines(
  opened: TransportResponse,
  events: unknown[],
  take: number,
  signal: AbortSignal,
): Promise<string> {
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const chunk of opened.stream()) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop()!;
      for (const line of lines) {
        if (line.trim() !== '') events.push(parsedOrText(line));
        if (events.length >= take) return 'taken';
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  if (rest.trim() !== '') events.push(parsedOrText(rest));
  return events.length >= take ? 'taken' : 'ended';
}

function headersOf(
  step: Step,
  scope: Scope,
  bodyBytes: number | undefined,
): Record<string, string | string[]> {
  const impersonate = fillReferences(step.impersonate ?? {}, scope) as Impersonation;
  const more = fillReferences(step.headers ?? {}, scope) as Record<string, string | string[] | null>;
  const token = tokenOf(step.as ?? 'admin');
  const headers: Record<string, string | string[] | null | undefined> = {
    'user-agent': 'oracle',
    accept: step.accept ?? 'application/json',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(bodyBytes === undefined ? {} : { 'content-length': String(bodyBytes) }),
    ...(bodyBytes !== undefined && step.type !== null
      ? { 'content-type': step.type ?? 'application/json' }
      : {}),
    'impersonate-user': impersonate.user || undefined,
    'impersonate-group': impersonate.groups?.length ? [...impersonate.groups] : undefined,
    'impersonate-uid': impersonate.uid || undefined,
    ...Object.fromEntries(
      Object.entries(impersonate.extra ?? {}).map(([key, values]) => [
        `impersonate-extra-${key.toLowerCase()}`,
        [...values],
      ]),
    ),
    // A client always identifies itself.
    ...Object.fromEntries(
      Object.entries(more)
        .filter(([name, value]) => value !== null || name.toLowerCase() !== 'user-agent')
        .map(([name, value]) => [name.toLowerCase(), value]),
    ),
  };
  return Object.fromEntries(
    Object.entries(headers).filter(([, value]) => value !== null && value !== undefined),
  ) as Record<string, string | string[]>;
}

function tokenOf(user: string): string | undefined {
  if (user === 'anonymous') return undefined;
  if (user === 'badtoken') return 'oracle-token-nobody-issued';
  return testUsers[user as keyof typeof testUsers].token;
}

/** A value that is itself a path (a Location header) is inserted unchanged. */
const encodeReference = (text: string): string => (text.startsWith('/') ? text : encodeURIComponent(text));

function bytesOf(body: unknown, scope: Scope): Uint8Array {
  if (typeof body === 'string') return Buffer.from(String(fillReferences(body, scope)));
  const { base64 } = (body ?? {}) as { base64?: unknown };
  if (typeof base64 === 'string' && Object.keys(body as object).length === 1)
    return Buffer.from(base64, 'base64');
  return Buffer.from(JSON.stringify(fillReferences(body, scope)));
}

/** JSON is parsed unless the step is `raw`; of binary forms only their presence counts. */
function bodyOf({ headers }: TransportResponse, bytes: Uint8Array, { raw, digits }: Step): unknown {
  const type = String(headers['content-type'] ?? '');
  if (/protobuf|cbor|octet-stream/.test(type)) return { bytes: bytes.length > 0 ? 'some' : 'none' };
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  if (raw || (!type.includes('json') && !/^[{[]/.test(text))) return text;
  return parsedOrText(digits ? quoteNumbers(text) : text);
}

/** Every number becomes a string of its digits, so that none is lost in parsing. */
const quoteNumbers = (text: string): string =>
  text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
    token.startsWith('"') ? token : `"#${token}"`,
  );

function parsedOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** `path==value`, `path!=value`, or `path` for its presence; `@status` is the status code. */
function holds(condition: string, answer: Answer): boolean {
  const [, path, operator, wanted] = /^(.*?)(?:(==|!=)(.*))?$/.exec(condition)!;
  const value = path!.startsWith('@') ? valueAt(answer, path!.slice(1)) : valueAt(answer.body, path!);
  if (operator === undefined) return value !== undefined;
  return (String(value) === wanted!.trim()) === (operator === '==');
}

function randomText(length: number): string {
  const letters = 'bcdfghjklmnpqrstvwxz2456789';
  return Array.from({ length }, () => letters[Math.floor(Math.random() * letters.length)]).join('');
}
