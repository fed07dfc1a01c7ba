/**
 * The main thread, as seen by a serving thread. It has what exists once per server: health, metrics, the allocation of
 * addresses and ports, the audit log. The main thread of a whole cluster also has its nodes, pods and webhooks.
 */
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { detach } from '@coxswain/apimachinery/detach.ts';
import { internalError } from '@coxswain/apimachinery/errors.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { isStatusError, type Clock } from '@coxswain/apimachinery';
import type { ApiRequest, DelegationTarget } from '@coxswain/apiserver';
import { copyOfEvent, type AuditBackend } from '@coxswain/apiserver/audit/audit-event.ts';
import type { ApiResponse } from '@coxswain/apiserver/http/api-response.ts';
import { answerFromPost, requestToPost, type PostedAnswer } from '@coxswain/apiserver/posted-request.ts';
import type { ServeRequest } from '@coxswain/apiserver/http/secure-serving.ts';
import { readBody } from '@coxswain/apiserver/http/request-body.ts';
import type { FollowerStorage } from '@coxswain/storage/port/follower-storage.ts';
import { ownBytes } from '@coxswain/storage/port/port.ts';
import type { Forwarder } from '../proxy/forwarder.ts';
import { CallsThroughMain } from '../workers/posted-calls.ts';
import type { WebhookCaller } from '../webhooks/webhook-caller.ts';
import { carriedRequest, responseOf, type CarriedAnswer, type CarriedRequest } from './carried-request.ts';
import { PortSocket } from './port-socket.ts';
import type { ThreadCalls } from './thread-calls.ts';
import type { ToMainThread, ToServingThread } from './thread-messages.ts';
import type { MainThreadLink } from '../server/options.ts';

/** Paths that report on the whole server. */
const wholeServerPaths = /^\/(metrics|healthz|livez|readyz|configz|flagz|statusz)(\/|$)/;
/** Profiles of the process; the request queues, however, are those of each thread. */
const debugPaths = /^\/debug\/(?!api_priority_and_fairness)/;

const reads: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

/** Documents that name all groups. */
const listingPaths = /^\/(apis?|openapi)(\/|$)/;
/** Subresources that lead to nodes, pods and services. */
const connecting: ReadonlySet<string> = new Set(['attach', 'exec', 'log', 'portforward', 'proxy']);

export class MainThread implements MainThreadLink {
  readonly #calls: ThreadCalls<ToMainThread, ToServingThread>;
  readonly #clock: Clock;
  readonly #storage: FollowerStorage | undefined;
  readonly #groups: ReadonlySet<string> | undefined;

  /**
   * @param storage the main thread's storage, mirrored; absent if both use a remote one
   * @param groups those that only the main thread of a whole cluster serves; absent for an API server alone
   */
  constructor(
    calls: ThreadCalls<ToMainThread, ToServingThread>,
    clock: Clock,
    storage: FollowerStorage | undefined,
    groups: readonly string[] | undefined,
  ) {
    this.#calls = calls;
    this.#clock = clock;
    this.#storage = storage;
    this.#groups = groups && new Set(groups);
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
      handle: (request) => {
        if (this.#groups !== undefined && isOfCluster(request, this.#groups))
          return this.#carry(request, (carried, port) => ({ kind: 'carry', request: carried, port }));
        return isOfMainThread(request) ? this.#serve(request) : target.handle(request);
      },
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
      .catch(failed);
    return answerFromPost(request, answer);
  }

  /** Forwards what this server would forward itself. @param otherwise for what is not forwarded in one piece */
  forwarder(otherwise: Forwarder): Forwarder {
    const forward: Forwarder['forward'] = (request, target) =>
      this.#carry(request, (carried, port) => ({ kind: 'forward', request: carried, target, port }));
    return { ...otherwise, forward };
  }

  /** @param otherwise calls the webhooks that have no Service */
  webhookCaller(otherwise: WebhookCaller): CallsThroughMain {
    return new CallsThroughMain(
      (message) => detach(this.#calls.ask({ kind: 'webhook', message }), () => undefined),
      otherwise,
    );
  }

  async #carry(
    request: ApiRequest,
    question: (carried: CarriedRequest, port: MessagePort) => ToMainThread,
  ): Promise<ApiResponse> {
    const { port1, port2 } = new MessageChannel();
    const socket = new PortSocket(port1);
    request.signal.addEventListener('abort', () => socket.destroy(), { once: true });
    const carried = carriedRequest(request, socket, this.#clock.monotonic());
    try {
      const asked = this.#calls.ask<CarriedAnswer>(question(carried, port2), undefined, [port2]);
      return responseOf(request, await asked, socket);
    } catch (failure) {
      socket.destroy();
      return failed(failure);
    }
  }
}

function failed(failure: unknown): never {
  throw isStatusError(failure) ? failure : internalError(messageOf(failure));
}

function isOfCluster({ info }: ApiRequest, groups: ReadonlySet<string>): boolean {
  if (!info.isResourceRequest) return listingPaths.test(info.path);
  return groups.has(info.group) || (info.group === '' && connecting.has(info.subresource));
}

function isOfMainThread({ info }: ApiRequest): boolean {
  if (!info.isResourceRequest) return wholeServerPaths.test(info.path) || debugPaths.test(info.path);
  const { group, resource, subresource, verb } = info;
  return group === '' && resource === 'services' && subresource !== 'proxy' && !reads.has(verb);
}
