/** Options of reads and writes in the query, right and wrong, by verb and kind. */
import { applyPatch, ask, jsonPatch, mergePatch, strategicPatch, type DifferentialCase } from './case.ts';
import { defined, widgets, withoutDefinition } from './definition.ts';
import type { Step } from '../../../packages/kube-apiserver/test/oracle/case.ts';

const texts = [
  '',
  '0',
  '1',
  '-1',
  'true',
  'True',
  'false',
  'x',
  'All',
  'all',
  'null',
  ' ',
  '1.5',
  '99999999999999999999',
  'a,b',
  '%00',
];
const options: Readonly<Record<string, readonly string[]>> = {
  dryRun: [...texts, 'All&dryRun=All', 'All&dryRun=x'],
  fieldManager: [
    '',
    'a',
    'a b',
    'a\tb',
    'é',
    'a'.repeat(128),
    'a'.repeat(129),
    'é'.repeat(65),
    '\u0001',
    'a/b',
  ],
  fieldValidation: ['', 'Strict', 'Warn', 'Ignore', 'strict', 'x', 'Strict&fieldValidation=Ignore'],
  force: texts,
  pretty: ['true', 'x'],
  gracePeriodSeconds: texts,
  propagationPolicy: ['', 'Orphan', 'Background', 'Foreground', 'orphan', 'x'],
  orphanDependents: texts,
  ignoreStoreReadErrorWithClusterBreakingPotential: ['', 'true', 'false', 'x'],
  resourceVersion: ['', '0', '-1', 'x', '1.5', '99999999999999999999', ' 1'],
  resourceVersionMatch: [
    '',
    'Exact',
    'NotOlderThan',
    'x',
    'Exact&resourceVersion=0',
    'NotOlderThan&resourceVersion=0',
  ],
  limit: [...texts, '9223372036854775807', '9223372036854775808'],
  continue: ['', 'x', 'e30'],
  timeoutSeconds: ['', 'x', '-1', '0'],
  timeout: ['', 'x', '0s', '1', '-1s', '100h', '1ms5'],
  labelSelector: [
    '',
    'a',
    'a=b',
    'a in (b,c)',
    'a in ()',
    '!a',
    'a>1',
    'a>x',
    'a=b,',
    ',',
    'a b',
    'a==b',
    'a!=b',
    '=',
    'A B=c',
    'a=b=c',
    'a notin (b',
    'x/y/z',
    '-a',
    'a=',
  ],
  fieldSelector: [
    '',
    'metadata.name=a',
    'metadata.name',
    'metadata.name=',
    'metadata.name!=a',
    'metadata.namespace=x',
    'spec.x=1',
    'metadata.uid=1',
    '=',
    'metadata.name=a,metadata.name=b',
    'metadata.name>a',
    'metadata.name=a\\,b',
    'metadata.name=a\\b',
    'status.phase=Running',
  ],
  sendInitialEvents: ['true', 'false', 'x', ''],
  allowWatchBookmarks: ['true', 'x', ''],
  // Those that begin a watch end it soon.
  watch: ['x&timeoutSeconds=1', 'false', '0', '2&timeoutSeconds=1'],
  includeObject: ['', 'None', 'Metadata', 'Object', 'x', 'none'],
  nosuch: ['1'],
};

interface Target {
  readonly name: string;
  readonly collection: string;
  readonly body: (name: string) => object;
  readonly before?: readonly Step[];
  readonly cleanup?: readonly Step[];
  readonly isCustom?: boolean;
}

const targets: readonly Target[] = [
  {
    name: 'configmaps',
    collection: '/api/v1/namespaces/$ns/configmaps',
    body: (name) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } }),
  },
  {
    name: 'widgets',
    collection: widgets,
    body: (name) => ({ apiVersion: '$id.example.com/v1', kind: 'Widget', metadata: { name } }),
    before: defined(),
    cleanup: [withoutDefinition],
    isCustom: true,
  },
];

export const cases: readonly DifferentialCase[] = targets.map(
  ({ name, collection, body, before = [], cleanup = [], isCustom = false }) => {
    const one = `${collection}/one`;
    const queries = Object.entries(options).flatMap(([option, values]) =>
      values.map((value) => {
        const [first, ...rest] = value.split('&');
        return [`${option}=${encodeURIComponent(first!).replace('%2500', '%00')}`, ...rest].join('&');
      }),
    );
    return {
      name,
      steps: [
        ...before,
        ask(`POST ${collection}`, body('one')),
        ...queries.flatMap((query) => [
          ask(`GET ${one}?${query}`),
          ask(`GET ${collection}?${query}`, undefined, {
            pick: [
              'kind',
              'items.*.metadata.name',
              'message',
              'reason',
              'details',
              'code',
              'metadata.remainingItemCount',
            ],
          }),

          ask(`POST ${collection}?${query}&dryRun=All`, { ...body('two'), nosuch: 1 }),
          ask(`PUT ${one}?${query}&dryRun=All`, { ...body('one'), nosuch: 1 }),
          ask(
            `PATCH ${one}?${query}&dryRun=All`,
            { metadata: { labels: { a: 'b' } }, nosuch: 1 },
            mergePatch,
          ),
          ask(
            `PATCH ${one}?${query}&dryRun=All`,
            [{ op: 'add', path: '/nosuch', value: 1, odd: 2 }],
            jsonPatch,
          ),
          ...(isCustom ? [] : [ask(`PATCH ${one}?${query}&dryRun=All`, { nosuch: 1 }, strategicPatch)]),
          ask(`PATCH ${one}?${query}&dryRun=All`, body('one'), applyPatch),
          ask(`DELETE ${one}?${query}&dryRun=All`),
          ask(`DELETE ${collection}?${query}&dryRun=All`, undefined, {
            pick: ['kind', 'items.*.metadata.name', 'status', 'message', 'reason', 'details', 'code'],
          }),
        ]),
      ],
      cleanup,
    };
  },
);
