/** What others write into a cluster stays text on every page: names, labels, annotations, events, logs, columns, recordings. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { sample } from '../../packages/trace/src/recording.fixture.ts';
import { serveUi } from '../../packages/coxswain/src/ui/ui-server.ts';
import { openUi, type UiPage } from './ui-page.ts';

const timeout = 180_000;

/** Each would call `alert` in its own way; or pass for something else. */
const attacks = [
  '<img src=x onerror=alert(1)><script>alert(2)</script>',
  '<svg onload=alert(3)><animate onbegin=alert(4) attributeName=x></svg>',
  '"><iframe srcdoc="<script>parent.alert(5)</script>"></iframe>',
  'javascript:alert(6)',
  '{{constructor.constructor("alert(7)")()}} ${alert(8)} #{alert(9)} <%= alert(10) %>',
  '\u202Egnp.tpircs\u202C\u200B\u200D\uFEFF',
  `</style></title></textarea><a href="javascript:alert(11)">${'long '.repeat(400)}</a>`,
  '\u001B[2J\u001B]0;taken\u0007\u001B[31mشحن 🚢👩‍👩‍👧 舵手 שלום\u001B[0m',
  'x'.repeat(10_000),
];
const text = attacks.join('\n');

let ui: UiPage;
beforeAll(async () => {
  ui = await openUi();
  await fill();
}, timeout);
afterAll(() => ui?.close());

async function fill(): Promise<void> {
  const time = new Date().toISOString();
  const annotations = Object.fromEntries(attacks.map((attack, index) => [`attack-${index}`, attack]));
  await ui.cluster.apply({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'traps.example.test', annotations },
    spec: {
      group: 'example.test',
      scope: 'Namespaced',
      names: { plural: 'traps', kind: 'Trap' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              description: text,
              'x-kubernetes-preserve-unknown-fields': true,
            },
          },
          additionalPrinterColumns: attacks.map((attack, index) => ({
            name: attack,
            type: 'string',
            jsonPath: `.spec.text${index}`,
            description: attack,
          })),
        },
      ],
    },
  });
  await ui.cluster.apply([
    {
      apiVersion: 'example.test/v1',
      kind: 'Trap',
      metadata: { name: 'trap', annotations, finalizers: ['example.test/kept'] },
      spec: Object.fromEntries(attacks.map((attack, index) => [`text${index}`, attack])),
      status: {
        conditions: attacks.map((attack) => ({
          type: attack,
          status: 'False',
          reason: attack,
          message: attack,
        })),
      },
    },
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'trap', annotations: { ...annotations, 'sim.coxswain.io/log': text } },
      spec: {
        nodeSelector: {},
        containers: [{ name: 'trap', image: 'trap:1', env: [{ name: 'TRAP', value: text }] }],
      },
    },
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'unplaced', annotations },
      spec: {
        nodeSelector: { nowhere: 'yes' },
        containers: [{ name: 'one', image: '<img/onerror=alert(12)>' }],
      },
    },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'trap', annotations }, data: { text } },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: attacks[0]!.replaceAll('/', '') },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: attacks[0] }],
    },
    ...attacks.map((message, index) => ({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `trap-${index}` },
      involvedObject: { apiVersion: 'v1', kind: 'Pod', name: 'trap', namespace: 'default' },
      reason: message.slice(0, 100),
      message: message.slice(0, 1000),
      type: 'Warning',
      firstTimestamp: time,
      lastTimestamp: time,
    })),
  ]);
}

/** Elements and links that only an attack could have made. */
const foreign = `document.querySelectorAll('img[src=x], iframe, svg[onload], animate, [onerror], [href^="javascript:" i]').length`;

/** How far pages and their head reach beyond the right edge, which nothing that is long may make them do. */
const beyondEdge = `Math.max(...['#main', '.top-bar', '.object-head'].map((part) => document.querySelector(part)).map((element) => element === null ? 0 : element.scrollWidth - element.clientWidth))`;

test.each([
  ['/', 'alert(1)'],
  ['/explore/example.test/v1/traps', 'alert(1)'],
  ['/explore/-/v1/events', 'alert(1)'],
  ['/explore/rbac.authorization.k8s.io/v1/clusterrolebindings', 'alert(1)'],
  ['/object/example.test/v1/traps/default/trap', 'alert(3)'],
  ['/object/example.test/v1/traps/default/trap/yaml', 'alert(1)'],
  ['/object/example.test/v1/traps/default/trap/history', 'alert(1)'],
  ['/object/example.test/v1/traps/default/trap/related', 'trap'],
  ['/object/-/v1/pods/default/trap', 'alert(3)'],
  ['/object/-/v1/pods/default/trap/history', 'alert(3)'],
  ['/object/-/v1/pods/default/trap/logs', 'alert(1)'],
  ['/scheduler/default/unplaced', 'unplaced'],
  [`/access?verb=get&resource=pods&as=${encodeURIComponent(attacks[0]!)}`, 'alert(1)'],
  ['/time?kind=traps.example.test', 'trap'],
  ['/create', 'Deployment'],
  ['/tour/create', 'stored bytes'],
  [`/tour/${encodeURIComponent(attacks[0]!)}`, 'there is no chapter'],
  [`/explore/${encodeURIComponent(attacks[0]!)}/v1/${encodeURIComponent(attacks[3]!)}`, 'does not serve'],
  [`/object/-/v1/pods/default/${encodeURIComponent(attacks[0]!)}`, 'invalid field selector'],
  [`/${encodeURIComponent(attacks[1]!)}`, 'Page not found'],
])('%s', { timeout }, async (path, shown) => {
  const { page, complaints } = ui;
  complaints.length = 0;
  await page.goto(`${ui.origin}${path}`);
  await page.locator('#main').getByText(shown).filter({ visible: true }).first().waitFor();
  expect(await page.evaluate(foreign)).toBe(0);
  expect(await page.evaluate(beyondEdge)).toBe(0);
  expect(complaints.filter((complaint) => !complaint.startsWith('Failed to load resource'))).toEqual([]);
});

test('a recording', { timeout }, async () => {
  const [first, ...rest] = sample.undertakings;
  const recording = JSON.stringify({
    ...sample,
    undertakings: [{ ...first, name: text, component: attacks[0], values: { [text]: text } }, ...rest],
  });
  const facts = { cluster: attacks[0]!, namespace: 'default' };
  const server = await serveUi({ transport: ui.cluster.transport, port: 0, facts, recording });
  const page = await ui.context.newPage();
  const ran: string[] = [];
  page.on('dialog', (dialog) => {
    ran.push(dialog.message());
    void dialog.dismiss();
  });
  await page.goto(server.link());
  await page.getByText('alert(1)').first().waitFor();
  expect(await page.evaluate(foreign)).toBe(0);
  expect(ran).toEqual([]);
  await page.close();
});

test('a script that was put into the page all the same does not run', { timeout }, async () => {
  const { page, complaints } = ui;
  await page.goto(`${ui.origin}/`);
  await page.getByRole('heading', { name: 'Nodes and pods' }).waitFor();
  complaints.length = 0;
  const put = `document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="alert(1)">')`;
  await expect(page.evaluate(put)).rejects.toThrow(/TrustedHTML/);
  await page.evaluate(
    `document.body.append(Object.assign(document.createElement('a'), { href: 'javascript:alert(2)', id: 'trap' }))`,
  );
  await page.evaluate(`document.querySelector('#trap').click()`);
  await expect.poll(() => complaints.join()).toMatch(/Content Security Policy/);
  expect(complaints.join()).not.toContain('a script ran');
});
