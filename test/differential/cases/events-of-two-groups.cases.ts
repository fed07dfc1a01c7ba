/** Events are one object in two groups: what is written through one is read, changed and applied through the other. */
import { applyPatch, ask, jsonPatch, mergePatch, strategicPatch, type DifferentialCase } from './case.ts';
import type { Step } from '../../../packages/kube-apiserver/test/oracle/case.ts';

type Json = Readonly<Record<string, unknown>>;

const time = '2026-01-02T03:04:05Z';
const microTime = '2026-01-02T03:04:05.123456Z';
const involved = { kind: 'Pod', name: 'p', namespace: '$ns' };
const strict: Json = {
  eventTime: microTime,
  reportingController: 'example.com/c',
  reportingInstance: 'i-1',
  action: 'Binding',
  reason: 'Scheduled',
  type: 'Normal',
};

interface Group {
  readonly name: string;
  readonly apiVersion: string;
  readonly collection: string;
  /** The names that differ, by those of events.k8s.io. */
  readonly as: (event: Json) => Json;
}

const coreNames: Readonly<Record<string, string>> = {
  regarding: 'involvedObject',
  note: 'message',
  reportingController: 'reportingComponent',
  deprecatedSource: 'source',
  deprecatedFirstTimestamp: 'firstTimestamp',
  deprecatedLastTimestamp: 'lastTimestamp',
  deprecatedCount: 'count',
};
const core: Group = {
  name: 'core',
  apiVersion: 'v1',
  collection: '/api/v1/namespaces/$ns/events',
  as: (event) =>
    Object.fromEntries(Object.entries(event).map(([key, value]) => [coreNames[key] ?? key, value])),
};
const newer: Group = {
  name: 'newer',
  apiVersion: 'events.k8s.io/v1',
  collection: '/apis/events.k8s.io/v1/namespaces/$ns/events',
  as: (event) => event,
};
const groups = [core, newer] as const;

const body = (group: Group, name: string, event: Json, metadata: Json = {}): Json => ({
  apiVersion: group.apiVersion,
  kind: 'Event',
  metadata: { name, ...metadata },
  ...group.as(event),
});

const readBoth = (name: string): Step[] => groups.map(({ collection }) => ask(`GET ${collection}/${name}`));

/** Objects of the two generations, whole and with members that are missing, empty or wrong. */
const events: Readonly<Record<string, Json>> = {
  strict: { ...strict, regarding: involved },
  series: { ...strict, regarding: involved, series: { count: 2, lastObservedTime: microTime } },
  seriesOfOne: { ...strict, regarding: involved, series: { count: 1, lastObservedTime: microTime } },
  seriesWithoutTime: { ...strict, regarding: involved, series: { count: 3 } },
  emptySeries: { ...strict, regarding: involved, series: {} },
  legacy: {
    regarding: involved,
    reason: 'Started',
    note: 'said',
    type: 'Normal',
    deprecatedSource: { component: 'kubelet', host: 'n' },
    deprecatedFirstTimestamp: time,
    deprecatedLastTimestamp: time,
    deprecatedCount: 3,
  },
  legacyOfNone: { regarding: involved },
  nothing: {},
  strictAndCount: { ...strict, regarding: involved, deprecatedCount: 1 },
  strictAndSource: { ...strict, regarding: involved, deprecatedSource: { component: 'a' } },
  strictAndHost: { ...strict, regarding: involved, deprecatedSource: { host: 'a' } },
  strictAndFirst: { ...strict, regarding: involved, deprecatedFirstTimestamp: time },
  strictAndLast: { ...strict, regarding: involved, deprecatedLastTimestamp: time },
  otherType: { ...strict, regarding: involved, type: 'Odd' },
  noType: { ...strict, regarding: involved, type: '' },
  noAction: { ...strict, regarding: involved, action: '' },
  longWords: {
    ...strict,
    regarding: involved,
    action: 'a'.repeat(129),
    reason: 'b'.repeat(129),
    reportingInstance: 'c'.repeat(129),
    note: 'd'.repeat(1025),
  },
  badController: { ...strict, regarding: involved, reportingController: 'a b' },
  otherNamespace: { ...strict, regarding: { ...involved, namespace: 'other' } },
  noNamespace: { ...strict, regarding: { kind: 'Node', name: 'n' } },
  related: { ...strict, regarding: involved, related: { kind: 'Pod', name: 'q', uid: 'u', fieldPath: 'a' } },
  emptyRelated: { ...strict, regarding: involved, related: {} },
  wholeSecond: { ...strict, regarding: involved, eventTime: '2026-01-02T03:04:05.000000Z' },
  nanoseconds: { ...strict, regarding: involved, eventTime: '2026-01-02T03:04:05.123456789Z' },
  offset: { ...strict, regarding: involved, eventTime: '2026-01-02T03:04:05.5+02:00' },
  nullTime: { ...strict, regarding: involved, eventTime: null },
  wrongTime: { ...strict, regarding: involved, eventTime: 'x' },
  timeAsNumber: { ...strict, regarding: involved, eventTime: 1 },
};

const created: readonly DifferentialCase[] = groups.flatMap((group) => {
  const other = group === core ? newer : core;
  return Object.entries(events).map(([name, event]): DifferentialCase => ({
    name: `${group.name}-${name}`,
    steps: [
      ask(`POST ${group.collection}`, body(group, 'e', event)),
      ...readBoth('e'),
      // The same again through the other group, which may find it wrong.
      ask(`PUT ${other.collection}/e`, body(other, 'e', event)),
      ask(`PUT ${group.collection}/e`, body(group, 'e', event, { labels: { a: 'b' } })),
      ask(`PUT ${other.collection}/new`, body(other, 'new', event)),
      ...readBoth('new'),
      ask(`GET ${other.collection}`, undefined, {
        accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
      }),
    ],
  }));
});

/** Changes of one member each, by every kind of patch. */
const changes: Readonly<Record<string, Json>> = {
  series: { series: { count: 5, lastObservedTime: microTime } },
  wrongSeries: { series: { count: 1 } },
  noSeries: { series: null },
  note: { note: 'other' },
  reason: { reason: 'Other' },
  type: { type: 'Warning' },
  action: { action: 'Other' },
  count: { deprecatedCount: 7 },
  first: { deprecatedFirstTimestamp: time },
  last: { deprecatedLastTimestamp: '2026-01-03T03:04:05Z' },
  source: { deprecatedSource: { component: 'x' } },
  host: { deprecatedSource: { host: 'x' } },
  noSource: { deprecatedSource: null },
  regarding: { regarding: { name: 'q' } },
  regardingNamespace: { regarding: { namespace: 'q' } },
  related: { related: { name: 'q' } },
  controller: { reportingController: 'example.com/d' },
  instance: { reportingInstance: 'i-2' },
  eventTime: { eventTime: '2026-01-02T03:04:06.123456Z' },
  noTime: { eventTime: null },
  labels: { metadata: { labels: { a: 'b' } } },
  unknown: { nosuch: 1 },
};

const kept = { strict: events['strict']!, legacy: events['legacy']!, series: events['series']! };

const changed: readonly DifferentialCase[] = groups.flatMap((first) =>
  groups.flatMap((second) =>
    Object.entries(kept).map(([name, event]): DifferentialCase => ({
      name: `${first.name}-${name}-changed-by-${second.name}`,
      steps: [
        ask(`POST ${first.collection}?fieldManager=maker`, body(first, 'e', event)),
        ...Object.values(changes).flatMap((change) => {
          const own = second.as(change);
          const [member, value] = Object.entries(own)[0]!;
          return [
            ask(`PATCH ${second.collection}/e?dryRun=All&fieldManager=m`, own, mergePatch),
            ask(`PATCH ${second.collection}/e?dryRun=All&fieldManager=m`, own, strategicPatch),
            ask(
              `PATCH ${second.collection}/e?dryRun=All&fieldManager=m`,
              [
                value === null
                  ? { op: 'remove', path: `/${member}` }
                  : { op: 'add', path: `/${member}`, value },
              ],
              jsonPatch,
            ),
            ask(
              `PATCH ${second.collection}/e?dryRun=All&fieldManager=applier`,
              { apiVersion: second.apiVersion, kind: 'Event', metadata: { name: 'e' }, ...own },
              applyPatch,
            ),
            ask(
              `PATCH ${second.collection}/e?dryRun=All&fieldManager=applier&force=true`,
              { apiVersion: second.apiVersion, kind: 'Event', metadata: { name: 'e' }, ...own },
              applyPatch,
            ),
          ];
        }),
      ],
    })),
  ),
);

/** Owners of fields go over from one group's names to the other's, in conflicts and when they let go. */
const owned: readonly DifferentialCase[] = groups.flatMap((first) => {
  const second = first === core ? newer : core;
  const apply = (group: Group, manager: string, event: Json, more = '') =>
    ask(`PATCH ${group.collection}/e?fieldManager=${manager}${more}`, body(group, 'e', event), applyPatch);
  const whole = { ...strict, regarding: involved, note: 'a' };
  const { note: _note, ...lessNote } = whole;
  const old = events['legacy']!;
  const { deprecatedCount: _count, note: _said, ...lessOld } = old;
  return [
    {
      name: `${first.name}-applied-and-let-go`,
      steps: [
        apply(first, 'a', whole),
        ...readBoth('e'),
        apply(second, 'b', { ...whole, note: 'b' }),
        apply(second, 'b', { ...whole, note: 'b' }, '&force=true'),
        ...readBoth('e'),
        apply(second, 'b', { series: { count: 2, lastObservedTime: microTime } }, '&force=true'),
        apply(first, 'b', lessNote),
        apply(second, 'a', lessNote),
        apply(first, 'a', lessNote),
        ...readBoth('e'),
        apply(second, 'a', {}),
        apply(first, 'a', {}),
        ...readBoth('e'),
      ],
    },
    {
      name: `${first.name}-applied-legacy`,
      steps: [
        apply(first, 'a', old),
        ...readBoth('e'),
        apply(second, 'b', { ...old, note: 'x', deprecatedCount: 4 }),
        apply(core, 'b', { ...old, note: 'x', deprecatedCount: 4 }, '&force=true'),
        ...readBoth('e'),
        apply(first, 'a', lessOld),
        apply(second, 'b', lessOld),
        apply(core, 'b', lessOld),
        apply(core, 'a', lessOld),
        ...readBoth('e'),
        ask(`PUT ${core.collection}/e?fieldManager=u`, body(core, 'e', { ...old, deprecatedCount: 9 })),
        ask(
          `PUT ${newer.collection}/e?fieldManager=u`,
          body(newer, 'e', { ...old, deprecatedCount: 9, metadata: { labels: { a: 'b' } } }),
        ),
        ...readBoth('e'),
        ask(`DELETE ${second.collection}/e`),
      ],
    },
  ];
});

const selectors: DifferentialCase = {
  name: 'selectors',
  steps: [
    ask(`POST ${core.collection}`, body(core, 'old', events['legacy']!), { quiet: true }),
    ask(`POST ${newer.collection}`, body(newer, 'new', events['series']!), { quiet: true }),
    ...groups.flatMap(({ collection }) =>
      [
        'reason=Started',
        'type=Normal',
        'involvedObject.kind=Pod',
        'regarding.kind=Pod',
        'regarding.name!=p',
        'involvedObject.namespace=$ns',
        'regarding.namespace=$ns',
        'reportingComponent=example.com/c',
        'reportingController=example.com/c',
        'source=kubelet',
        'source=',
        'reportingComponent=kubelet',
        'reportingController=kubelet',
        'involvedObject.uid=',
        'regarding.uid=',
        'regarding.apiVersion=v1',
        'involvedObject.resourceVersion=',
        'involvedObject.fieldPath=',
        'regarding.fieldPath=x',
        'metadata.name=old',
        'metadata.namespace=$ns',
        'note=said',
        'message=said',
        'action=Binding',
        'eventTime=x',
        'deprecatedSource=kubelet',
        'related.name=q',
        'deprecatedCount=3',
      ].flatMap((selector) => [
        ask(
          `GET ${collection}?fieldSelector=${encodeURIComponent(selector).replaceAll('%24', '$')}`,
          undefined,
          { pick: ['kind', 'items.*.metadata.name', 'message', 'code', 'reason'] },
        ),
      ]),
    ),
    ...groups.flatMap(({ collection }) => [
      ask(`GET ${collection}?labelSelector=a`, undefined, {}),
      ask(`GET ${collection}`, undefined, {
        accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
      }),
      ask(`GET ${collection}/new`, undefined, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }),
      ask(`GET ${collection}?watch=1&timeoutSeconds=1`, undefined, { watch: { take: 2, timeoutMs: 3000 } }),
      ask(`DELETE ${collection}?fieldSelector=reason=Started&dryRun=All`),
      ask(`DELETE ${collection}/old?dryRun=All`),
      ask(`POST ${collection}/old`, {}),
      ask(`GET ${collection}/old/status`),
    ]),
  ],
};

/** Bodies in the other group's form. */
const crossed: DifferentialCase = {
  name: 'bodies-of-the-other-group',
  steps: groups.flatMap((group) => {
    const other = group === core ? newer : core;
    const own = body(group, 'e', events['strict']!);
    const foreign = body(other, 'e', events['strict']!);
    return [
      ask(`POST ${group.collection}`, foreign),
      ask(`POST ${group.collection}?dryRun=All`, own),
      ask(`PUT ${group.collection}/e?dryRun=All`, foreign),
      ask(`PATCH ${group.collection}/e?fieldManager=a&dryRun=All`, foreign, applyPatch),
      ask(`PATCH ${group.collection}/e?dryRun=All`, { apiVersion: other.apiVersion }, mergePatch),
    ];
  }),
};

export const cases: readonly DifferentialCase[] = [...created, ...changed, ...owned, selectors, crossed];
