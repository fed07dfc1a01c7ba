/** Values that are equal but spelled otherwise (quantities, times, durations), replaced one by one in stored objects. */
import { baseObjects, mostDiverse, type BaseObject } from '../base-objects.ts';
import { ask, mergePatch, type DifferentialCase } from './case.ts';
import type { Step } from '../../../packages/kube-apiserver/test/oracle/case.ts';

type Json = Readonly<Record<string, unknown>>;

const basesMax = 3;
const placesMax = 12;

const quantity = /^\d+(m|k|M|G|Ki|Mi|Gi)?$/;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const duration = /^\d+(s|m|h)(\d+[ms])*$/;
/** Members whose texts, or whose members' texts, are quantities. */
const holdsQuantities =
  /^(requests|limits|capacity|allocatable|hard|used|overhead|allocatedResources|max|min|default|defaultRequest|maxLimitRequestRatio|sizeLimit|divisor|averageValue|value|maximumVolumeSize|podFixed|tolerance|storage|cpu|memory)$/;

function respelled(text: string, path: readonly string[]): string[] {
  if (time.test(text)) {
    const whole = text.replace(/(\.\d+)?Z$/, '');
    return [`${whole}.5Z`, `${whole}.000Z`, `${whole}.000000400Z`, `${whole}+00:00`];
  }
  if (quantity.test(text) && path.slice(-2).some((key) => holdsQuantities.test(key))) {
    const [, digits, suffix = ''] = /^(\d+)(.*)$/.exec(text)!;
    const finer = { '': 'm', m: 'u', k: '', M: 'k', G: 'M', Ki: '', Mi: 'Ki', Gi: 'Mi' }[suffix]!;
    const factor = suffix.endsWith('i') ? 1024n : 1000n;
    return [`${BigInt(digits!) * factor}${finer}`, `${digits}.0${suffix}`, `+${text}`, `0${text}`];
  }
  return duration.test(text)
    ? [text.replace(/^(\d+)h$/, (_, hours: string) => `${Number(hours) * 60}m`)]
    : [];
}

function* spellings(
  value: unknown,
  path: readonly string[] = [],
): Generator<readonly [readonly string[], string]> {
  if (typeof value === 'string') for (const text of respelled(value, path)) yield [path, text];
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) yield* spellings(child, [...path, key]);
}

function withText(value: unknown, [key, ...rest]: readonly string[], text: string): unknown {
  if (key === undefined) return text;
  const child = withText((value as Record<string, unknown>)[key], rest, text);
  return Array.isArray(value) ? value.with(Number(key), child) : { ...(value as object), [key]: child };
}

const brief = { ignore: ['metadata.managedFields'] };

function respelledCase(name: string, { collection, body }: BaseObject, at: number): DifferentialCase {
  const named = { ...body, metadata: { ...(body['metadata'] as Json), name: `o${at}-$id` } };
  const one = `${collection}/o${at}-$id`;
  const found = [...spellings(named)];
  const stride = Math.max(1, Math.ceil(found.length / placesMax));
  const chosen = found.filter((_, index) => index % stride === 0);
  return {
    name,
    steps: [
      ask(`POST ${collection}`, named, brief),
      ...(body['status'] === undefined
        ? []
        : [ask(`PATCH ${one}/status`, { status: body['status'] }, { ...mergePatch, ...brief })]),
      ...chosen.flatMap(([path, text]): Step[] => {
        const changed = withText(named, path, text);
        return path[0] === 'status'
          ? [ask(`PUT ${one}/status?dryRun=All`, changed, brief)]
          : [
              ask(`PUT ${one}?dryRun=All`, changed, brief),
              ask(`PATCH ${one}?dryRun=All`, changed, { ...mergePatch, ...brief }),
            ];
      }),
      ...['creationTimestamp', 'deletionTimestamp'].flatMap((member) =>
        ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.5Z', null].map((text) =>
          ask(`PATCH ${one}?dryRun=All`, { metadata: { [member]: text } }, { ...mergePatch, ...brief }),
        ),
      ),
    ],
    cleanup: [ask(`DELETE ${one}?gracePeriodSeconds=0`)],
  };
}

const isCollection = /^\/api(s\/[a-z0-9.]+)?\/v\d+(\/namespaces\/\$ns)?\/[a-z]+$/;
const unsteady =
  /\/(namespaces|customresourcedefinitions|bindings|componentstatuses|services|[a-z]+reviews)$/;

const respelledCases: readonly DifferentialCase[] = [
  ...Map.groupBy(baseObjects(undefined), ({ collection }) => collection),
].flatMap(([collection, bases]) => {
  if (!isCollection.test(collection) || unsteady.test(collection)) return [];
  const reporting = [...mostDiverse(bases.filter(({ body }) => !spellings(body).next().done))];
  return reporting
    .slice(0, basesMax)
    .map((base, at) => respelledCase(`${collection.replace(/^\/apis?\//, '')}-${at}`, base, at));
});

const at = '2026-01-02T03:04:05Z';
const fractions = ['2026-01-02T03:04:05.5Z', '2026-01-02T03:04:05.000000001Z', '2026-01-02T04:04:05.0+01:00'];

const event = {
  metadata: { name: 'e' },
  eventTime: '2026-01-02T03:04:05.000000Z',
  reportingController: 'example.com/a',
  reportingInstance: 'a',
  action: 'a',
  reason: 'r',
  type: 'Normal',
  regarding: { kind: 'Pod', name: 'p', namespace: '$ns' },
  deprecatedFirstTimestamp: at,
  deprecatedLastTimestamp: at,
};
const finished = (finishedAt: string) => ({
  status: {
    phase: 'Failed',
    containerStatuses: [
      {
        name: 'c',
        image: 'i',
        imageID: 'i',
        ready: false,
        restartCount: 0,
        state: { terminated: { exitCode: 1, startedAt: at, finishedAt } },
      },
    ],
  },
});

/** Where a time is immutable. */
const timeCases: readonly DifferentialCase[] = [
  {
    name: 'times-of-events',
    steps: [
      ask('POST /apis/events.k8s.io/v1/namespaces/$ns/events', event, { quiet: true }),
      ...fractions.flatMap((time) => [
        ask(
          'PATCH /apis/events.k8s.io/v1/namespaces/$ns/events/e?dryRun=All',
          { deprecatedFirstTimestamp: time },
          { ...mergePatch, ...brief },
        ),
        ask(
          'PATCH /apis/events.k8s.io/v1/namespaces/$ns/events/e?dryRun=All',
          { deprecatedLastTimestamp: time },
          { ...mergePatch, ...brief },
        ),
      ]),
    ],
  },
  {
    name: 'times-of-pods',
    steps: [
      ask(
        'POST /api/v1/namespaces/$ns/pods',
        {
          metadata: { name: 'p' },
          spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] },
        },
        { quiet: true },
      ),
      ask('PATCH /api/v1/namespaces/$ns/pods/p/status', finished(at), { ...mergePatch, quiet: true }),
      ...fractions.map((time) =>
        ask('PATCH /api/v1/namespaces/$ns/pods/p/status?dryRun=All', finished(time), {
          ...mergePatch,
          ...brief,
        }),
      ),
    ],
  },
  {
    name: 'times-of-nodes',
    cluster: true,
    steps: [
      ask(
        'POST /api/v1/nodes',
        { metadata: { name: '$id' }, spec: { taints: [{ key: 'a', effect: 'NoExecute', timeAdded: at }] } },
        { quiet: true },
      ),
      ...fractions.map((timeAdded) =>
        ask(
          'PATCH /api/v1/nodes/$id?dryRun=All',
          { spec: { taints: [{ key: 'a', effect: 'NoExecute', timeAdded }] } },
          { ...mergePatch, ...brief },
        ),
      ),
    ],
    cleanup: [ask('DELETE /api/v1/nodes/$id')],
  },
];
export const cases: readonly DifferentialCase[] = [...respelledCases, ...timeCases];
