/** Starts containers of a pod and records the result: running, stopped in the meantime, or failed and retried later. */
import { formatDurationMs } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { RuntimeFailure } from '../runtime.ts';
import { backOffAfterExit, backOffAfterPull } from './back-off.ts';
import type { ContainerRecord } from './container-record.ts';
import { runHook } from './lifecycle-hook.ts';
import type { PodHost } from './pod-host.ts';
import type { PodEvent } from './pod-worker-context.ts';
import { restartsAfterExit } from './restart-policy.ts';
import { startContainer, type StartOutcome } from './start-container.ts';

const startRetryMs = 10_000;
const backOffShownAfterMs = 1_000;

export function startRecord(host: PodHost, record: ContainerRecord): void {
  const before = record.phase;
  record.phase = 'starting';
  const event = (type: PodEvent['type'], reason: string, message: string) =>
    host.event(type, reason, message, record.spec.name);
  const request = {
    pod: host.pod,
    sandbox: host.sandbox!,
    container: record.spec,
    restarts: record.exit === undefined && record.last === undefined ? 0 : record.restarts + 1,
    signal: host.signal,
  };
  const work = startContainer(host.context.runtime, request, event).then((outcome) => {
    if (outcome.kind === 'stopped') return startStopped(host, record);
    if (outcome.kind === 'failed') return startFailed(host, record, before, request.restarts, outcome);
    const { started, image } = outcome;
    if (record.exit !== undefined) {
      if (record.last !== undefined) host.context.runtime.removeContainer(record.last.id);
      record.last = record.exit;
    }
    record.exit = undefined;
    record.waiting = undefined;
    record.id = started.id;
    record.actuated = request.container;
    record.image = image;
    record.startedMs = started.startedMs;
    record.user = started.user;
    record.neverReady = started.neverReady ?? false;
    record.restarts = request.restarts;
    record.anew = false;
    host.watch(started.id);
    return record.spec.lifecycle?.postStart ? afterStart(host, record) : host.up(record, false);
  });
  host.run(work);
}

/** Until its postStart hook has ended, a container counts as starting. */
async function afterStart(host: PodHost, record: ContainerRecord): Promise<void> {
  const { runtime, clock, observer } = host.context;
  const { signal } = host;
  const id = record.id!;
  const handler = record.spec.lifecycle!.postStart!;
  let hookFailed = false;
  try {
    await runHook({ runtime, clock, observer, id, kind: 'PostStart', handler, signal });
  } catch {
    // The error is not reported, since it may contain a secret. If the pod is being stopped, the container is stopped
    // with it.
    hookFailed = !signal.aborted;
  }
  // It may have ended by itself in the meantime.
  if (record.id !== id || record.phase !== 'starting') return;
  if (hookFailed) host.event('Warning', 'FailedPostStartHook', 'PostStartHook failed', record.spec.name);
  host.up(record, hookFailed);
}

function startStopped(host: PodHost, record: ContainerRecord): void {
  record.phase = record.exit === undefined ? 'waiting' : 'terminated';
  record.stopping = false;
  host.sync();
  host.report();
}

function startFailed(
  host: PodHost,
  record: ContainerRecord,
  before: ContainerRecord['phase'],
  restarts: number,
  { reason, message, backsOff, ended, image }: Extract<StartOutcome, { kind: 'failed' }>,
): void {
  const now = host.context.clock.now();
  if (before === 'terminated') record.last = record.exit;
  record.exit = undefined;
  record.phase = 'waiting';
  record.waiting = { reason, message };
  record.stopping = false;
  if (ended !== undefined && image !== undefined) record.image = image;
  if (ended !== undefined) countRun(host, record, ended, restarts);
  else if (backsOff) backOffAfterPull(record, now);
  else record.retryAtMs = now + startRetryMs;
  host.report();
  if (reason === 'ErrImagePull') showPullBackOff(host, record, message);
  host.sync();
}

/** A container that failed to start counts as a run, so that its delay grows. */
function countRun(
  host: PodHost,
  record: ContainerRecord,
  { id, exit }: NonNullable<RuntimeFailure['ended']>,
  restarts: number,
): void {
  if (record.last !== undefined) host.context.runtime.removeContainer(record.last.id);
  record.id = id;
  record.restarts = restarts;
  record.last = { ...exit, id, startedMs: 0 };
  record.startedMs = exit.finishedMs;
  if (restartsAfterExit(host.pod, record, exit.exitCode)) {
    const now = host.context.clock.now();
    const waiting = crashLoop(record, host.pod);
    backOffAfterExit(record, now, host.context.backoffMsMax);
    if (record.retryAtMs <= now) return;
    return showLater(host, record, () => {
      record.waiting = waiting;
      reportBackOff(host, record);
    });
  }
  record.phase = 'terminated';
  record.exit = record.last;
  record.last = undefined;
  record.waiting = undefined;
}

function showPullBackOff(host: PodHost, record: ContainerRecord, failure: string): void {
  showLater(host, record, () => {
    const message = `Back-off pulling image "${record.spec.image ?? ''}"`;
    record.waiting = { reason: 'ImagePullBackOff', message: `${message}: ErrImagePull: ${failure}` };
    host.event('Normal', 'BackOff', message, record.spec.name);
    host.event('Warning', 'Failed', 'Error: ImagePullBackOff', record.spec.name);
  });
}

/** Shows the failure itself first, then the back-off. */
function showLater(host: PodHost, record: ContainerRecord, show: () => void): void {
  const failure = record.waiting;
  host.context.clock.after(
    backOffShownAfterMs,
    () => {
      if (host.isGone || record.phase !== 'waiting' || record.waiting !== failure) return;
      show();
      host.report();
    },
    { idle: true },
  );
}

/** After an exit: starts the container now, or when its delay is over. */
export function backOff(host: PodHost, record: ContainerRecord): void {
  const now = host.context.clock.now();
  const waiting = crashLoop(record, host.pod);
  backOffAfterExit(record, now, host.context.backoffMsMax);
  if (record.retryAtMs <= now) return;
  record.last = record.exit;
  record.exit = undefined;
  record.phase = 'waiting';
  record.waiting = waiting;
  reportBackOff(host, record);
}

function reportBackOff(host: PodHost, { spec: { name } }: ContainerRecord): void {
  host.event(
    'Warning',
    'BackOff',
    `Back-off restarting failed container ${name} in pod ${fullName(host.pod)}`,
    name,
  );
}

/** @param record before its next delay is computed */
const crashLoop = ({ backoffMs, spec }: ContainerRecord, pod: Pod) => ({
  reason: 'CrashLoopBackOff',
  message: `back-off ${formatDurationMs(backoffMs)} restarting failed container=${spec.name} pod=${fullName(pod)}`,
});

/** The format of messages. */
function fullName({ metadata }: Pod): string {
  const { name, namespace, uid } = metadata ?? {};
  return `${name}_${namespace}(${uid})`;
}
