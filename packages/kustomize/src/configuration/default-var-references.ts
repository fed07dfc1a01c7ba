/** The fields in which `$(NAME)` of `vars` is replaced. */
import type { FieldSpec } from './field-spec.ts';
import { inPodSpecs } from './pod-spec-paths.ts';

const containerPaths = ['containers', 'initContainers'].flatMap((containers) =>
  ['args', 'command', 'env/value', 'volumeMounts/mountPath'].map((path) => `${containers}/${path}`),
);
const podPaths = [...containerPaths, 'volumes/nfs/server'];

export const varReferenceSpecs: readonly FieldSpec[] = [
  ...inPodSpecs(['CronJob'], containerPaths),
  { path: 'spec/jobTemplate/spec/template/volumes/nfs/server', kind: 'CronJob' },
  ...inPodSpecs(['DaemonSet', 'Deployment'], podPaths),
  { path: 'spec/template/metadata/annotations', kind: 'Deployment' },
  { path: 'spec/rules/host', kind: 'Ingress' },
  { path: 'spec/tls/hosts', kind: 'Ingress' },
  { path: 'spec/tls/secretName', kind: 'Ingress' },
  ...inPodSpecs(['Job', 'Pod', 'ReplicaSet'], podPaths),
  { path: 'spec/ports/port', kind: 'Service' },
  { path: 'spec/ports/targetPort', kind: 'Service' },
  ...inPodSpecs(['StatefulSet'], containerPaths),
  { path: 'spec/volumeClaimTemplates/spec/nfs/server', kind: 'StatefulSet' },
  { path: 'spec/nfs/server', kind: 'PersistentVolume' },
  { path: 'metadata/labels' },
  { path: 'metadata/annotations' },
];
