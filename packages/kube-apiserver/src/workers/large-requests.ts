/**
 * Decides which requests another thread serves: those that would block the main one. The cost of a request is estimated
 * from the bytes to read and write, at measured rates for each kind of work.
 */
import type { Clock } from '@coxswain/apimachinery';
import { isCrowding } from '@coxswain/apimachinery/slices.ts';
import { AllowanceSpent, WorkAllowance } from '@coxswain/apimachinery/work-allowance.ts';
import type { ApiRequest } from '@coxswain/apiserver';
import type { Answer, ApiResponse } from '@coxswain/apiserver/http/api-response.ts';
import { bodyOfBytes, keptBody, ReadRequest } from '@coxswain/apiserver/http/read-request.ts';
import { declaredLength, readBody, type RequestBody } from '@coxswain/apiserver/http/request-body.ts';
import type { GenericStore } from '@coxswain/apiserver/generic-store.ts';
import { keyOf } from '@coxswain/apiserver/registry/keys.ts';
import type { ServeSomewhere } from '@coxswain/apiserver/services/services.ts';
import type { StoreRegistry } from '../groups/store-registry.ts';
import type { LargeRequestThreads } from '../server/options.ts';
import { CostlyRequests } from './costly-requests.ts';
import { MeasuredCosts } from './measured-costs.ts';
import type { RequestWorkers } from './request-workers.ts';

/** The maximum cost of a request in the main thread: longer ones would be noticed by others. */
const mainThreadMsMax = 6;
/**
 * The same for a user whose requests crowd others out: each of them waits for one of these. Shorter ones cost less here
 * than to hand them over.
 */
const crowdingMsMax = 1.5;
/** How long the main thread evaluates expressions of one request before another thread takes over. */
const allowedMs = 3;
/** Nanoseconds per byte of a webhook's response, from parsing it to the changed or converted object. */
const nsPerAnswerByte = 135;

/** Nanoseconds per byte of a body, from reading it to the response; by the end of its media type. */
const nsPerByte: readonly (readonly [RegExp, number])[] = [
  [/apply-patch\+yaml/, 650],
  [/yaml/, 350],
  [/patch\+json/, 300],
];
const nsPerJsonByte = 120;
/** Nanoseconds per byte of the stored object, which is read, compared and written again. */
const nsPerStoredByte = 250;

/** Requests that need what only the main thread has, such as keys. */
const mainThreadOnly: ReadonlySet<string> = new Set(['serviceaccounts/token', 'tokenreviews']);

/** Steps of routes whose response is immediate and complete. */
const simple: ReadonlySet<string> = new Set(['get', 'post', 'put', 'patch', 'delete']);

export const largeRequestThreads = (workers: RequestWorkers): LargeRequestThreads => ({
  serveSomewhere: (stores, clock, webhooks) => {
    workers.useWebhookCaller(webhooks);
    return largeRequests(workers, stores, clock);
  },
  reform: (...form) => workers.reform(...form),
  refuseWaiting: () => workers.refuseWaiting(),
  stop: () => workers.stop(),
});

function largeRequests(workers: RequestWorkers, stores: StoreRegistry, clock: Clock): ServeSomewhere {
  const costly = new CostlyRequests(clock);
  const measured = new MeasuredCosts(clock);
  const msMaxOf = ({ owner }: ApiRequest) =>
    isCrowding(clock, owner, clock.monotonic()) ? crowdingMsMax : mainThreadMsMax;
  const begun = (request: ApiRequest, here: () => Answer): Answer => {
    const answerBytesMax = (msMaxOf(request) * 1e6) / nsPerAnswerByte;
    request.allowance = new WorkAllowance(clock, allowedMs, answerBytesMax);
    measured.begin(request);
    return begunHere(request, workers, costly, measured, here);
  };
  const serve = (
    request: ApiRequest,
    store: GenericStore | undefined,
    step: string,
    isConverted: boolean,
    here: () => Answer,
  ): Answer => {
    const { body } = request.incoming;
    const declared = declaredLength(request.header('content-length'));
    const isUnknown = body.kind === 'stream' && declared === undefined;
    const isLarge = (bytes: number) => {
      const msMax = msMaxOf(request);
      // A measurement includes the time of other programs, so it only counts against a user who crowds others out.
      const knownMs = msMax === crowdingMsMax ? measured.expectedMs(request) : 0;
      return Math.max(expectedMs(request, bytes, store), knownMs) > msMax || costly.has(request);
    };
    const there = (bytes: Uint8Array) => workers.serve(request, bytes);
    if (isUnknown) {
      return readAll(body).then((bytes) => {
        if (isLarge(bytes.length)) return there(bytes);
        request.incoming = new ReadRequest(request.incoming, bodyOfBytes(bytes));
        return begun(request, here);
      });
    }
    if (isLarge(declared ?? 0)) return readAll(body).then(there);
    return step === 'get' && !isConverted ? here() : begun(request, here);
  };
  return (request, { resource, subresource, storage }, step, here) => {
    if (!workers.isUsable || request.observer !== undefined || request.incoming.structured) return here();
    const isConverted = storage.isConvertedElsewhere === true;
    const isSimple = simple.has(step) || (isConverted && step === 'list' && request.info.verb === 'list');
    if (!isSimple || storage.stream !== undefined) return here();
    if (mainThreadOnly.has(subresource === '' ? resource : `${resource}/${subresource}`)) return here();
    const { info } = request;
    const store = info.name === '' ? undefined : stores.storeOf(info.group, info.resource);
    // All that wait for a cache continue in the turn in which it is filled: large requests must not be among them. If a
    // network fills it, that may take too long.
    if (store?.cache.isLocal === true && !store.cache.isReady) {
      const serveNow = () => serve(request, store, step, isConverted, here);
      return store.cache.ready().then(serveNow, serveNow);
    }
    return serve(request, store, step, isConverted, here);
  };
}

const readAll = async (body: RequestBody): Promise<Uint8Array> => readBody(body);

/**
 * A request that takes longer here than its size suggests starts again in another thread: nothing has been written yet.
 */
function begunHere(
  request: ApiRequest,
  workers: RequestWorkers,
  costly: CostlyRequests,
  measured: MeasuredCosts,
  here: () => Answer,
): Answer {
  const body = keptBody(request.incoming.body, () => measured.begin(request));
  request.incoming = new ReadRequest(request.incoming, body);
  const anew = async (failure: unknown): Promise<ApiResponse> => {
    if (!(failure instanceof AllowanceSpent)) throw failure;
    costly.note(request);
    request.allowance = undefined;
    return workers.isUsable ? workers.serve(request, await readBody(body)) : here();
  };
  try {
    const answer = here();
    return answer instanceof Promise ? answer.catch(anew) : answer;
  } catch (failure) {
    return anew(failure);
  }
}

/** @param store of the request's object, if it names one */
function expectedMs(request: ApiRequest, bodyBytes: number, store: GenericStore | undefined): number {
  if (request.method === 'GET' && isStoredForm(request)) return 0;
  const storedBytes = store === undefined ? 0 : bytesStored(request, store);
  return (bodyBytes * nsPerByteOf(request) + storedBytes * nsPerStoredByte) / 1e6;
}

/** The size of the request's object; 0 if not known immediately. */
function bytesStored({ info, namespace }: ApiRequest, store: GenericStore): number {
  if (!store.cache.isReady) return 0;
  const key = keyOf({ prefix: store.storagePrefix, namespaced: store.namespaced }, namespace, info.name);
  const found = store.cache.get(key, 'any');
  return found instanceof Promise ? 0 : (found?.bytesKept ?? 0);
}

/** Whether the response probably consists of the stored bytes. */
const isStoredForm = (request: ApiRequest): boolean =>
  !request.hasQuery && plainJson.test(request.header('accept') ?? '');

const plainJson = /^(|\*\/\*|application\/json)(,|$)/;

function nsPerByteOf(request: ApiRequest): number {
  const type = request.header('content-type') ?? '';
  return nsPerByte.find(([pattern]) => pattern.test(type))?.[1] ?? nsPerJsonByte;
}
