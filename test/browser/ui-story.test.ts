/** What people do with the page, in a real browser. */

import { createRequire } from 'node:module';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sample } from '../../packages/trace/src/recording.fixture.ts';
import { serveUi } from '../../packages/coxswain/src/ui/ui-server.ts';
import { BreakableTransport } from './breakable-transport.ts';
import { openUi, type UiPage } from './ui-page.ts';

let ui: UiPage;
beforeAll(async () => {
  ui = await openUi();
}, 120_000);
afterAll(() => ui?.close());
beforeEach(() => {
  ui.complaints.length = 0;
});

const timeout = 120_000;

const deployment = (name: string, cpu: string) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, labels: { app: name } },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name, image: `${name}:1`, resources: { requests: { cpu } } }] },
    },
  },
});

async function go(path: string): Promise<void> {
  await ui.page.goto(`${ui.origin}${path}`);
  await ui.page.locator('#main > *').first().waitFor();
}

test('one finds out why a pod is pending, and mends it in the page', { timeout }, async () => {
  const { cluster, page, complaints } = ui;
  await cluster.apply(deployment('trainer', '64'));
  await go('/');
  const unwell = page.locator('section', { has: page.getByRole('heading', { name: 'Unhealthy' }) });
  await unwell
    .getByText(/Insufficient cpu/)
    .first()
    .waitFor();

  await unwell.getByText('trainer', { exact: true }).click();
  await page.getByRole('heading', { name: 'trainer' }).waitFor();
  await page.getByRole('link', { name: 'YAML' }).click();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByText(/cpu: "64"/).click();
  await page.keyboard.press('End');
  for (const _ of '"64"') await page.keyboard.press('Backspace');
  await page.keyboard.type('"1"');
  await page.getByRole('button', { name: 'Review changes' }).click();
  // The fields are those of whoever applied it.
  await page.getByText('Other managers own fields that you changed').waitFor();
  complaints.length = 0;
  await page.getByRole('button', { name: 'Take over the fields' }).click();
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('Applied', { exact: true }).waitFor();
  await page.getByText('2/2', { exact: true }).waitFor();
  expect(complaints).toEqual([]);
});

test('one finds out what would have to change for a pod to be placed', { timeout }, async () => {
  const { cluster, page, complaints } = ui;
  await cluster.apply({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'selective' },
    spec: { nodeSelector: { gpu: 'yes' }, containers: [{ name: 'one', image: 'one:1' }] },
  });
  await go('/object/-/v1/pods/default/selective');
  await page.getByRole('link', { name: 'Placement' }).click();
  await page.getByText('fits 0 of 3 nodes').waitFor();
  await page.getByText('Label the node as the pod requires').waitFor();
  await page.getByText('gpu=yes').first().waitFor();
  await page.getByText('Then 3 nodes would fit').waitFor();
  expect(complaints).toEqual([]);
});

test('one finds out why a user is denied, and what would be enough', { timeout }, async () => {
  const { cluster, page, complaints } = ui;
  const rbac = 'rbac.authorization.k8s.io';
  await cluster.apply([
    {
      apiVersion: `${rbac}/v1`,
      kind: 'Role',
      metadata: { name: 'one-secret' },
      rules: [{ apiGroups: [''], resources: ['secrets'], resourceNames: ['db'], verbs: ['get'] }],
    },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'RoleBinding',
      metadata: { name: 'bob' },
      roleRef: { apiGroup: rbac, kind: 'Role', name: 'one-secret' },
      subjects: [{ apiGroup: rbac, kind: 'User', name: 'bob' }],
    },
  ]);
  await go('/access?namespace=default');
  await page.getByRole('combobox', { name: /^User/ }).fill('bob');
  await page.keyboard.press('Enter');
  await page.getByText('denied', { exact: true }).waitFor();
  await page.getByText(/Role one-secret .*a request without a name/).waitFor();
  await page.getByText('ClusterRole edit').waitFor();
  await page.getByText(/kubectl create rolebinding bob-/).waitFor();
  await page.getByRole('combobox', { name: /^Name \(/ }).fill('db');
  await page.keyboard.press('Enter');
  await page.getByText('allowed', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'bob' }).waitFor();
  expect(complaints).toEqual([]);
});

test('a refusal that is pasted is explained', { timeout }, async () => {
  const { page, complaints } = ui;
  await go('/access');
  await page.getByRole('combobox', { name: /^User/ }).waitFor();
  const message = 'User "ann" cannot list resource "deployments" in API group "apps" in the namespace "shop"';
  await page.evaluate(`{
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', '${message}');
    document.querySelector('.access-bar input').dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
  }`);
  await page.getByRole('heading', { name: 'list deployments.apps in namespace shop' }).waitFor();
  await page.getByText('denied', { exact: true }).waitFor();
  expect(complaints).toEqual([]);
});

test('one finds out why a service answers nothing', { timeout }, async () => {
  const { cluster, page, complaints } = ui;
  await cluster.apply([
    deployment('answering', '100m'),
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'silent' },
      spec: { selector: { app: 'answerring' }, ports: [{ port: 80 }] },
    },
  ]);
  await go('/object/-/v1/services/default/silent');
  await page.getByText('no pod of the namespace has the labels app=answerring').waitFor();
  await page.getByText(/Values of app on pods here: .*answering/).waitFor();
  await cluster.client
    .resource('v1', 'services')
    .namespace('default')
    .patch('silent', { spec: { selector: { app: 'answering' } } });
  await page.getByText('No container of its pods declares the port 80').waitFor();
  expect(complaints).toEqual([]);
});

test('what only a warning explains is explained where it is unwell', { timeout }, async () => {
  const { cluster, page, complaints } = ui;
  await cluster.apply([
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'unbound' },
      spec: {
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'nowhere',
        resources: { requests: { storage: '1Gi' } },
      },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'hollow' },
      spec: { selector: { app: 'nothing' }, ports: [{ port: 80 }] },
    },
    {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'used-up' },
      spec: { hard: { persistentvolumeclaims: '1', pods: '500' } },
    },
  ]);
  await go('/');
  const unwell = page.getByRole('region', { name: 'Unhealthy' });
  await unwell.getByRole('link', { name: /hollow.*no pod matches the selector/s }).waitFor();
  await unwell.getByRole('link', { name: /unbound.*"nowhere" not found/s }).click();
  await page.locator('.object-reason', { hasText: '"nowhere" not found' }).waitFor();
  await go('/object/-/v1/resourcequotas/default/used-up');
  await page.getByText('used up', { exact: true }).waitFor();
  expect(await axe('quota')).toEqual([]);
  await cluster.remove({ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'used-up' } });
  expect(complaints).toEqual([]);
});

test(
  'who cordoned a node is the latest change behind it, not whose taint reports it',
  { timeout },
  async () => {
    const { cluster, page, complaints } = ui;
    const nodes = cluster.client.resource('v1', 'nodes');
    const [node] = (await nodes.list()).items;
    const name = node!.metadata.name!;
    await nodes.patch(name, { spec: { unschedulable: true } }, { fieldManager: 'kubectl-cordon' });
    await cluster.eventually(async () => {
      expect(JSON.stringify(await nodes.get(name))).toContain('node.kubernetes.io/unschedulable');
    });
    await go(`/object/-/v1/nodes/-/${name}`);
    const cause = page.getByRole('region', { name: 'Latest change behind it' });
    await cause.getByText(/by kubectl-cordon/).waitFor();
    await page.getByRole('button', { name: 'Uncordon' }).click();
    await cause.waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  },
);

test('one finds out which network policy blocks a connection', { timeout }, async () => {
  const { cluster, page, complaints } = ui;
  const pod = (name: string, role: string) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { role } },
    spec: { containers: [{ name, image: `${name}:1`, ports: [{ containerPort: 5432 }] }] },
  });
  await cluster.apply([
    pod('ledger', 'database'),
    pod('biller', 'api'),
    pod('guest', 'web'),
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'only-api' },
      spec: {
        podSelector: { matchLabels: { role: 'database' } },
        ingress: [{ from: [{ podSelector: { matchLabels: { role: 'api' } } }], ports: [{ port: 5432 }] }],
      },
    },
  ]);
  await go('/object/-/v1/pods/default/ledger');
  const ask = async (name: string): Promise<void> => {
    await page.getByRole('combobox', { name: 'Pod', exact: true }).fill(name);
    await page.keyboard.press('Enter');
  };
  await ask('guest');
  await page.getByText('Blocked by default/only-api: no rule for incoming connections').waitFor();
  expect(await axe('network policies')).toEqual([]);
  await ask('biller');
  await page.getByText('No policy is in the way').waitFor();
  await page.getByRole('spinbutton', { name: 'Port' }).fill('80');
  await page.keyboard.press('Enter');
  await page.getByText('Blocked by default/only-api').waitFor();
  await page.getByRole('link', { name: 'only-api' }).click();
  await page.getByText('pods with role=api: 5432/TCP').waitFor();
  expect(complaints).toEqual([]);
});

test('the logs of pods that were picked by hand are read together', { timeout }, async () => {
  const { cluster, page, complaints } = ui;
  const pod = (name: string) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, annotations: { 'sim.coxswain.io/log': `this is ${name}` } },
    spec: { containers: [{ name: 'one', image: 'one:1' }] },
  });
  await cluster.apply(['picked-one', 'picked-two', 'left-out'].map(pod));
  await go('/explore/-/v1/pods?namespace=default');
  for (const name of ['picked-one', 'picked-two'])
    await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  await page.getByRole('button', { name: 'Logs' }).click();
  for (const name of ['picked-one', 'picked-two']) await page.getByText(`this is ${name}`).waitFor();
  await page.locator('.container-choice summary').click();
  await page.getByRole('checkbox', { name: 'picked-two' }).check();
  await page.getByText('this is picked-one').waitFor({ state: 'detached' });
  expect(await page.getByText('this is left-out').count()).toBe(0);
  expect(complaints).toEqual([]);
});

test('an event leads to the object that it is about', { timeout }, async () => {
  const { cluster, page, complaints } = ui;
  await cluster.apply(deployment('eventful', '100m'));
  await go('/explore/-/v1/events?namespace=default&filter=eventful');
  await page.getByRole('link', { name: 'deployment/eventful' }).first().click();
  await page.getByRole('heading', { name: 'eventful' }).waitFor();
  expect(complaints).toEqual([]);
});

test('one creates a deployment, and sees its pods', { timeout }, async () => {
  const { page, complaints } = ui;
  await go('/');
  await page.getByRole('heading', { name: 'Nodes and pods' }).waitFor();
  await page.keyboard.press('c');
  await page.getByRole('textbox', { name: 'YAML of the objects' }).waitFor();
  await page.getByRole('button', { name: 'Dry run' }).click();
  await page.getByText('The server would accept it').waitFor();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('link', { name: 'Deployment web' }).click();
  await page.getByText('2/2', { exact: true }).waitFor();
  expect(complaints).toEqual([]);
});

test('several objects are scaled and deleted by keyboard', { timeout }, async () => {
  const { cluster, page, complaints } = ui;
  // The filter leaves the last one out.
  await cluster.apply(['one', 'two', 'three'].map((name) => deployment(name, '100m')));
  await go('/');
  await page.getByRole('heading', { name: 'Nodes and pods' }).waitFor();
  await page.keyboard.press(':');
  await page.locator('[role=combobox]:focus').waitFor();
  await page.keyboard.type('deploy');
  await page.getByRole('option', { name: /^Deployment/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'two', exact: true }).waitFor();
  await page.keyboard.press('/');
  await page.locator('input:focus').waitFor();
  await page.keyboard.type('o');
  await page.keyboard.press('Escape');
  await page.getByText(/^2 \/ \d/).waitFor();
  for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
  await page.getByRole('button', { name: 'Scale' }).click();
  await page.getByRole('dialog', { name: 'Scale 2 Deployments' }).waitFor();
  await page.keyboard.type('3');
  await page.keyboard.press('Enter');
  await page.getByText('2 scaled').waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByText('3/3').first().waitFor();
  for (const key of ['k', 'x', 'j', 'x']) await page.keyboard.press(key);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('2 deleted').waitFor();
  await page.getByRole('link', { name: 'two', exact: true }).waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});

test('one rewinds a deployment to what it was before somebody scaled it', { timeout }, async () => {
  const { cluster, page, complaints } = ui;
  const { client } = cluster;
  await cluster.apply(deployment('rewound', '100m'));
  const deployments = client.resource('apps/v1', 'deployments').namespace('default');
  await deployments.patch('rewound', { spec: { replicas: 3 } }, { type: 'merge', fieldManager: 'somebody' });
  await go('/object/apps/v1/deployments/default/rewound/history');
  const scaled = page.getByRole('button', { name: /somebody.*spec\.replicas/s });
  await scaled.click();
  await page.getByText('replicas: 3').first().waitFor();
  await page.getByRole('slider', { name: 'Moment' }).press('Home');
  await page.getByText('It did not exist yet').waitFor();
  await page.getByRole('button', { name: /created.*coxswain-testing/ }).click();
  await page.getByText('replicas: 2').first().waitFor();
  expect(complaints).toEqual([]);
});

test('one rolls a deployment back to what it was', { timeout }, async () => {
  const { cluster, page, complaints } = ui;
  await cluster.apply(deployment('rolled', '100m'));
  const deployments = cluster.client.resource('apps/v1', 'deployments').namespace('default');
  const containers = [{ name: 'rolled', image: 'rolled:broken' }];
  await deployments.patch(
    'rolled',
    { spec: { template: { spec: { containers } } } },
    { fieldManager: 'somebody' },
  );
  await go('/object/apps/v1/deployments/default/rolled');
  await page.getByRole('button', { name: 'Roll back' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('rolled:broken').waitFor();
  await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
  await page.getByText('Restored', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'History' }).click();
  await page.getByRole('button', { name: /coxswain-ui.*rolled:broken.*rolled:1/s }).waitFor();
  expect(complaints).toEqual([]);
});

test(
  'one finds out which change broke a pod, undoes it, and sees who wrote a field',
  { timeout },
  async () => {
    const { cluster, page, complaints } = ui;
    await cluster.apply(deployment('broken', '100m'));
    const deployments = cluster.client.resource('apps/v1', 'deployments').namespace('default');
    const containers = [{ name: 'broken', image: 'broken:1', resources: { requests: { cpu: '64' } } }];
    await deployments.patch(
      'broken',
      { spec: { template: { spec: { containers } } } },
      { fieldManager: 'somebody' },
    );
    await go('/');
    // The event among the changes has the same text.
    await page
      .getByRole('link', { name: /broken.*Insufficient cpu/s })
      .first()
      .click();
    const cause = page.getByRole('region', { name: 'Latest change behind it' });
    await cause.getByText(/by somebody/).waitFor();
    await cause.getByText(/resources\.requests\.cpu.*"100m".*"64"/).waitFor();
    await cause.getByRole('link', { name: 'Deployment broken' }).click();
    await page.getByRole('link', { name: 'YAML' }).click();
    await page.getByText('Who wrote each line').click();
    await page.locator('.text-view-row', { hasText: 'cpu: "64"' }).getByText('somebody').waitFor();
    // To the pod: the deployment itself has its old pods, and is well.
    await page.goBack();
    await page.goBack();
    await cause.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }).click();
    await page.getByText('Restored', { exact: true }).waitFor();
    expect(JSON.stringify(await deployments.get('broken'))).toContain('"cpu":"100m"');
    expect(complaints).toEqual([]);
  },
);

test('the values of a secret are shown when they are asked for', { timeout }, async () => {
  const { cluster, page, complaints } = ui;
  await cluster.apply({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'asked-for' },
    stringData: { password: 'not-a-secret' },
  });
  await go('/object/-/v1/secrets/default/asked-for');
  await page.getByText('12 B').waitFor();
  expect(await page.getByText('not-a-secret').count()).toBe(0);
  await page.getByRole('button', { name: 'Show the values' }).click();
  await page.getByText('not-a-secret').waitFor();
  expect(complaints).toEqual([]);
});

test('one finds out who deleted an object, and creates it again', { timeout }, async () => {
  const { cluster, page, complaints } = ui;
  await cluster.apply({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'missed' },
    data: { colour: 'blue' },
  });
  await cluster.client.resource('v1', 'configmaps').namespace('default').delete('missed');
  await go('/object/-/v1/configmaps/default/missed');
  await page.getByRole('button', { name: /^deleted kubernetes-admin/ }).waitFor();
  await page.getByText('colour: blue').waitFor();
  await page.getByRole('button', { name: 'Create it again' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }).click();
  await page.getByText('Restored', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Delete', exact: true }).waitFor();
  expect(complaints).toEqual([]);
});

test(
  'one finds what selects a pod, and the volume that it waits for does not exist',
  { timeout },
  async () => {
    const { cluster, page, complaints } = ui;
    const labels = { app: 'linked' };
    await cluster.apply([
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'linked', labels },
        spec: {
          containers: [
            { name: 'one', image: 'one:1', envFrom: [{ configMapRef: { name: 'nowhere', optional: true } }] },
          ],
        },
      },
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'front' },
        spec: { selector: labels, ports: [{ port: 80 }] },
      },
    ]);
    await go('/object/-/v1/pods/default/linked');
    await page.getByRole('link', { name: 'Related' }).click();
    const graph = page.getByRole('navigation', { name: 'Related objects' });
    await graph.getByRole('link', { name: /ConfigMap.*does not exist.*nowhere/ }).waitFor();
    // That the browser is told of what is missing is no fault of the page.
    complaints.length = 0;
    await graph.getByRole('link', { name: /^Service.*front/ }).click();
    await page.getByRole('heading', { name: 'front' }).waitFor();
    expect(complaints).toEqual([]);
  },
);

test('the timeline has what was asked, what was scheduled and what containers did', { timeout }, async () => {
  const { page, complaints } = ui;
  await go('/object/-/v1/pods/default/linked/history');
  for (const lane of ['Revisions', 'Events', 'Scheduling', 'Containers', 'Requests'])
    await page.locator('.axis-lane', { hasText: lane }).waitFor();
  await page
    .getByRole('button', { name: /POST.*system:coxswain/ })
    .or(page.getByRole('button', { name: /PATCH/ }))
    .first()
    .waitFor();
  expect(complaints).toEqual([]);
});

test('fields are completed, and checked before the server is asked', { timeout }, async () => {
  const { page, complaints } = ui;
  await go('/create');
  const editor = page.getByRole('textbox', { name: 'YAML of the objects' });
  await editor.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('      terminationGr');
  // Keys that follow the list at once are taken for typing.
  await page.getByRole('option', { name: /terminationGracePeriodSeconds/ }).click();
  await page.keyboard.type('soon');
  await page.locator('.cm-lintRange-error', { hasText: 'terminationGracePeriodSeconds' }).waitFor();
  for (const _ of 'soon') await page.keyboard.press('Backspace');
  await page.keyboard.type('5');
  await page.locator('.cm-lintRange-error').waitFor({ state: 'detached' });
  expect(await editor.textContent()).toContain('terminationGracePeriodSeconds: 5');
  expect(complaints).toEqual([]);
});

test('the past of the cluster is played back', { timeout }, async () => {
  const { cluster, page, complaints } = ui;
  await cluster.apply({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'played' },
    spec: { containers: [{ name: 'one', image: 'one:1' }] },
  });
  await go('/time');
  const slider = page.getByRole('slider', { name: 'Change' });
  await page.locator('.past-changes').getByText('played').first().waitFor();
  await slider.press('Home');
  await page.locator('.past-changes').getByText('played').first().waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  await page.locator('.past-changes').getByText('played').first().waitFor();
  expect(complaints).toEqual([]);
});

test(
  'the objects of any kind are listed as they were, also those that are no more',
  { timeout },
  async () => {
    const { cluster, page, complaints } = ui;
    await cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'passing' } });
    await cluster.client.resource('v1', 'configmaps').namespace('default').delete('passing');
    await go('/time');
    await page.getByRole('combobox', { name: 'What is shown' }).selectOption('ConfigMaps');
    const row = page.getByRole('link', { name: 'passing', exact: true });
    await page.locator('.past-changes button', { hasText: 'passing' }).first().waitFor();
    await row.waitFor({ state: 'detached' });
    await page.locator('.past-changes button', { hasText: /passing.*created/s }).click();
    await row.click();
    await page.getByRole('button', { name: /^deleted/ }).waitFor();
    expect(complaints).toEqual([]);
  },
);

test('one finds out what changed between two moments', { timeout }, async () => {
  const { cluster, page, complaints } = ui;
  const configMap = (colour: string) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'compared' },
    data: { colour },
  });
  await cluster.apply([
    configMap('blue'),
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'passed' } },
  ]);
  await cluster.apply({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'milestone' },
    spec: { containers: [{ name: 'one', image: 'one:1' }] },
  });
  await cluster.apply(configMap('red'));
  await cluster.client.resource('v1', 'secrets').namespace('default').delete('passed');
  await go('/time');
  await page.locator('.past-changes button', { hasText: /milestone.*created/s }).click();
  await page.getByRole('button', { name: 'Compare' }).click();
  const changed = page.getByRole('listitem').filter({ hasText: 'compared' });
  await changed.getByText('data.colour').waitFor();
  expect(await changed.textContent()).toMatch(/^changed.*by coxswain-testing.*"blue" "red"$/);
  await page
    .getByRole('listitem')
    .filter({ hasText: /^deleted.*passed/ })
    .waitFor();
  // The other way round: from the oldest state until that moment.
  await page.getByLabel('To').fill('2020-01-01T00:00:00');
  await page
    .getByRole('listitem')
    .filter({ hasText: /^created.*compared.*by coxswain-testing/ })
    .waitFor();
  expect(complaints).toEqual([]);
});

test('a snapshot brings back what was deleted, and faults come and go', { timeout }, async () => {
  const { cluster, page, complaints } = ui;
  await cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kept' } });
  const configMaps = cluster.client.resource('v1', 'configmaps').namespace('default');
  await go('/test-cluster');
  await page.getByRole('button', { name: 'Take a snapshot' }).click();
  await page.getByText('Snapshot 1').waitFor();
  await configMaps.delete('kept');
  await page.getByRole('button', { name: 'Go back' }).last().click();
  await expect
    .poll(
      () =>
        configMaps.get('kept').then(
          ({ metadata }) => metadata.name,
          () => '',
        ),
      { timeout: 30_000 },
    )
    .toBe('kept');
  await page.getByRole('combobox', { name: 'Fault' }).selectOption('conflict');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText(/applied \d+ times/).waitFor();
  await page.getByRole('button', { name: 'Remove all' }).click();
  await page.getByText('No faults are active.').waitFor();
  expect(complaints).toEqual([]);
});

test('a fork of a snapshot goes its own way, in a page of its own', { timeout }, async () => {
  const { context, cluster, page, complaints } = ui;
  await cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'in-both' } });
  await go('/test-cluster');
  const opening = context.waitForEvent('page');
  await page.getByRole('button', { name: 'Fork', exact: true }).first().click();
  const fork = await opening;
  await fork.getByRole('heading', { name: 'Nodes and pods' }).waitFor();
  const { origin } = new URL(fork.url());
  expect(origin).not.toBe(ui.origin);
  await cluster.client.resource('v1', 'configmaps').namespace('default').delete('in-both');
  await fork.goto(`${origin}/explore/-/v1/configmaps?namespace=default`);
  await fork.getByRole('link', { name: 'in-both' }).waitFor();
  await fork.close();
  const row = page.getByRole('listitem').filter({ hasText: 'Fork 1' });
  await row.getByRole('button', { name: 'Stop' }).click();
  await row.waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});

test('logs are followed, and a shell runs in the page', { timeout }, async () => {
  const { cluster, page, complaints } = ui;
  await cluster.apply({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'talker' },
    spec: { containers: [{ name: 'talker', image: 'talker:1' }] },
  });
  await go('/object/-/v1/pods/default/talker/logs');
  await page.getByText(/talker of default\/talker started/).waitFor();
  await page.getByRole('link', { name: 'Shell' }).click();
  await page.getByRole('button', { name: 'Open a shell' }).click();
  await page.getByText('/ #').first().waitFor();
  await page.keyboard.type('echo a$((40 + 2))\n');
  await page.getByText('a42').first().waitFor();
  expect(complaints).toEqual([]);
});

test('what the user may not read or press is said before', { timeout }, async () => {
  const { browser, cluster } = ui;
  await cluster.apply([
    deployment('seen', '10m'),
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'plain' } },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'reader' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'reader' }],
    },
  ]);
  const context = await browser.newContext();
  const page = await context.newPage();
  const link = new URL(await cluster.as('reader').ui());
  await page.goto(link.href);
  await page.getByText(/^Not shown because you may not list them.*Node/).waitFor();
  await page
    .getByRole('heading', { name: /^node-\d$/ })
    .first()
    .waitFor();
  await page.goto(`${link.origin}/object/-/v1/configmaps/default/plain`);
  const button = page.getByRole('button', { name: 'Delete' });
  await expect.poll(() => button.getAttribute('title'), { timeout: 30_000 }).toMatch(/You may not do this/);
  expect(await button.getAttribute('aria-disabled')).toBe('true');
  await page.goto(`${link.origin}/explore/-/v1/secrets`);
  await page.getByText('You may not read this').waitFor();
  await page.getByRole('link', { name: 'Why?' }).click();
  await expect.poll(() => page.url()).toMatch(/\/access\?as=reader&verb=list&resource=secrets/);
  await page.goto(`${link.origin}/tour/create`);
  const run = page.getByRole('button', { name: /^Run kubectl create deployment/ });
  await expect.poll(() => run.getAttribute('title'), { timeout: 30_000 }).toMatch(/You may not do this/);
  await context.close();
});

test('a node is drained, and takes pods again', { timeout }, async () => {
  const { cluster, page, complaints } = ui;
  const labels = { app: 'guarded' };
  const pod = (name: string, more: object = {}) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, ...more },
    spec: { nodeName: 'node-2', containers: [{ name: 'one', image: 'one:1' }] },
  });
  await cluster.apply([
    pod('leaving'),
    pod('guarded', { labels }),
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'guard' },
      spec: { minAvailable: 1, selector: { matchLabels: labels } },
    },
  ]);
  const pods = cluster.client.resource('v1', 'pods').namespace('default');
  await go('/object/-/v1/nodes/-/node-2');
  await page.getByRole('button', { name: 'Drain' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('default/leaving').waitFor();
  await dialog.getByText(/have no controller/).waitFor();
  await dialog.getByRole('button', { name: 'Drain' }).click();
  await page.getByText(/could not be evicted.*disruption budget/).waitFor();
  await page.getByText('the node is cordoned').waitFor();
  await expect.poll(() => pods.get('leaving').catch(() => 'gone'), { timeout: 30_000 }).toBe('gone');
  expect((await pods.get('guarded')).metadata.name).toBe('guarded');
  await page.getByRole('button', { name: 'Uncordon' }).click();
  await page.getByText('the node is cordoned').waitFor({ state: 'detached' });
  // That the server refuses an eviction, or no longer has older changes, is no fault of the page.
  expect(complaints.filter((complaint) => !/429|410/.test(complaint))).toEqual([]);
});

test('someone with rights in one namespace works there, and sees what is allowed', { timeout }, async () => {
  const { browser, cluster } = ui;
  await cluster.apply([
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'tenancy' } },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'tenant', namespace: 'tenancy' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'edit' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'tenant' }],
    },
  ]);
  // The namespace has its service account by then.
  await cluster.idle();
  await cluster.apply({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'rented', namespace: 'tenancy' },
    spec: { containers: [{ name: 'one', image: 'one:1' }] },
  });
  const context = await browser.newContext();
  const page = await context.newPage();
  const link = new URL(await cluster.as('tenant').ui());
  await page.goto(link.href);
  await page.getByText('You may not read this').waitFor();
  await page.getByRole('combobox', { name: 'Namespace' }).fill('tenancy');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Nodes and pods' }).waitFor();
  await page.getByRole('link', { name: 'Pods', exact: true }).click();
  await page.getByRole('link', { name: 'rented' }).waitFor();
  await page.goto(`${link.origin}/time`);
  await page.locator('.past-changes').getByText('rented').first().waitFor();
  await page.goto(`${link.origin}/access?verb=delete&resource=pods`);
  await page.getByRole('region', { name: 'You (tenant)' }).getByText('allowed', { exact: true }).waitFor();
  const rules = page.getByRole('region', { name: 'What you may do in namespace tenancy' });
  const pods = rules
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: 'pods', exact: true }) });
  await pods.getByRole('img', { name: 'granted', exact: true }).nth(7).waitFor();
  await page.getByRole('button', { name: /show all namespaces/ }).click();
  await page.getByRole('region', { name: 'You (tenant)' }).getByText('denied', { exact: true }).waitFor();
  await context.close();
});

test('a page that lost its cluster says so, and goes on where it was', { timeout }, async () => {
  const { browser, cluster } = ui;
  const lists: string[] = [];
  await cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'earlier' } });
  const transport = new BreakableTransport(cluster.transport, ({ path }) => {
    if (path.includes('/namespaces/default/configmaps') && !path.includes('watch=true')) lists.push(path);
  });
  const server = await serveUi({ transport, port: 0, facts: { cluster: 'test', namespace: 'default' } });
  const context = await browser.newContext({ locale: 'en-US' });
  try {
    const page = await context.newPage();
    await page.goto(server.link());
    await page.goto(`${server.address}/explore/-/v1/configmaps?namespace=default`);
    await page.getByRole('link', { name: 'earlier' }).waitFor();
    transport.break();
    await page.getByText(/The API server does not answer/).waitFor();
    await cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'later' } });
    transport.mend();
    await page.getByText('Connected again').waitFor();
    await page.getByRole('link', { name: 'later' }).waitFor();
    // The watch was resumed where it broke.
    expect(lists).toEqual([expect.stringContaining('limit=')]);
    // A page that was opened meanwhile is read as soon as that is possible.
    transport.break();
    await page.goto(`${server.address}/time`);
    await page.locator('#main').getByText('Reading failed').waitFor();
    transport.mend();
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    await page
      .getByRole('link', { name: 'ConfigMaps' })
      .or(page.getByText('Configuration'))
      .first()
      .waitFor();
  } finally {
    await context.close();
    await server.close();
  }
});

test('a recording opens beside the cluster', { timeout }, async () => {
  const { browser, cluster } = ui;
  const server = await serveUi({
    transport: cluster.transport,
    port: 0,
    facts: { cluster: 'test', namespace: 'default' },
    recording: JSON.stringify(sample),
  });
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    await page.goto(server.link());
    await page.getByRole('heading', { name: sample.undertakings[0]!.name }).first().waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(complaints).toEqual([]);
  } finally {
    await context.close();
    await server.close();
  }
});

test.each([
  ['light', 'en'],
  ['dark', 'zh'],
] as const)('every page is accessible: %s, %s', { timeout }, async (colorScheme, language) => {
  const { page } = ui;
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.evaluate(`localStorage.setItem('coxswain-language', '${language}')`);
  const violations: string[] = [];
  for (const path of [
    '/',
    '/explore/-/v1/pods',
    '/explore/-/v1/pods?namespace=nobody',
    '/object/apps/v1/deployments/default/trainer',
    '/object/apps/v1/deployments/default/trainer/yaml',
    '/object/apps/v1/deployments/default/trainer/history',
    '/object/apps/v1/deployments/default/trainer/related',
    '/time',
    '/test-cluster',
    '/object/-/v1/pods/default/talker/logs',
    '/object/-/v1/pods/default/talker/shell',
    '/object/-/v1/secrets/default/asked-for',
    '/object/-/v1/pods/default/nobody',
    '/explore/nowhere/v1/nothings',
    '/scheduler/default/talker',
    '/access?verb=get&namespace=default&as=bob',
    '/create',
    '/tour/create',
    '/nowhere',
  ]) {
    await go(path);
    await expect.poll(() => page.locator('.skeleton').count(), { timeout: 30_000 }).toBe(0);
    violations.push(...(await axe(path)));
  }
  await go('/time');
  await page.locator('.time-bar [aria-pressed]').click();
  await page.locator('.compared li').first().waitFor();
  violations.push(...(await axe('compared')));
  await page.keyboard.press('?');
  violations.push(...(await axe('help')));
  await page.keyboard.press('Escape');
  await page.keyboard.press(':');
  violations.push(...(await axe('palette')));
  await page.emulateMedia({ colorScheme: 'light' });
  await page.evaluate("localStorage.removeItem('coxswain-language')");
  expect(violations).toEqual([]);
});

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Injected by the driver, past the content security policy. */
async function axe(where: string): Promise<readonly string[]> {
  const file = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  const { readFileSync } = await import('node:fs');
  await ui.page.evaluate(readFileSync(file, 'utf8'));
  const violations = await ui.page.evaluate<readonly Violation[]>(
    "axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] }).then(({ violations }) => violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })) })))",
  );
  return violations.map(
    ({ id, nodes }) => `${where}: ${id} ×${nodes.length}: ${nodes[0]!.html} ${nodes[0]!.failureSummary}`,
  );
}
