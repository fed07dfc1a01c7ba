/** A node may write its own Node object, but not its taints or labels that control scheduling. */
import { goQuote, semanticDeepEqual } from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import { objectOf, oldObjectOf, refused } from '../attributes.ts';
import type { NodeWrite } from './node-write.ts';

export function checkNode(write: NodeWrite): void {
  const { attributes, node } = write;
  // On a create the name comes from the object.
  const name = attributes.name || attributes.object?.metadata.name || '';
  if (name !== node) {
    throw refused(attributes, `node ${goQuote(node)} is not allowed to modify node ${goQuote(name)}`);
  }
  if (attributes.operation === 'CREATE') checkCreate(write);
  else if (attributes.operation === 'UPDATE') checkUpdate(write);
}

function checkCreate({ attributes, node }: NodeWrite): void {
  const { metadata, spec } = objectOf<Node>(attributes);
  if (spec?.configSource) {
    throw refused(
      attributes,
      `node ${goQuote(node)} is not allowed to create pods with a non-nil configSource`,
    );
  }
  const labels = forbiddenLabels(metadata.labels, {});
  if (labels.length > 0) {
    throw refused(
      attributes,
      `node ${goQuote(node)} is not allowed to set the following labels: ${labels.join(', ')}`,
    );
  }
}

function checkUpdate({ attributes, node }: NodeWrite): void {
  const { metadata, spec } = objectOf<Node>(attributes);
  const old = oldObjectOf<Node>(attributes);
  const notAllowed = (what: string) => refused(attributes, `node ${goQuote(node)} is not allowed to ${what}`);
  // Old kubelets drop the field when they update their status.
  if (spec?.configSource && !semanticDeepEqual(spec.configSource, old.spec?.configSource)) {
    throw notAllowed('update configSource to a new non-nil configSource');
  }
  if (!semanticDeepEqual(spec?.taints, old.spec?.taints)) throw notAllowed('modify taints');
  if (!semanticDeepEqual(metadata.ownerReferences, old.metadata.ownerReferences)) {
    throw notAllowed('modify ownerReferences');
  }
  const labels = forbiddenLabels(metadata.labels, old.metadata.labels);
  if (labels.length > 0) {
    throw refused(attributes, `is not allowed to modify labels: ${labels.join(', ')}`);
  }
}

type Labels = Readonly<Record<string, string>>;

/** The changed labels that kubelets must not set, sorted. */
function forbiddenLabels(now: Labels = {}, before: Labels = {}): string[] {
  const changed = Object.keys({ ...now, ...before }).filter((key) => now[key] !== before[key]);
  return changed.filter(isForbidden).sort();
}

function isForbidden(label: string): boolean {
  const slash = label.indexOf('/');
  const namespace = slash < 0 ? '' : label.slice(0, slash);
  const isIn = (domain: string) => namespace === domain || namespace.endsWith(`.${domain}`);
  if (isIn('node-restriction.kubernetes.io')) return true;
  const isKubernetes = isIn('kubernetes.io') || isIn('k8s.io');
  return isKubernetes && !kubeletLabels.has(label) && !kubeletDomains.some(isIn);
}

const kubeletDomains: readonly string[] = ['kubelet.kubernetes.io', 'node.kubernetes.io'];

const kubeletLabels: ReadonlySet<string> = new Set([
  'kubernetes.io/hostname',
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'beta.kubernetes.io/instance-type',
  'node.kubernetes.io/instance-type',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch',
]);
