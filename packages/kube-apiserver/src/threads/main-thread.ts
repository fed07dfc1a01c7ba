/**
 * The main thread, as seen by a serving thread. It has what exists once per server: health, metrics, the allocation of
 * addresses and ports, the audit log.
 */
import { internalError } from '@coxswain/apimachinery/errors.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { ApiRequest, DelegationTarget } from '@coxswain/apiserver';
import { copyOfEvent, type AuditBackend } from '@coxswain/apiserver/audit/audit-event.ts';
import type { ApiResponse } from '@coxswain/apiserver/http/api-response.ts';
import { answerFromPost, requestToPost, type PostedAnswer } from '@coxswain/apiserver/posted-request.ts';
import type { ServeRequest } from '@coxswain/apiserver/http/secure-serving.ts';
import { readBody } from '@coxswain/apiserver/http/request-body.ts';
import type { FollowerStorage } from '@coxswain/storage/port/follower-storage.ts';
import { ownBytes } from '@coxswain/storage/port/port.ts';
import type { Clock } from '@coxswain/apimachinery';
import type { ThreadCalls } from './thread-calls.ts';
import type { ToMainThread, ToServingThread } from './thread-messages.ts';
import type { MainThreadLink } from '../server/options.ts';

/** Paths that report on the whole server. */
const wholeServerPaths = /^\/(metrics|healthz|livez|readyz|configz|flagz|statusz)(\/|$)/;
/** Profiles of the process; the request queues, however, are those of each thread. */
const debugPaths = /^\/debug\/(?!api_priority_and_fairness)/;

const reads: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

export class MainThread implements MainThreadLink {
  readonly #calls: ThreadCalls<ToMainThread, ToServingThread>;
  readonly #clock: Clock;
  readonly #storage: FollowerStorage | undefined;

  /** @param storage the main thread's storage, mirrored; absent if both use a remote one */
  constructor(
    calls: ThreadCalls<ToMainThread, ToServingThread>,
    clock: Clock,
    storage: FollowerStorage | undefined,
  ) {
    this.#calls = calls;
    this.#clock = clock;
    this.#storage = storage;
  }

  /**
   * Delays a request until this thread knows everything that any client was told before it arrived. So its state is as
   * fresh as in a server with one thread: objects, rules, definitions.
   */
  beforeRequests(serve: ServeRequest): ServeRequest {
    const storage = this.#storage;
    if (storage === undefined) return serve;
    return (incoming) =>
      storage.isBehind ? storage.caughtUp().then(() => serve(incoming)) : serve(incoming);
  }

  /** Has the main thread serve what only it can. */
  before(target: DelegationTarget): DelegationTarget {
    return {
      name: target.name,
      listedPaths: () => target.listedPaths(),
      handle: (request) => (isOfMainThread(request) ? this.#serve(request) : target.handle(request)),
    };
  }

  readonly auditBackend: AuditBackend = {
    name: 'main thread',
    process: (events) => this.#calls.ask<boolean>({ kind: 'audit', events: events.map(copyOfEvent) }),
    flush: () => Promise.resolve(),
  };

  async #serve(request: ApiRequest): Promise<ApiResponse> {
    const body = ownBytes(await readBody(request.incoming.body));
    const posted = requestToPost(request, body, this.#clock.monotonic());
    const answer = await this.#calls
      .ask<PostedAnswer>({ kind: 'serve', request: posted }, request.signal)
      .catch((failure: unknown) => {
        throw internalError(messageOf(failure));
      });
    return answerFromPost(request, answer);
  }
}

function isOfMainThread({ info }: ApiRequest): boolean {
  if (!info.isResourceRequest) return wholeServerPaths.test(info.path) || debugPaths.test(info.path);
  const { group, resource, subresource, verb } = info;
  return group === '' && resource === 'services' && subresource !== 'proxy' && !reads.has(verb);
}
