/**
 * The state of the queues as tables for people: one row per level, queue or request. Columns and spelling are
 * upstream's.
 */
import { formatTime, type Clock } from '@coxswain/apimachinery';
import { alignColumns } from './align-columns.ts';
import type { FlowController } from './flow-controller.ts';
import type { FlowRequest, RequestQueue } from './flow-request.ts';
import type { PriorityLevel } from './priority-level.ts';

export type DumpTable = 'dump_priority_levels' | 'dump_queues' | 'dump_requests';

interface DumpContext {
  readonly levels: readonly PriorityLevel[];
  /** Formats a time on the monotonic clock. */
  readonly timeOf: (atMs: number) => string;
  readonly includesDetails: boolean;
}

export function dump(
  table: DumpTable,
  controller: FlowController,
  clock: Clock,
  includesDetails = false,
): string {
  const levels = [...controller.levels.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const offsetMs = clock.now() - clock.monotonic();
  const timeOf = (atMs: number) => (atMs === 0 ? '0001-01-01T00:00:00Z' : exactTime(offsetMs + atMs));
  return alignColumns(tables[table]({ levels, timeOf, includesDetails }));
}

type Row = readonly string[];

const tables: Readonly<Record<DumpTable, (context: DumpContext) => readonly Row[]>> = {
  dump_priority_levels: ({ levels }) => [
    [
      'PriorityLevelName',
      'ActiveQueues',
      'IsIdle',
      'IsQuiescing',
      'WaitingRequests',
      'ExecutingRequests',
      'DispatchedRequests',
      'RejectedRequests',
      'TimedoutRequests',
      'CancelledRequests',
    ],
    ...levels.map(levelRow),
  ],
  dump_queues: ({ levels }) => [
    [
      'PriorityLevelName',
      'Index',
      'PendingRequests',
      'ExecutingRequests',
      'SeatsInUse',
      'NextDispatchR',
      'InitialSeatsSum',
      'MaxSeatsSum',
      'TotalWorkSum',
    ],
    ...levels.flatMap(({ name, set }) => set.queues.map((queue) => queueRow(name, queue))),
  ],
  dump_requests: (context) => [
    [
      'PriorityLevelName',
      'FlowSchemaName',
      'QueueIndex',
      'RequestIndexInQueue',
      'FlowDistingsher',
      'ArriveTime',
      'InitialSeats',
      'FinalSeats',
      'AdditionalLatency',
      'StartTime',
      ...(context.includesDetails
        ? ['UserName', 'Verb', 'APIPath', 'Namespace', 'Name', 'APIVersion', 'Resource', 'SubResource']
        : []),
    ],
    ...context.levels.flatMap((level) => requestRows(context, level)),
  ],
};

const levelRow = ({ name, set, isQuiescing }: PriorityLevel): Row => [
  name,
  ...[
    set.queues.filter(({ waiting }) => waiting.length > 0).length,
    set.isIdle,
    isQuiescing,
    set.waiting,
    set.executing,
    set.dispatched,
    set.rejected,
    set.timedOut,
    set.cancelled,
  ].map(String),
];

const queueRow = (level: string, queue: RequestQueue): Row => [
  level,
  String(queue.index),
  String(queue.waiting.length),
  String(queue.executing.length),
  String(queue.seatsInUse),
  seatSeconds(queue.nextDispatchR),
  String(queue.waitingInitialSeats),
  String(queue.waitingSeats),
  seatSeconds(queue.waitingWork),
];

function requestRows(context: DumpContext, { name, set }: PriorityLevel): Row[] {
  const row = (request: FlowRequest, queue: number, index: number) => [
    name,
    request.flow.name,
    String(queue),
    String(index),
    request.distinguisher,
    context.timeOf(request.arrivedAtMs),
    String(request.estimate.initialSeats),
    String(request.estimate.finalSeats),
    goDuration(request.estimate.additionalLatencyMs),
    context.timeOf(request.startedAtMs),
    ...(context.includesDetails ? detailsOf(request) : []),
  ];
  return [
    ...set.queues.flatMap((queue) => [
      ...[...queue.waiting].map((request, index) => row(request, queue.index, index)),
      ...[...queue.executing].map((request) => row(request, queue.index, -1)),
    ]),
    ...[...set.executingUnqueued].map((request) => row(request, -1, -1)),
  ];
}

const detailsOf = ({ user, info }: FlowRequest): Row => [
  user.name,
  info.verb,
  info.path,
  info.namespace,
  info.name,
  info.group === '' ? info.version : `${info.group}/${info.version}`,
  info.resource,
  info.subresource,
];

const seatSeconds = (seatMs: number): string => `${(seatMs / 1000).toFixed(8)}ss`;

/** For durations below a second, as latencies here are. */
const goDuration = (milliseconds: number): string =>
  milliseconds === 0 ? '0s' : milliseconds < 1000 ? `${milliseconds}ms` : `${milliseconds / 1000}s`;

/** RFC 3339 with fractions of milliseconds. */
function exactTime(atMs: number): string {
  const wholeMs = Math.floor(atMs);
  const fraction = String(wholeMs % 1000)
    .padStart(3, '0')
    .replace(/0+$/, '');
  const seconds = formatTime(wholeMs);
  return fraction === '' ? seconds : seconds.replace('Z', `.${fraction}Z`);
}
