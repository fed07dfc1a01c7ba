/** Adds the tolerations of the namespace to pods, and refuses tolerations that it doesn't allow. */
import { notFound, StatusError } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '@coxswain/apiserver';
import type { Namespace } from '@coxswain/api/core/v1/namespace.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { statedQosClass } from '@coxswain/api/core/v1/pod/quality-of-service.ts';
import type { Toleration } from '@coxswain/api/core/v1/taint.ts';
import { isTo, objectOf, on } from '../attributes.ts';
import { resources, type ObjectReader } from '../../object-reader.ts';
import { isCovered, mergeTolerations } from '../tolerations.ts';

/** The defaults for namespaces without annotations. */
export interface ClusterTolerations {
  readonly default: readonly Toleration[];
  readonly whitelist: readonly Toleration[];
}

const defaultsAnnotation = 'scheduler.alpha.kubernetes.io/defaultTolerations';
const whitelistAnnotation = 'scheduler.alpha.kubernetes.io/tolerationsWhitelist';

export const podTolerationRestriction = (
  objects: ObjectReader,
  cluster: ClusterTolerations,
): AdmissionPlugin => ({
  name: 'PodTolerationRestriction',
  handles: on('CREATE', 'UPDATE'),
  async mutate(attributes) {
    if (!isTo(attributes, resources.pods)) return;
    const annotations = await annotationsOf(attributes, objects);
    const pod = objectOf<Pod>(attributes);
    const extra = [
      ...(attributes.operation === 'CREATE'
        ? (stated(annotations, defaultsAnnotation) ?? cluster.default)
        : []),
      ...(statedQosClass(pod) === 'BestEffort' ? [] : [memoryPressure]),
    ];
    if (extra.length > 0) pod.spec.tolerations = mergeTolerations(pod.spec.tolerations ?? [], extra);
    check(attributes, annotations, cluster);
  },
  async validate(attributes) {
    if (!isTo(attributes, resources.pods)) return;
    check(attributes, await annotationsOf(attributes, objects), cluster);
  },
});

/** Added to pods with a memory guarantee, so that memory pressure doesn't repel them. */
const memoryPressure: Toleration = {
  key: 'node.kubernetes.io/memory-pressure',
  operator: 'Exists',
  effect: 'NoSchedule',
};

type Annotations = Readonly<Record<string, string>>;

async function annotationsOf(
  { namespace }: AdmissionAttributes,
  objects: ObjectReader,
): Promise<Annotations> {
  const found = await objects.get<Namespace>(resources.namespaces, '', namespace);
  if (found === undefined) throw notFound(resources.namespaces, namespace);
  return found.metadata.annotations ?? {};
}

function check(attributes: AdmissionAttributes, annotations: Annotations, cluster: ClusterTolerations): void {
  const tolerations = objectOf<Pod>(attributes).spec.tolerations ?? [];
  if (tolerations.length === 0) return;
  const ofNamespace = stated(annotations, whitelistAnnotation);
  const whitelist = ofNamespace ?? cluster.whitelist;
  if (
    whitelist.length === 0 ||
    tolerations.every((one) => whitelist.some((listed) => isCovered(one, listed)))
  )
    return;
  throw failure(
    'pod tolerations (possibly merged with namespace default tolerations) conflict with its ' +
      `${ofNamespace === undefined ? 'cluster' : 'namespace'} whitelist`,
  );
}

function stated(annotations: Annotations, key: string): readonly Toleration[] | undefined {
  const text = annotations[key];
  if (text === undefined) return undefined;
  if (text === '') return [];
  try {
    const list: unknown = JSON.parse(text);
    if (list === null) return [];
    if (Array.isArray(list)) return list as Toleration[];
  } catch (error) {
    throw failure(messageOf(error));
  }
  throw failure('json: cannot unmarshal object into Go value of type []v1.Toleration');
}

/** Upstream refuses with an error without code and reason. */
const failure = (message: string): StatusError => new StatusError(500, '', message);
