/** The kinds of metrics.k8s.io, which upstream leaves to other servers. */
import {
  duration,
  kind,
  list,
  map,
  named,
  ObjectMeta,
  optional,
  quantity,
  string,
  struct,
  time,
  type Static,
} from '@coxswain/schema';

const usage = named('v1.ResourceList', map(quantity));

export const ContainerMetrics = struct('metrics/v1beta1.ContainerMetrics', {
  name: optional(1, string),
  usage: optional(2, usage),
});
export interface ContainerMetrics extends Static<typeof ContainerMetrics> {}

const metadata = optional(1, ObjectMeta, { go: 'ObjectMeta' });
const timestamp = optional(2, time);
const window = optional(3, duration);

export const PodMetrics = kind(
  'metrics/v1beta1.PodMetrics',
  'metrics.k8s.io/v1beta1',
  { plural: 'pods', singular: '', namespaced: true },
  { metadata, timestamp, window, containers: optional(4, list(ContainerMetrics)) },
);

export const NodeMetrics = kind(
  'metrics/v1beta1.NodeMetrics',
  'metrics.k8s.io/v1beta1',
  { plural: 'nodes', singular: '', namespaced: false },
  { metadata, timestamp, window, usage: optional(4, usage) },
);
