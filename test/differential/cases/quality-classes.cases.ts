/** Pods that state their quality of service: a new one keeps it, and what follows is measured by it. */
import { applyPatch, ask, jsonPatch, mergePatch, strategicPatch, type DifferentialCase } from './case.ts';

const pods = '/api/v1/namespaces/$ns/pods';
const spec = (resources: object = {}) => ({ containers: [{ name: 'c', image: 'i', resources }] });
const brief = { pick: ['status', 'message', 'reason', 'spec.containers', 'metadata.generation'] };
const merged = { ...mergePatch, ...brief };
const strategic = { ...strategicPatch, ...brief };
const pod = (name: string, resources: object, qosClass: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: spec(resources),
  status: { qosClass, phase: 'Running', podIP: '192.0.2.4' },
});
const binding = (target: object, metadata: object = {}) =>
  ask(`POST ${pods}/q/binding`, {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name: 'q', ...metadata },
    target,
  });
const inspector = (image: string) => ({ spec: { ephemeralContainers: [{ name: 'e', image }] } });
const enough = { cpu: '2', memory: '1Gi' };

const stepsFor = (qosClass: string) => [
  ask(`POST ${pods}`, pod('p', {}, qosClass), brief),
  ask(`PATCH ${pods}/p/status`, { status: { qosClass } }, merged),
  ask(`PATCH ${pods}/p/status`, { status: { qosClass: null } }, merged),
  ask(`PATCH ${pods}/p`, { status: { qosClass: 'Guaranteed' } }, strategic),
  ask(`PATCH ${pods}/q?fieldManager=m`, pod('q', { limits: { cpu: '1' } }, qosClass), {
    ...applyPatch,
    ...brief,
  }),
  ask(`PATCH ${pods}/q/resize`, { spec: spec({ limits: { cpu: '2' } }) }, strategic),
  ask(`PATCH ${pods}/q/resize`, { spec: spec({ limits: enough, requests: enough }) }, strategic),
  ask(`PATCH ${pods}/q/ephemeralcontainers`, inspector('x'), strategic),
  ask(`PATCH ${pods}/q/ephemeralcontainers`, inspector('y'), strategic),
  ask(`PATCH ${pods}/q/ephemeralcontainers`, [{ op: 'remove', path: '/spec/ephemeralContainers' }], {
    ...jsonPatch,
    ...brief,
  }),
  binding({ kind: 'Node', name: '' }),
  binding({ kind: 'Pod', name: 'n' }),
  binding({ kind: 'Node', name: 'n' }, { uid: 'x' }),
  binding({ kind: 'Node', name: 'n' }, { labels: { a: 'b' }, annotations: { c: 'd' } }),
  binding({ kind: 'Node', name: 'n' }),
  ask(`GET ${pods}/q`, undefined, {
    pick: ['spec.nodeName', 'status', 'metadata.labels', 'metadata.annotations'],
  }),
];

export const cases: readonly DifferentialCase[] = ['Guaranteed', 'Burstable', 'BestEffort', 'x', ''].map(
  (qosClass) => ({ name: qosClass || 'none', steps: stepsFor(qosClass) }),
);
