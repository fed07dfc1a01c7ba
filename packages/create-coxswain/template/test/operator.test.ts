import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { createClient } from '@coxswain/client';
import { createManager } from '@coxswain/controller';
import {
  assertEventuallyHas,
  assertEventuallyLacks,
  createCluster,
  type TestCluster,
} from 'coxswain/testing';
import { greetings } from '../src/controller.ts';
import { certificatesIn, validateGreeting } from '../src/webhook.ts';

const manifest = (name: string) => readFileSync(new URL(`../manifests/${name}`, import.meta.url), 'utf8');
/** The operator has the permissions of its service account, so tests fail if manifests/rbac.yaml lacks one. */
const account = 'system:serviceaccount:default:greeting-operator';
/**
 * `npm run rbac` sets this to a file: the operator is then allowed everything, and its requests are written to the
 * file.
 */
const auditFile = process.env['AUDIT_LOG'];
const greeting = (spec: object) => ({
  apiVersion: 'example.com/v1',
  kind: 'Greeting',
  metadata: { name: 'a', namespace: 'team' },
  spec,
});

let cluster: TestCluster;
let running: Promise<void>;
const stopping = new AbortController();

before(async () => {
  cluster = await createCluster({ nodes: 0 });
  await cluster.apply(manifest('crds/greetings.example.com.yaml'));
  await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } });
  if (auditFile === undefined) await cluster.apply(manifest('rbac.yaml'));
  const { transport } = cluster.as(
    auditFile === undefined ? account : { name: account, groups: ['system:masters'] },
  );
  const client = createClient({ transport, clock: cluster.clock });
  // The API server calls the function directly, without a server or a network.
  cluster.webhooks.define('https://greeting-operator.default.svc/validate', validateGreeting);
  await cluster.apply(manifest('webhook.yaml'));
  const manager = createManager({ client, clock: cluster.clock });
  running = manager.add(greetings).add(certificatesIn('default')).start(stopping.signal);
});
after(async () => {
  stopping.abort();
  await running;
  if (auditFile !== undefined) writeFileSync(auditFile, cluster.requests.auditLog({ user: account }));
  await cluster.stop();
});

test('a greeting becomes a ConfigMap, also when others write at the same time', async () => {
  cluster.faults.add({ verb: 'patch', resource: 'configmaps', action: 'conflict', times: 2 });
  await cluster.apply(greeting({ text: 'hello', times: 2 }));
  await assertEventuallyHas(cluster, 'configmap/team/a', { data: { text: 'hello hello' } });
  await assertEventuallyHas(cluster, 'greeting/team/a', { status: { ready: true } });
});

test('a ConfigMap that somebody deletes comes back', async () => {
  await cluster.remove({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'team' } });
  await assertEventuallyHas(cluster, 'configmap/team/a', { data: { text: 'hello hello' } });
});

test('it goes with its greeting', async () => {
  await cluster.remove(greeting({ text: 'hello' }));
  await assertEventuallyLacks(cluster, 'configmap/team/a');
});

test('the schema refuses what makes no sense', async () => {
  await assert.rejects(cluster.apply(greeting({ text: '' })), /spec\.text/);
  await assert.rejects(cluster.apply(greeting({ text: 'a', times: 11 })), /spec\.times/);
});

test('the webhook refuses secrets', async () => {
  await assert.rejects(cluster.apply(greeting({ text: 'my password' })), /a greeting has no secrets/);
});

test('the API server knows who signed the certificate, also after a new one', async () => {
  const secrets = cluster.client.resource('v1', 'secrets').namespace('default');
  await secrets.patch(
    'greeting-operator-webhooks',
    { data: { 'ca.crt': null, 'tls.crt': '' } },
    { type: 'merge' },
  );
  await cluster.clock.advance('2m');
  const { data = {} } = (await secrets.get('greeting-operator-webhooks')) as {
    data?: Record<string, string>;
  };
  assert.ok(data['ca.crt']);
  await assertEventuallyHas(cluster, 'validatingwebhookconfiguration/greeting-operator', {
    webhooks: [{ clientConfig: { caBundle: data['ca.crt'] } }],
  });
});
