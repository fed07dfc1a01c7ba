/** What scenarios of scheduling are made of: nodes, pods and their rules. */
import type { JsonObject, NodeSpec, Step } from '../scenario.ts';
import { collection, container, item, object, placed, pod, view, type PodParts } from './building.ts';

export const node = (name: string, more: Partial<NodeSpec> = {}): NodeSpec => ({ name, ...more });
export const cpus = (name: string, cpu: string, more: Partial<NodeSpec> = {}): NodeSpec => ({
  name,
  allocatable: { cpu },
  ...more,
});
export const inZone = (name: string, zone: string, more: Partial<NodeSpec> = {}): NodeSpec => ({
  name,
  ...more,
  labels: { 'topology.kubernetes.io/zone': zone, ...more.labels },
});
export const end = (name = 'end') => view(name, placed);
export const asks = (name: string, cpu: string, parts: PodParts = {}): Step =>
  pod(name, { ...parts, requests: { cpu } });
export const withSpec = (name: string, spec: JsonObject, parts: PodParts = {}): Step =>
  pod(name, { ...parts, spec: { containers: [container(parts.requests)], ...spec } });
export const patchNode = (name: string, body: JsonObject, sub = ''): Step => ({
  req: `PATCH /api/v1/nodes/${name}${sub}`,
  body,
});
export const patchPod = (name: string, body: JsonObject): Step => ({
  req: `PATCH ${item('Pod', name)}`,
  body,
});
export const required = (...terms: JsonObject[]): JsonObject => ({
  nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } },
});
export const expression = (key: string, operator: string, ...values: string[]): JsonObject => ({
  matchExpressions: [{ key, operator, ...(values.length > 0 ? { values } : {}) }],
});
export const preferred = (...weighted: [number, JsonObject][]): JsonObject => ({
  nodeAffinity: {
    preferredDuringSchedulingIgnoredDuringExecution: weighted.map(([weight, preference]) => ({
      weight,
      preference,
    })),
  },
});
export const zone = 'topology.kubernetes.io/zone';
export const host = 'kubernetes.io/hostname';
export const near = (app: string, topologyKey: string, more: JsonObject = {}): JsonObject => ({
  labelSelector: { matchLabels: { app } },
  topologyKey,
  ...more,
});
export const together = (...terms: JsonObject[]) => ({
  affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } },
});
export const apart = (...terms: JsonObject[]) => ({
  affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } },
});
export const spread = (constraint: JsonObject, app = 'web'): JsonObject => ({
  maxSkew: 1,
  topologyKey: zone,
  whenUnsatisfiable: 'DoNotSchedule',
  labelSelector: { matchLabels: { app } },
  ...constraint,
});
export const labels = { app: 'web' };
export const priority = (name: string, value: number, more: JsonObject = {}): Step => ({
  req: `POST ${collection('PriorityClass')}`,
  body: object('PriorityClass', `${name}-$id`, { value, ...more }),
});
export const important = (name: string, cpu: string, className: string, parts: PodParts = {}): Step =>
  pod(name, {
    ...parts,
    spec: { containers: [container({ cpu })], priorityClassName: `${className}-$id`, ...parts.spec },
  });
export const ladder = [priority('low', 10), priority('mid', 100), priority('high', 1000)];
export const taint = (key: string, effect: string, value?: string): JsonObject => ({
  key,
  effect,
  ...(value === undefined ? {} : { value }),
});
