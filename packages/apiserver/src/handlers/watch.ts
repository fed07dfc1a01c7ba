/**
 * Streams a watch: the response's head at once, then every event in the event-loop turn in which it happens, all
 * available ones in one write.
 */
import { inWallTime } from '@coxswain/apimachinery/wall-time.ts';
import { mayBegin, nextSlice } from '@coxswain/apimachinery/slices.ts';
import { expired, methodNotSupported } from '@coxswain/apimachinery/errors.ts';
import {
  here,
  runStep,
  StatusError,
  type Clock,
  type KubeObject,
  type StepDetail,
  type Timer,
  type WatchEvent,
} from '@coxswain/apimachinery';
import type { ApiRequest } from '../http/api-request.ts';
import type { ApiResponse, StreamSink } from '../http/api-response.ts';
import { asksForWebSocket } from '../http/upgrade.ts';
import { negotiate, negotiateStream } from '../negotiation/negotiate.ts';
import type { ResourceScope } from '../services/resource-scope.ts';
import { versioned } from '../list-parts.ts';
import type { ListOptions } from '../rest/options.ts';
import type { ServedEvent, ServedWatch } from '../rest/served.ts';
import { bookmarkObject } from '../watch/bookmark.ts';
import { eventEncoderOf, type EventEncoder } from '../watch/event-encoder.ts';
import { StructuredEvents } from '../watch/structured-events.ts';
import { statusOf } from './failure.ts';

export async function serveWatch(
  request: ApiRequest,
  scope: ResourceScope,
  options: ListOptions,
): Promise<ApiResponse> {
  if (scope.storage.watch === undefined) throw methodNotSupported(scope.groupResource, 'watch');
  // As in the original, whether a list could be answered comes first, and whether a stream can be, last.
  negotiate(request, scope.negotiation);
  request.longRunning = true;
  const watch = await openWatch(request, scope, options);
  const negotiated = negotiatedStream(request, scope, watch);
  const timeoutMs = timeoutOf(options, scope);
  const onEnd = request.onWatchEnd;
  request.onWatchEnd = undefined;
  const headers = request.responseHeaders;
  if (request.incoming.structured) {
    return {
      status: 200,
      headers,
      body: { kind: 'events', events: structuredEvents(request, scope, watch, timeoutMs, onEnd) },
    };
  }
  const encoder = eventEncoderOf(request, scope, negotiated);
  headers['content-type'] = encoder.contentType;
  const answer = {
    status: 200,
    headers,
    body: {
      kind: 'stream' as const,
      endless: true as const,
      open: (sink: StreamSink) => {
        // No event is a list, so nothing could be sent.
        if (negotiated.transform?.kind === 'PartialObjectMetadataList') watch.stop();
        stream(request, scope, watch, encoder, sink, timeoutMs, onEnd, listTimer(request, scope));
      },
    },
  };
  if (!asksForWebSocket(request.headers)) return answer;
  const { watchOverWebSocket } = await inWallTime(() => import('../http/websocket-answer.ts'));
  return watchOverWebSocket(request, answer);
}

/** @throws StatusError 406, and the watch is over */
function negotiatedStream(request: ApiRequest, { negotiation }: ResourceScope, watch: ServedWatch) {
  try {
    return negotiateStream(request, negotiation);
  } catch (failure) {
    watch.stop();
    throw failure;
  }
}

/** An error after a watch's options were accepted arrives as its only event. */
async function openWatch(
  request: ApiRequest,
  scope: ResourceScope,
  options: ListOptions,
): Promise<ServedWatch> {
  try {
    return await scope.storage.watch!(request, options);
  } catch (failure) {
    const status =
      failure instanceof StatusError && (failure.code === 410 || failure.code === 504)
        ? failure.status
        : undefined;
    if (status === undefined) throw failure;
    return failedWatch({ type: 'ERROR', status });
  }
}

function failedWatch(event: ServedEvent): ServedWatch {
  let reported = false;
  return {
    next: () => {
      const events = reported ? undefined : [event];
      reported = true;
      return Promise.resolve(events);
    },
    ended: 'stopped',
    stop: () => undefined,
  };
}

function timeoutOf({ timeoutSeconds = 0 }: ListOptions, { services }: ResourceScope): number {
  if (timeoutSeconds > 0) return timeoutSeconds * 1000;
  return services.minRequestTimeoutMs * (1 + services.random.next());
}

/** As upstream, so that a client that watches again starts close to the current revision. */
const bookmarkBeforeEndMs = 2_000;

/** Ends the watch after `timeoutMs`, and sends a bookmark shortly before. */
function endInTime(watch: ServedWatch, clock: Clock, timeoutMs: number): Timer {
  const end = clock.after(timeoutMs, () => watch.stop(), { idle: true });
  if (watch.reportProgress === undefined || timeoutMs < bookmarkBeforeEndMs) return end;
  const bookmark = clock.after(timeoutMs - bookmarkBeforeEndMs, () => watch.reportProgress?.(), {
    idle: true,
  });
  return {
    cancel() {
      bookmark.cancel();
      end.cancel();
    },
  };
}

function stream(
  request: ApiRequest,
  scope: ResourceScope,
  watch: ServedWatch,
  encoder: EventEncoder,
  sink: StreamSink,
  timeoutMs: number,
  onEnd: (() => void) | undefined,
  listed: () => void,
): void {
  const timer = endInTime(watch, scope.services.clock, timeoutMs);
  const ended = scope.services.openWatches?.add(() => watch.stop());
  const finish = () => {
    ended?.();
    timer.cancel();
    sink.end();
    onEnd?.();
  };
  sink.onClose(() => watch.stop());
  pump(request, scope, watch, encoder, sink, listed).then(finish, (failure: unknown) => {
    sink.write(encoder.encode({ type: 'ERROR', status: statusOf(failure) }));
    scope.services.log(`watch of ${scope.resource} failed: ${String(failure)}`);
    finish();
  });
}

/** Returns a function to call when the initial events have been sent. */
function listTimer({ startedAtMs, info }: ApiRequest, { watchMetrics, services }: ResourceScope): () => void {
  const scope = info.name !== '' ? 'resource' : info.namespace === '' ? 'cluster' : 'namespace';
  return () => watchMetrics.listed(scope, services.clock.monotonic() - startedAtMs);
}

async function pump(
  { owner, observer }: ApiRequest,
  { services: { clock }, watchMetrics: metrics }: ResourceScope,
  watch: ServedWatch,
  encoder: EventEncoder,
  sink: StreamSink,
  listed: () => void,
): Promise<void> {
  // An event reaches all watches in the same turn, too many to convert it for each of them there.
  const mustWait = () => encoder.isConverting && !mayBegin(clock, owner, clock.monotonic());
  for (let events = await watch.next(); events !== undefined; events = await watch.next()) {
    for (const event of events) {
      if (mustWait()) await nextSlice(clock, owner);
      const send = () => encoder.write(event, sink, events.length);
      metrics.sent(runStep(observer, here`send-event`, send, observer && recordedEvent(event)));
      if (event.type === 'BOOKMARK' && event.initialEventsEnd) listed();
      const drained = sink.drained();
      if (drained !== undefined) await drained;
    }
  }
  if (watch.ended === 'reset') sink.write(encoder.encode(resetEvent()));
}

/** The client saw revisions that no longer exist: it must list again instead of continuing the watch. */
const resetEvent = (): ServedEvent => ({
  type: 'ERROR',
  status: expired('The resourceVersion for the provided watch is too old.').status,
});

function structuredEvents(
  { signal, observer }: ApiRequest,
  scope: ResourceScope,
  watch: ServedWatch,
  timeoutMs: number,
  onEnd: (() => void) | undefined,
): StructuredEvents {
  const timer = endInTime(watch, scope.services.clock, timeoutMs);
  const convert = (event: ServedEvent) =>
    runStep(
      observer,
      here`send-event`,
      () => structuredEvent(scope, event),
      observer && recordedEvent(event),
    );
  const events = new StructuredEvents({ watch, signal, convert, resetEvent });
  events.whenOver(() => {
    timer.cancel();
    onEnd?.();
  });
  return events;
}

/** Describes an event for observers. */
function recordedEvent(event: ServedEvent): StepDetail {
  if (event.type === 'ERROR') return { type: event.type, message: event.status.message };
  if (event.type === 'BOOKMARK') return { type: event.type, initialEventsEnd: event.initialEventsEnd };
  const { namespace, name, resourceVersion } = event.object.object.metadata;
  return { type: event.type, namespace, name, resourceVersion };
}

function structuredEvent(scope: ResourceScope, event: ServedEvent): WatchEvent<KubeObject> {
  if (event.type === 'BOOKMARK') return { type: 'BOOKMARK', object: bookmarkObject(scope.kind, event) };
  if (event.type === 'ERROR') return { type: 'ERROR', object: event.status as unknown as KubeObject };
  return { type: event.type, object: versioned(scope, event.object.object) };
}
