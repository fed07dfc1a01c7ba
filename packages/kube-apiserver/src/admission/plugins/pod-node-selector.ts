/** Restricts the pods of a namespace to the nodes that match the namespace's or the cluster's node selector. */
import { fieldErrorText, invalidError, notFound, StatusError } from '@coxswain/apimachinery';
import { checkLabelValue, checkQualifiedName } from '@coxswain/apimachinery/names.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '@coxswain/apiserver';
import type { Namespace } from '@coxswain/api/core/v1/namespace.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { isTo, objectOf, on, refused } from '../attributes.ts';
import { resources, type ObjectReader } from '../../object-reader.ts';

/** The allowed selectors of each namespace; the key `clusterDefaultNodeSelector` has the default. */
export type NodeSelectors = Readonly<Record<string, string>>;

const annotation = 'scheduler.alpha.kubernetes.io/node-selector';
const defaultKey = 'clusterDefaultNodeSelector';

export const podNodeSelector = (objects: ObjectReader, selectors: NodeSelectors): AdmissionPlugin => ({
  name: 'PodNodeSelector',
  handles: on('CREATE'),
  async mutate(attributes) {
    if (!isTo(attributes, resources.pods)) return;
    const ofNamespace = await namespaceSelector(attributes, objects, selectors);
    const { spec } = objectOf<Pod>(attributes);
    checkConflict(attributes, ofNamespace);
    const merged = { ...ofNamespace, ...spec.nodeSelector };
    if (Object.keys(merged).length > 0) spec.nodeSelector = merged;
    checkAllowed(attributes, selectors);
  },
  async validate(attributes) {
    if (!isTo(attributes, resources.pods)) return;
    checkConflict(attributes, await namespaceSelector(attributes, objects, selectors));
    checkAllowed(attributes, selectors);
  },
});

type Labels = Readonly<Record<string, string>>;

async function namespaceSelector(
  { namespace }: AdmissionAttributes,
  objects: ObjectReader,
  selectors: NodeSelectors,
): Promise<Labels> {
  const found = await objects.get<Namespace>(resources.namespaces, '', namespace);
  if (found === undefined) throw notFound(resources.namespaces, namespace);
  return selectorLabels(found.metadata.annotations?.[annotation] ?? selectors[defaultKey] ?? '');
}

function checkConflict(attributes: AdmissionAttributes, ofNamespace: Labels): void {
  const own = objectOf<Pod>(attributes).spec.nodeSelector ?? {};
  if (Object.entries(own).every(([key, value]) => (ofNamespace[key] ?? value) === value)) return;
  throw refused(attributes, 'pod node label selector conflicts with its namespace node label selector');
}

function checkAllowed(attributes: AdmissionAttributes, selectors: NodeSelectors): void {
  const allowed = selectorLabels(selectors[attributes.namespace] ?? '');
  if (Object.keys(allowed).length === 0) return;
  const own = objectOf<Pod>(attributes).spec.nodeSelector ?? {};
  if (Object.entries(own).every(([key, value]) => allowed[key] === value)) return;
  throw refused(attributes, 'pod node label selector labels conflict with its namespace whitelist');
}

/** Parses `a=b, c=d`. @throws StatusError 500 for an invalid annotation, as upstream */
function selectorLabels(text: string): Labels {
  if (text === '') return {};
  return Object.fromEntries(
    text.split(',').map((label) => {
      const parts = label.split('=');
      if (parts.length !== 2) throw broken(`invalid selector: [${parts.join(' ')}]`);
      const [key, value] = parts.map((part) => part.trim()) as [string, string];
      const keyProblems = checkQualifiedName(key);
      if (keyProblems.length > 0)
        throw broken(fieldErrorText(invalidError(undefined, key, keyProblems.join('; '))));
      const problems = checkLabelValue(value);
      if (problems.length > 0)
        throw broken(fieldErrorText(invalidError(`[${key}]`, value, problems.join('; '))));
      return [key, value];
    }),
  );
}

const broken = (message: string): StatusError => new StatusError(500, '', message);
