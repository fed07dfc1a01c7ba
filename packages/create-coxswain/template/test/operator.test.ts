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
import { validateGreeting } from '../src/webhook.ts';

const manifest = (name: string) => readFileSync(new URL(`../manifests/${name}`, import.meta.url), 'utf8');
/** The operator has the rights of its account, so the tests fail where manifests/rbac.yaml lacks one. */
const account = 'system:serviceaccount:default:greeting-operator';
/** `npm run rbac` names a file: the operator may do everything then, and what it asked for is written there. */
const auditFile = process.env['AUDIT_LOG'];
const greeting = (spec: object) => ({
  apiVersion: 'example.com/v1',
  kind: 'Greeting',
  metadata: { name: 'a' },
  spec,
});

let cluster: TestCluster;
let running: Promise<void>;
const stopping = new AbortController();

before(async () => {
  cluster = await createCluster({ nodes: 0 });
  await cluster.apply(manifest('crds/greetings.example.com.yaml'));
  if (auditFile === undefined) await cluster.apply(manifest('rbac.yaml'));
  const { transport } = cluster.as(
    auditFile === undefined ? account : { name: account, groups: ['system:masters'] },
  );
  const client = createClient({ transport, clock: cluster.clock });
  running = createManager({ client, clock: cluster.clock }).add(greetings).start(stopping.signal);
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
  await assertEventuallyHas(cluster, 'configmap/a', { data: { text: 'hello hello' } });
  await assertEventuallyHas(cluster, 'greeting/a', { status: { ready: true } });
});

test('a ConfigMap that somebody deletes comes back', async () => {
  await cluster.remove({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } });
  await assertEventuallyHas(cluster, 'configmap/a', { data: { text: 'hello hello' } });
});

test('it goes with its greeting', async () => {
  await cluster.remove(greeting({ text: 'hello' }));
  await assertEventuallyLacks(cluster, 'configmap/a');
});

test('the schema refuses what makes no sense', async () => {
  await assert.rejects(cluster.apply(greeting({ text: '' })), /spec\.text/);
  await assert.rejects(cluster.apply(greeting({ text: 'a', times: 11 })), /spec\.times/);
});

test('the webhook refuses secrets', async () => {
  const review = (text: string) =>
    validateGreeting({
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      request: { uid: '1', operation: 'CREATE', object: greeting({ text }) },
    });
  assert.match(JSON.stringify(await review('my password')), /"allowed":false.*no secrets/);
  assert.match(JSON.stringify(await review('hello')), /"allowed":true/);
});
